import { beforeAll, describe, expect, it } from "vitest";
import { Box } from "../../ownpass/box/box.ts";
import { BOX_LIMITS } from "../../ownpass/box/limits.ts";
import { boxRunner } from "../../ownpass/box/runner.ts";
import type { PassRunner } from "../../ownpass/engine/check/check.ts";
import { templateSource } from "../../ownpass/engine/check/testing/subject.ts";
import { checkLab } from "./check.ts";
import { Desk } from "./desk.ts";
import { Grader } from "./grade.ts";
import type { TaskResult } from "./judge.ts";
import { readLab } from "./read/read-lab.ts";
import { fence, goodLab, HEAD, task } from "./testing/small-lab.ts";

const DEAD = `.kernel d(n: R0, out: RD1)
BB0:
    IADD R2, R0, 1
    IADD R3, R2, 1
    STG [RD1], R0
    EXIT
`;
const MUST = "must: [{ program: p, measure: instructions, at-most: 2 }]";
const pass = (yaml: string): string => fence("ori {name=p}", DEAD) + task("w", `kind: write\nask: x\ncount: 4\n${yaml}`, 4);

const runner = boxRunner();

/** As `oriscope grade` judges it; a page that runs the same code gives the same verdict. */
async function judged(body: string, source: string): Promise<TaskResult> {
  const graded = await gradedOf(body, source);
  const desk = new Desk();
  desk.open(HEAD + body);
  const told: [number, number][] = [];
  const box = await Box.open();
  const shown = await desk.runCode(
    "w",
    0,
    0,
    { pass: source },
    0,
    async (request) => box.ask(request),
    (done, of) => told.push([done, of]),
  );
  expect(shown.result).toEqual(graded);
  // Each finding is reported, program by program.
  if (graded.status === "right") expect(told.at(-1)?.[0]).toBe(told.at(-1)?.[1]);
  // Judging alone runs nothing: in a page that takes a press.
  const idle = new Desk();
  idle.open(HEAD + body);
  expect(idle.judge("w", 0, 0, { pass: source }, 0).result).toMatchObject({ status: "by-hand", points: null });
  return graded;
}

async function gradedOf(body: string, source: string, by: PassRunner = runner): Promise<TaskResult> {
  const lab = goodLab(body);
  const grader = new Grader(lab, { voided: new Set(), accept: new Set(), engine: "9.9.9" });
  const handIn = JSON.stringify({ format: "oriscope-hand-in", lab: { id: "small", version: 1 }, answers: { w: { pass: source } } });
  await grader.tryCode(handIn, { runner: by, seed: null });
  const [result] = grader.grade("a", handIn).tasks;
  if (result === undefined) throw new Error("no task");
  return result;
}

const own = (run: string): string => `import { definePass } from "oriscope/pass";
export default definePass({ name: "mine", run(fn, ctx) { ${run} } });`;

