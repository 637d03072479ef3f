/** Passes of one's own in the page's sandbox: what a stranger's code tries costs a message, and the next pass is none the worse for it. */
import { readdirSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { compilePass } from "../src/ownpass/compile.ts";
import { readAnswer } from "../src/ownpass/requests.ts";
import { openPage } from "./page.ts";

test.describe.configure({ timeout: 180_000 });

const pass = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "hostile", run(fn, ctx) {\n${body}\n} });`;
/** The realm itself, which the code has no name for. */
const REALM = 'const realm = ctx.step.constructor("return globalThis")();';
const OUTSIDE = [
  ..."postMessage addEventListener dispatchEvent onmessage importScripts fetch XMLHttpRequest WebSocket EventSource".split(" "),
  ..."BroadcastChannel MessageChannel Worker indexedDB caches localStorage navigator location parent top document".split(" "),
  ..."setTimeout queueMicrotask URL Blob structuredClone WebAssembly SharedArrayBuffer Atomics Date performance crypto".split(" "),
];
const FINE = pass("ctx.why('looked');");

const HOSTILE: readonly (readonly [what: string, source: string, says: RegExp])[] = [
  ["an endless loop", pass("for (;;) ;"), /^line 4: The pass did not end within 400 ms/],
  ["a loop when the file is loaded", pass("", "while (true) {}"), /^line 2: The pass did not end/],
  ["a loop in one expression", pass("/^(a+)+$/.test('a'.repeat(60) + 'b');"), /did not end within 400 ms/],
  ["endless recursion", pass("const f = () => f() + 1; f();"), /calls itself too deeply|did not end/],
  ["endless promises", pass("const again = () => Promise.resolve().then(again); again();"), /did not end within 400 ms|^fine/],
  [
    "four gigabytes",
    pass("const all = []; for (let i = 0; i < 64; i++) all.push(new Uint8Array(64 * 2 ** 20).fill(1));"),
    /did not end|allocation|memory/i,
  ],
  ["a giant trace", pass("for (;;) ctx.step('x'.repeat(100000));"), /more than \d+ characters|did not end/],
  ["endless messages", pass(`${REALM} for (;;) realm.postMessage('x');`), /postMessage is not a function/],
  [
    "ways out of the realm",
    pass(`${REALM} ctx.why(${JSON.stringify(OUTSIDE)}.filter((name) => realm[name] !== undefined).join());`),
    /^fine: $/,
  ],
  ["the network", pass("fetch('/stolen');"), /fetch is not a function/],
  ["a script from elsewhere", pass("import('/stolen.js');"), /^fine/],
  ["scripts", pass("importScripts('/stolen.js');"), /importScripts is not a function/],
  [
    "tricks with prototypes",
    pass('Object.prototype.toJSON = () => "x"; Array.prototype.push = () => { throw 1; }; JSON.stringify = () => "z";'),
    /not what was asked for|^fine|^line/,
  ],
  ["wrong types", pass("fn.remove({ id: 0, toString() { throw 1; } });"), /is no instruction/],
  // What the command line's process is tried with, too (src/cli/ownpass/hostile.test.ts).
  ["an endless loop that catches everything", pass("for (;;) { try { for (;;) ; } catch {} }"), /did not end within 400 ms/],
  ["a long loop in a library", pass("[].concat(Array.from({ length: 1e9 }, (_, i) => i * i));"), /did not end|memory|Invalid array length/],
  ["arrays without end", pass("const all = []; for (;;) all.push(new Array(1e5).fill(all.length));"), /did not end|memory/],
  [
    "tables without end",
    pass("const t = ctx.table('t'); for (let i = 0; ; i++) t.set(i, Array.from({ length: 1000 }, (_, j) => j));"),
    /more than \d+ (?:characters|steps)|did not end/,
  ],
  [
    "instructions without end",
    pass("for (;;) fn.insertBefore(fn.entry.insts[0], 'IADD R1, R0, 1');"),
    /makes more than \d+ instructions|did not end/,
  ],
  ["another road to the network", pass("new XMLHttpRequest();"), /XMLHttpRequest is not defined/],
  ["a process", pass("process.exit(3);"), /process is not defined/],
  ["a process by a constructor", pass("fn.constructor.constructor('return process')().exit(3);"), /process is not defined/],
  [
    "the realm by an error",
    pass("try { null.x } catch (e) { e.constructor.constructor('return document')(); }"),
    /document is not defined/,
  ],
  ["files", pass("require('fs');"), /imports "oriscope\/pass" and nothing else/],
  ["files by an import", `import { readFileSync } from "node:fs";\n${pass("readFileSync('/etc/passwd')")}`, /nothing else, not "node:fs"/],
  ["chance", pass("if (Math.random() > 2) fn.name;"), /There is no chance in a pass/],
  ["the clock", pass("new Date();"), /Date is not a constructor/],
  ["an async pass", pass("").replace("run(fn, ctx)", "async run(fn, ctx)"), /is not async/],
  ["a removed instruction", pass("const i = fn.entry.insts[0]; fn.remove(i); fn.remove(i);"), /The instruction was removed/],
  ["nothing as an instruction", pass("fn.remove(null);"), /null is no instruction/],
  ["a number as an instruction", pass("fn.append(fn.entry, 42);"), /An instruction is a line of text/],
  ["no such instruction", pass("fn.append(fn.entry, 'IAD R1, R0, 1');"), /IAD/],
  ["a register from nowhere", pass("fn.append(fn.entry, 'MOV R99, 1');"), /R99 is no register of k/],
  ["code after a branch", pass("fn.insertAfter(fn.entry.insts[1], 'MOV R1, 1');"), /Nothing stands after a branch/],
  [
    "something thrown that cannot be read",
    pass("throw { get message() { throw 1; }, toString() { throw 2; } };"),
    /^line 4: The pass threw/,
  ],
  ["no pass", "export const x = 1;", /The file has no pass/],
  ["no TypeScript", "export default definePass({", /Unexpected token|end of/],
];

interface Asked {
  readonly says: string;
  /** Turns of the page's thread while the code had the question. */
  readonly turns: number;
}

async function ask(page: Page, module: string, source: string): Promise<Asked> {
  const compiled = compilePass(source);
  if (!compiled.ok) return { says: compiled.problem.message, turns: 1 };
  const program = { text: ".kernel k(a: R0)\nA:\n    MOV     R1, R0\n    EXIT\n", nextReg: [8, 8, 8, 8, 8, 8, 8, 8] };
  const options = { source: [], skips: [], fuel: null, record: true, lines: 100, twice: false };
  const request = { ask: "run", code: compiled.code, ms: 400, program, ...options } as const;
  const { answer, turns } = await page.evaluate(
    async ([address, wanted]) => {
      const kept = globalThis as { sandbox?: { ask(request: unknown): Promise<unknown> } };
      // Its only function: the build gives it a short name once two chunks share it.
      const [openSandbox] = Object.values(await import(address)).filter((value) => typeof value === "function");
      kept.sandbox ??= openSandbox?.() as { ask(request: unknown): Promise<unknown> };
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const answer = await kept.sandbox.ask(wanted);
      clearInterval(timer);
      return { answer, turns };
    },
    [module, request] as const,
  );
  return { says: saidOf(answer), turns };
}

function saidOf(answer: unknown): string {
  if (typeof answer !== "string") return (answer as { readonly message: string }).message;
  const read = readAnswer("run", answer);
  if (typeof read === "string") return read;
  if ("failed" in read) return `line ${read.failed.line}: ${read.failed.message}`;
  return read.thrown === null ? `fine: ${read.why}` : `line ${read.thrown.line}: ${read.thrown.message}`;
}

test("hostile passes cost a message each, and reach nothing", async ({ page, baseURL }) => {
  const stolen: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("stolen")) stolen.push(request.url());
  });
  await openPage(page);
  const assets = readdirSync(new URL("../dist/assets/", import.meta.url));
  const file = assets.find((name) => /^sandbox-[\w-]+\.js$/.test(name)) ?? "";
  const module = new URL(`assets/${file}`, baseURL).href;
  // Nothing of it is there before a pass runs.
  await expect(page.locator("iframe")).toHaveCount(0);
  for (const [what, source, says] of HOSTILE) {
    const asked = await ask(page, module, source);
    expect(asked.says, what).toMatch(says);
    // The page answered meanwhile: the code has a thread of its own.
    if (asked.says.includes("did not end")) expect(asked.turns, what).toBeGreaterThan(0);
    expect((await ask(page, module, FINE)).says, `after ${what}`).toBe("fine: looked");
  }
  expect(stolen).toEqual([]);
  await expect(page.locator("iframe")).toHaveCount(1);
  // The sandbox has an origin of its own; the frame around it runs nothing of a stranger's.
  await expect(page.frameLocator("iframe").locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  expect(await page.frameLocator("iframe").locator("iframe").count()).toBe(1);
  const origins = await Promise.all(page.frames().map((frame) => frame.evaluate(() => self.origin)));
  expect(origins).toEqual([new URL(baseURL ?? "").origin, new URL(baseURL ?? "").origin, "null"]);
  await expect(page.getByTestId("phase")).toBeVisible();
});
