/** The box: the effect of each hostile pass, that the next one finds no trace of it, and that limits are counts. */

import { describe, expect, it } from "vitest";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { compilePass } from "../engine/check/compile.ts";
import { MOST_ANSWER, type PassRequest, readAnswer } from "../engine/check/requests.ts";
import { HARMLESS, HARMLESS_SAYS, HOSTILE, HOSTILE_PROGRAM } from "../engine/check/testing/hostile.ts";
import { passPrograms } from "../engine/programs.ts";
import { Box } from "./box.ts";

/** A third of the hostile passes, a different third on every commit. */
const SAMPLE = freshSeed() % 3;
const LIMITS = { steps: 5_000_000, together: 12_000_000, memory: 48 * 1024 * 1024 };
const found = passPrograms(HOSTILE_PROGRAM);
if (typeof found === "string") throw new Error(found);
const { program } = found[0]!;

const requestOf = (code: string): PassRequest => ({
  ask: "run",
  code,
  program,
  source: [],
  skips: [],
  fuel: null,
  record: true,
  lines: 0,
  twice: false,
});

const at = (line: number, message: string): string => (line > 0 ? `line ${line}: ${message}` : message);

/** The box's report about a source, as every caller reads it. */
function said(source: string, box: Box): string {
  const compiled = compilePass(source);
  if (!compiled.ok) return compiled.problem.message;
  const answer = box.ask(requestOf(compiled.code));
  if (typeof answer !== "string") {
    expect(["crash", "stopped"]).not.toContain(answer.ended);
    return at(answer.line ?? 0, answer.message);
  }
  const read = readAnswer("run", answer);
  if (typeof read === "string") return read;
  if ("failed" in read) return at(read.failed.line, read.failed.message);
  return read.thrown === null ? `fine: ${read.why}` : at(read.thrown.line, read.thrown.message);
}