describe("a pass of the student's own", () => {
  it("is worth its points when it holds to the laws and reaches the figures", async () => {
    expect(await judged(pass(MUST), templateSource("dead-code"))).toMatchObject({ status: "right", points: 4 });
    // A pass that does nothing breaks no law and reaches nothing.
    expect(await judged(pass(MUST), own(""))).toMatchObject({
      status: "wrong",
      reason: "the pass changed none of the 5 programs that it was tried on; p: 4 instructions, at most 2 are wanted",
    });
    const two =
      'must: [{ program: p, measure: instructions, at-most: 2 }, { program: p, measure: warp-instructions, at-most: 1, inputs: [{ threads: 1, mem: ["out=4"] }] }]';
    expect(await judged(pass(two), templateSource("dead-code"))).toMatchObject({ status: "partly", points: 2 });
  });

  it.each([
    [
      "meaning",
      own("for (const b of fn.blocks) for (const i of [...b.insts]) if (i.op === 'STG') fn.remove(i);"),
      /^on p: byte 0x0 of out/,
    ],
    ["throws", own("\nthrow new Error('oh');"), /line 3: oh/],
    ["does not compile", "export default (", /line 1/],
    ["does not load", "export default 1;", /no pass/],
    ["another kind", templateSource("liveness"), /this defines an analysis, and a pass is asked for/],
    ["throws", templateSource("licm"), /forbids (?:loops|dominators|orders)/],
  ])("is worth nothing: %s", async (theory, source, reason) => {
    const result = await judged(pass(`${MUST}\nforbid: [loops, dominators, orders]`), source);
    expect(result).toMatchObject({ status: "wrong", points: 0, theory });
    expect(result.reason).toMatch(reason);
  });

  it("is worth nothing when it takes too many steps on all programs together, however few on each", async () => {
    const by = boxRunner({ ...BOX_LIMITS, steps: 5_000_000, together: 8_000_000 });
    const result = await gradedOf(pass(MUST), own("for (let n = 0; n < 100000; n++);"), by);
    expect(result).toMatchObject({ status: "wrong", points: 0, theory: "ends" });
    expect(result.reason).toContain("more than 8 million steps on all programs together");
  });

  it("is measured by the results that were checked: what its code answers when it is asked once more counts for nothing", async () => {
    const asked = new Map<string, number>();
    // After it was checked, on the program and on its own result, it empties every program.
    const waits: PassRunner = {
      async ask(request) {
        const answer = await runner.ask(request);
        const { program } = request as { readonly program?: { readonly text: string } };
        if (program === undefined || !("text" in answer)) return answer;
        const times = (asked.get(program.text) ?? 0) + 1;
        asked.set(program.text, times);
        return times <= 3 ? answer : { ...answer, text: answer.text.replace(/^(BB0:\n)[\s\S]*/m, "$1    EXIT\n"), changed: true };
      },
    };
    const grader = new Grader(goodLab(pass(MUST)), { voided: new Set(), accept: new Set(), engine: "9.9.9" });
    const handIn = JSON.stringify({ format: "oriscope-hand-in", lab: { id: "small", version: 1 }, answers: { w: { pass: own("") } } });
    await grader.tryCode(handIn, { runner: waits, seed: null });
    expect(grader.grade("a", handIn).tasks[0]).toMatchObject({ status: "wrong", points: 0 });
    expect(Math.max(...asked.values())).toBeLessThanOrEqual(3);
  });

  it("says nothing of hidden programs, not in its own words either", async () => {
    // Right on the lab's program, which has no branch, and wrong on the first that has one.
    const told = "for (const b of fn.blocks) for (const i of b.insts) ctx.why(i.text);";
    const leak = own(`${told}\nif (fn.blocks.length > 1) throw new Error(fn.blocks.map((b) => b.insts.map((i) => i.text).join()).join());`);
    const open = await judged(pass(MUST), leak);
    expect(open.reason).toMatch(/^on the random program \d+: line 3: \w+ R\d/);
    const hidden = await judged(pass(`${MUST}\nhidden: true`), leak);
    expect(hidden).toMatchObject({ status: "wrong", reason: "on one of the hidden programs: line 3: the pass threw an error" });
    // The lab's own are there to be read.
    const shown = await judged(pass(`${MUST}\nhidden: true`), own("throw new Error('oh');"));
    expect(shown.reason).toBe("on p: line 2: oh");
  });

  it("is left to a person where its code cannot be run, and where nothing ran it", async () => {
    const lab = goodLab(pass(MUST));
    const grader = new Grader(lab, { voided: new Set(), accept: new Set(), engine: "9.9.9" });
    const handIn = JSON.stringify({ format: "oriscope-hand-in", lab: { id: "small", version: 1 }, answers: { w: { pass: own("") } } });
    expect(grader.grade("a", handIn).tasks[0]).toMatchObject({ status: "by-hand", points: null });
    const dead = { ask: () => Promise.resolve({ ended: "crash", message: "The pass could not be run." } as const) };
    const other = new Grader(lab, { voided: new Set(), accept: new Set(), engine: "9.9.9" });
    await other.tryCode(handIn, { runner: dead, seed: null });
    expect(other.grade("a", handIn).tasks[0]).toMatchObject({ status: "by-hand", reason: "The pass could not be run." });
  });
});

