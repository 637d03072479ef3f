/** Passes that mean harm, in the process that the command line runs them in: each costs a message and nothing more. */

import { afterAll, describe, expect, it } from "vitest";
import { passPrograms } from "../../engine/api/pass-check.ts";
import { compilePass } from "../../ownpass/compile.ts";
import type { PassRequest } from "../../ownpass/requests.ts";
import { PassChild } from "./child.ts";

const MEBIBYTE = 1024 * 1024;
const PROGRAM = ".kernel k(n: R0, a: RD1)\nA:\n  IADD R1, R0, 1\n  BRA B\nB:\n  STG [RD1], R1\n  EXIT\n";

const run = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "hostile", run(fn, ctx) {\n${body}\n} });\n`;

async function ask(source: string, child: PassChild, parts: Partial<Extract<PassRequest, { ask: "run" }>> = {}): Promise<string> {
  const compiled = compilePass(source);
  if (!compiled.ok) return compiled.problem.message;
  const found = passPrograms(PROGRAM);
  if (typeof found === "string") throw new Error(found);
  const answer = await child.ask({
    ask: "run",
    code: compiled.code,
    ms: 0,
    program: found[0]!.program,
    source: [],
    skips: [],
    fuel: null,
    record: true,
    lines: 0,
    twice: false,
    ...parts,
  });
  if ("ended" in answer) return answer.message;
  if ("failed" in answer) return `line ${answer.failed.line}: ${answer.failed.message}`;
  return answer.thrown === null ? `fine: ${answer.why}` : `line ${answer.thrown.line}: ${answer.thrown.message}`;
}

describe("hostile passes", { timeout: 120_000 }, () => {
  const child = new PassChild({ ms: 1500, memory: 128 * MEBIBYTE });
  afterAll(() => child.end());

  it.each<[string, string, RegExp]>([
    ["an endless loop", run("for (;;) ;"), /^line 4: The pass did not end within 1500 ms/],
    ["an endless loop that catches everything", run("for (;;) { try { for (;;) ; } catch {} }"), /did not end within 1500 ms/],
    [
      "a loop inside one expression",
      run("[].concat(Array.from({ length: 1e9 }, (_, i) => i * i));"),
      /did not end within|memory|Invalid array length/,
    ],
    ["a loop when the file is loaded", run("", "while (true) {}"), /^line 2: The pass did not end/],
    ["endless promises", run("const again = () => Promise.resolve().then(again); again();"), /did not end within 1500 ms|memory|^fine/],
    ["endless recursion", run("const f = () => f() + 1; f();"), /calls itself too deeply|did not end|memory/],
    ["arrays without end", run("const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"), /memory|did not end/],
    [
      "four gigabytes",
      run("const all = []; for (let i = 0; i < 64; i++) all.push(new Uint8Array(64 * 2 ** 20).fill(1));"),
      /memory|did not end|allocation/i,
    ],
    ["steps without end", run("for (;;) ctx.step('x'.repeat(1000));"), /more than \d+ (?:characters|steps)|did not end|memory/],
    [
      "tables without end",
      run("const t = ctx.table('t'); for (let i = 0; ; i++) t.set(i, Array.from({ length: 1000 }, (_, j) => j));"),
      /more than \d+ (?:characters|steps)|did not end|memory/,
    ],
    [
      "instructions without end",
      run("for (;;) fn.insertBefore(fn.entry.insts[0], 'IADD R1, R0, 1');"),
      /makes more than \d+ instructions|did not end/,
    ],
    ["the network", run("fetch('http://example.org/');"), /fetch is not a function/],
    ["the network by another way", run("new XMLHttpRequest();"), /XMLHttpRequest is not defined/],
    ["scripts", run("importScripts('http://example.org/x.js');"), /importScripts is not a function/],
    ["the process", run("process.exit(3);"), /process is not defined/],
    ["the process by a constructor", run("fn.constructor.constructor('return process')().exit(3);"), /process is not defined/],
    [
      "the process by an error",
      run("try { null.x } catch (e) { e.constructor.constructor('return process')().exit(3); }"),
      /process is not defined/,
    ],
    ["files", run("require('fs').readFileSync('/etc/passwd');"), /imports "oriscope\/pass" and nothing else/],
    ["files by an import", `import { readFileSync } from "node:fs";\n${run("readFileSync('/etc/passwd')")}`, /nothing else, not "node:fs"/],
    ["chance", run("if (Math.random() > 2) fn.name;"), /There is no chance in a pass/],
    ["the clock", run("new Date();"), /Date is not a constructor/],
    ["an async pass", run("", "").replace("run(fn, ctx)", "async run(fn, ctx)"), /is not async/],
    ["a removed instruction", run("const i = fn.entry.insts[0]; fn.remove(i); fn.remove(i);"), /The instruction was removed/],
    ["wrong types: nothing", run("fn.remove(null);"), /null is no instruction/],
    ["wrong types: a number", run("fn.append(fn.entry, 42);"), /An instruction is a line of text/],
    ["wrong types: an object with names", run("fn.remove({ id: 0, toString() { throw 1; } });"), /is no instruction/],
    ["no such instruction", run("fn.append(fn.entry, 'IAD R1, R0, 1');"), /IAD/],
    ["a register from nowhere", run("fn.append(fn.entry, 'MOV R99, 1');"), /R99 is no register of k/],
    ["code after a branch", run("fn.insertAfter(fn.entry.insts[1], 'MOV R1, 1');"), /Nothing stands after a branch/],
    [
      "something thrown that cannot be read",
      run("throw { get message() { throw 1; }, toString() { throw 2; } };"),
      /^line 4: The pass threw/,
    ],
    ["no pass", "export const x = 1;", /The file has no pass/],
    ["no TypeScript", "export default definePass({", /Unexpected token|end of/],
  ])("%s", async (_, source, message) => {
    expect(await ask(source, child)).toMatch(message);
    // The next pass is none the worse for it.
    expect(await ask(run("ctx.why('looked');"), child)).toBe("fine: looked");
  });

  it("tricks with prototypes stay where they are", async () => {
    const tricks = run(
      `Object.prototype.ended = "time"; Object.prototype.toJSON = () => "x"; Array.prototype.push = () => { throw 1; };
       Map.prototype.get = () => undefined; String.prototype.replace = () => "y"; JSON.stringify = () => "z"; JSON.parse = () => 1;`,
    );
    expect(typeof (await ask(tricks, child))).toBe("string");
    expect(({} as Record<string, unknown>).ended).toBeUndefined();
    expect([1].length).toBe(1);
    child.end();
    expect(await ask(run("ctx.why('looked');"), child)).toBe("fine: looked");
  });
});