describe("the box", { timeout: 600_000 }, () => {
  it(`takes hostile passes, each third from ${SAMPLE}: each costs a message, and the next pass is none the worse for it`, async () => {
    const box = await Box.open(LIMITS);
    const wrong: string[] = [];
    for (const { what, source, says } of HOSTILE.filter((_, i) => i % 3 === SAMPLE)) {
      const message = said(source, box);
      if (!says.test(message)) wrong.push(`${what}: ${message}`);
      const next = said(HARMLESS, box);
      if (next !== HARMLESS_SAYS) wrong.push(`after ${what}: ${next}`);
    }
    expect(wrong).toEqual([]);
    expect(({} as Record<string, unknown>).ended).toBeUndefined();
  });

  it("takes as many steps for a program that it has read before, and says the same", async () => {
    const compiled = compilePass(HARMLESS);
    if (!compiled.ok) throw new Error(compiled.problem.message);
    const box = await Box.open(LIMITS);
    const answers = Array.from({ length: 4 }, () => [box.ask(requestOf(compiled.code)), box.spent]);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const other = { ...program, text: program.text.replace("R0, 1", "R0, 77") };
    expect(box.ask({ ...requestOf(compiled.code), program: other } as PassRequest)).toContain("R0, 77");
  });

  it("ends a pass after a number of steps, at the same place each time, in another box, too", async () => {
    const boxes = [await Box.open(LIMITS), await Box.open(LIMITS)];
    const compiled = compilePass(HOSTILE.find(({ what }) => what === "an endless loop that catches everything")!.source);
    if (!compiled.ok) throw new Error(compiled.problem.message);
    const counts = new Set<string>();
    // It reports its progress: the smallest number of steps with which a count ends is the same each time.
    const counting = compilePass(
      'import { definePass } from "oriscope/pass";\nexport default definePass({ name: "x", run(fn, ctx) { let n = 0; while (n < 100000) n++; ctx.why(String(n)); } });',
    );
    if (!counting.ok) throw new Error(counting.problem.message);
    for (let i = 0; i < 20; i++) {
      const box = boxes[i % 2]!;
      if (i % 5 === 0) box.ask(requestOf(compiled.code));
      counts.add(`${JSON.stringify(box.ask(requestOf(counting.code)))} ${box.spent}`);
    }
    expect(counts.size).toBe(1);
  });

  it("ends a pass when the requests of one task have used its steps, and starts the next task at zero", async () => {
    const box = await Box.open(LIMITS);
    const compiled = compilePass(
      'import { definePass } from "oriscope/pass";\nexport default definePass({ name: "x", run() { for (let n = 0; n < 100000; n++); } });',
    );
    if (!compiled.ok) throw new Error(compiled.problem.message);
    const ask = (together: boolean) => box.ask({ ...requestOf(compiled.code), together });
    const begin = () => box.ask({ ask: "describe", code: compiled.code, together: true });
    const ends = (answers: readonly unknown[]) => answers.findIndex((answer) => typeof answer !== "string");
    begin();
    const answers = Array.from({ length: 12 }, () => ask(true));
    expect(ends(answers)).toBeGreaterThan(2);
    expect(answers.at(-1)).toMatchObject({
      ended: "steps",
      message: "The pass took more than 12 million steps on all programs together.",
    });
    expect(ends([ask(false)])).toBe(-1);
    begin();
    expect(ends(Array.from({ length: 12 }, () => ask(true)))).toBe(ends(answers));
  });

  it.each(["x", "é"])("says that an answer of many %j is too long", async (character) => {
    const compiled = compilePass(`import { definePass, test } from "oriscope/pass";
test("long", "${character}".repeat(${MOST_ANSWER.describe - 10}), {});
export default definePass({ name: "x", run() {} });`);
    if (!compiled.ok) throw new Error(compiled.problem.message);
    expect((await Box.open(LIMITS)).ask({ ask: "describe", code: compiled.code })).toMatchObject({ ended: "size" });
  });

  it("keeps nothing from one request to the next", async () => {
    const box = await Box.open(LIMITS);
    const source = `import { definePass } from "oriscope/pass";
Object.prototype.n = (Object.prototype.n ?? 0) + 1;
globalThis.m = (globalThis.m ?? 0) + 1;
export default definePass({ name: "x", run(fn, ctx) { ctx.why([({}).n, globalThis.m, typeof request, typeof oriscopeGuest].join()); } });`;
    for (let i = 0; i < 3; i++) expect(said(source, box)).toBe("fine: 1,1,undefined,undefined");
  });

  it("lets nobody ask for a forbidden analysis, whatever they change first", async () => {
    const box = await Box.open(LIMITS);
    const tricks = [
      "const has = Set.prototype.has; Set.prototype.has = function (k) { return k === 'dominators' ? false : has.call(this, k); };",
      "Array.prototype[Symbol.iterator] = function* () {};",
      "Object.defineProperty(Object.prototype, 'dominators', { get: () => false, set() {} });",
      "Object.create = Object.freeze = () => ({}); Object.prototype.hasOwnProperty = () => false; Object.hasOwn = () => false;",
      "Array.prototype.includes = Array.prototype.indexOf = () => -1; Array.prototype.some = () => false;",
      "Error = class { }; Object.setPrototypeOf(Error.prototype, null);",
    ];
    for (const trick of tricks)
      for (const ask of ["fn.dominators()", "new fn.constructor(fn, []).dominators()", "fn.dominators.call(fn)"]) {
        const compiled = compilePass(
          `import { definePass } from "oriscope/pass";\n${trick}\nexport default definePass({ name: "x", run(fn, ctx) { ${ask}; ctx.why("had it"); } });`,
        );
        if (!compiled.ok) throw new Error(compiled.problem.message);
        const answer = box.ask({ ...requestOf(compiled.code), forbid: ["dominators"] });
        expect(JSON.stringify(answer), trick).not.toContain("had it");
      }
  });
});