describe("an analysis of the student's own", () => {
  const body = pass("what: analysis\nof: live-in\nforbid: [liveness]");

  it("is compared with ours at every block, and credited by its sets", async () => {
    expect(await judged(body, templateSource("liveness"))).toMatchObject({ status: "right", points: 4 });
    expect(await judged(body, templateSource("dominators"))).toMatchObject({ status: "wrong", theory: "another analysis" });
    const half = templateSource("liveness").replace(
      "if (!inst.isPhi) for (const reg of inst.uses) live.add(reg);",
      "if (!inst.isPhi) for (const reg of inst.uses.slice(0, 1)) live.add(reg);",
    );
    const result = await judged(body, half);
    expect(result).toMatchObject({ status: "partly", theory: "another answer" });
    expect(result.reason).toMatch(/live-in of BB0 is \{.*\}, not \{/);
  });

  it("says nothing of hidden programs", async () => {
    const wrong = templateSource("liveness").replace("inst.uses) live.add(reg)", "inst.uses.slice(1)) live.add(reg)");
    expect((await judged(`${body.replace("\nforbid", "\nhidden: true\nforbid")}`, wrong)).reason).toBe(
      "on one of the hidden programs: live-in of a block differs",
    );
  });

  it("may not ask for what it is to compute", async () => {
    const cheat = `import { defineAnalysis } from "oriscope/pass";
export default defineAnalysis({ name: "c", of: "live-in", run(fn) { const l = fn.liveness(); return new Map(fn.blocks.map((b) => [b, l.liveIn(b)])); } });`;
    const reason = expect.stringContaining("The task forbids liveness");
    expect(await judged(body, cheat)).toMatchObject({ status: "wrong", points: 0, reason });
    expect(await judged(pass("what: analysis\nof: live-in"), cheat)).toMatchObject({ status: "right" });
  });
});

describe("the format of write", () => {
  let messages: (body: string) => string[];
  beforeAll(() => {
    messages = (body) => readLab(HEAD + body).diagnostics.map((d) => d.message);
  });

  it.each([
    ["", "must: is missing"],
    ["must: [{ program: q, measure: instructions, at-most: 2 }]", "there is no program 'q'"],
    ["what: analysis", "an analysis needs of:"],
    [`what: analysis\nof: live-in\n${MUST}`, "an analysis changes nothing"],
    [`${MUST}\nof: live-in`, "of: is for an analysis"],
  ])("says what is wrong with %s", (yaml, message) => {
    expect(messages(pass(yaml)).join("\n")).toContain(message);
  });

  it("refuses a figure that the program has already; a solution has to be worth all points", async () => {
    const idle = await checkLab(HEAD + pass("must: [{ program: p, measure: instructions, at-most: 4 }]"), { solutions: null, variants: 0 });
    expect(idle.diagnostics.map((d) => d.code)).toEqual(["LAB072"]);
    const solutions = (source: string): string =>
      JSON.stringify({ format: "oriscope-hand-in", lab: { id: "small", version: 1 }, answers: { w: { pass: source } } });
    const check = (source: string) => checkLab(HEAD + pass(MUST), { solutions: solutions(source), variants: 0, runner });
    expect((await check(templateSource("dead-code"))).tasks).toEqual([{ id: "w", kind: "write", points: 4, solved: true }]);
    const bad = await check(own(""));
    expect(bad.ok).toBe(false);
    expect(bad.diagnostics.map((d) => d.code)).toContain("LAB074");
  });
});
