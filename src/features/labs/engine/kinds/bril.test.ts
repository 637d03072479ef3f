/** Every kind of task on programs in Bril: one thread prints, called functions are included, and answers may be in Bril, too. */

import { describe, expect, it } from "vitest";
import { jsonOf } from "../../../bril/engine/testing/held.ts";
import { boxRunner } from "../../../ownpass/box/runner.ts";
import { templateSource } from "../../../ownpass/engine/check/testing/subject.ts";
import { Grader } from "../grade.ts";
import { judgeTask, type TaskResult } from "../judge.ts";
import { readLab } from "../read/read-lab.ts";
import { Stage } from "../stage.ts";
import { fence, goodLab, HEAD, task } from "../testing/small-lab.ts";
import { Context } from "./kind.ts";
import { KINDS, kindOf } from "./kinds.ts";

/** The leader of `z` is overwritten; nothing reads `spare`; both ways lead to `end`. */
const PROGRAM = `@main(a: int, b: int) {
  one: int = const 1;
  spare: int = const 7;
  y: int = add a b;
  print y;
  y: int = sub y one;
  z: int = add a b;
  less: bool = lt a b;
  br less .yes .end;
.yes:
  z: int = mul z y;
.end:
  print z y;
}
`;

function taskOn(
  yaml: string,
  program: string,
): { readonly stage: Stage; readonly only: NonNullable<ReturnType<typeof goodLab>["tasks"][0]> } {
  const lab = goodLab(fence("bril {name=p}", program) + task("t", `ask: x\nprogram: p\n${yaml}`));
  const [only] = lab.tasks;
  if (only === undefined) throw new Error("no task");
  return { stage: new Stage(lab, 0), only };
}

const judge = (yaml: string, answer: unknown, program = PROGRAM): TaskResult => {
  const { stage, only } = taskOn(yaml, program);
  return judgeTask(stage, only, answer, 0, 0);
};
const of = (yaml: string, answer: unknown, program?: string): string => {
  const { status, points, reason } = judge(yaml, answer, program);
  return `${status} ${points}${reason === "" ? "" : `: ${reason}`}`;
};

const GVN = "plan: { phases: [49] }";
const SOLVED: readonly (readonly [kind: string, yaml: string, wrong: unknown])[] = [
  ["mark", "what: rpo", { numbers: { BB0: 2, yes: 1, end: 3 } }],
  ["mark", "what: live-in\nblock: end", { registers: [] }],
  ["mark", "what: removed\nphase: 15", { blocks: ["yes"] }],
  ["predict", `at: { phase: 49, when: "kind = match and verdict = no", nth: 1 }\n${GVN}\nwhat: verdict`, { verdict: "yes" }],
  ["simulate", "of: rpo\nmode: at-end", { moves: ["yes"] }],
  ["simulate", "of: liveness\nmode: at-end", { moves: [] }],
  ["simulate", "of: lvn\nblock: BB0\nmode: at-end", { moves: ["0", "0"] }],
  ["fill", "structure: live-in\ncells: [yes, end]", { cells: { yes: "RD99" } }],
  ["number", "of: blocks", { number: 9 }],
  ["number", "of: instructions\nat: 49:end", { number: 1 }],
  ["number", 'of: warp-instructions\ninputs: [{ args: ["a=1", "b=2"] }]', { number: 1 }],
  ["number", 'of: stores\nat: 49:end\ninputs: [{ args: ["a=1", "b=2"] }]', { number: 0 }],
  ["find-wrong", `find: rewrite\ndrop: 49:value-overwritten\n${GVN}`, { rewrite: "49#9" }],
  ["find-wrong", `find: condition\ndrop: 49:value-overwritten\n${GVN}`, { condition: "49:leader-dominates" }],
];

describe("on a program in Bril", () => {
  it.each(SOLVED)("%s is solved by the engine, and tells a wrong answer: %s", (kind, yaml, wrong) => {
    const { stage, only } = taskOn(`kind: ${kind}\n${yaml}`, PROGRAM);
    const solution = kindOf(kind)!.solve(only.spec, new Context(stage, only, 0));
    expect(judgeTask(stage, only, solution, 0, 0), JSON.stringify(solution)).toMatchObject({ status: "right", points: 2 });
    const { status, points } = judgeTask(stage, only, wrong, 0, 0);
    expect(status).toMatch(/^(?:wrong|partly)$/);
    expect(points).toBeLessThan(2);
  });

  it("counts what one thread executes and stores", () => {
    // Two records: a head, a value and the count; a head, two values and the count.
    expect(of('kind: number\nof: stores\ninputs: [{ args: ["a=1", "b=2"] }]', { number: 7 })).toBe("right 2");
    expect(of("kind: number\nof: stores\nat: 49:end", { number: 7 * 8 })).toBe("right 2");
  });

  it("find-wrong takes an input, for one thread unless it says more", () => {
    const yaml = `kind: find-wrong\nfind: input\ndrop: 49:value-overwritten\n${GVN}`;
    expect(of(yaml, { input: { args: ["a=5", "b=2"] } })).toBe("right 2");
    const harmless = PROGRAM.replace("one: int = const 1", "one: int = const 0");
    expect(of(yaml, { input: { args: ["a=5", "b=2"] } }, harmless)).toMatch(/^wrong 0: both programs behave the same/);
  });

  it("tests may be in Bril", () => {
    const yaml = `kind: tests\nagainst: ["49:value-overwritten"]\nmost: 2\n${GVN}`;
    expect(of(yaml, { tests: [{ ori: PROGRAM }] })).toBe("right 2");
    expect(of(yaml, { tests: [{ ori: jsonOf(PROGRAM) }] })).toBe("right 2");
    expect(of(yaml, { tests: [{ ori: "@main {\n}\n" }] })).toMatch(/^wrong 0: 0 of 1 broken phases/);
    expect(of(yaml, { tests: [{ ori: "@main {\n  x: int = add;\n}\n" }] })).toMatch(/test 1 does not count: /);
  });

  it("edit takes Bril, and Ori, and says where it is wrong", () => {
    const yaml = "kind: edit\nwant: [{ of: instructions, at-most: 11 }]\nsame-as: p\nmost-lines: 1";
    const shorter = PROGRAM.replace("  spare: int = const 7;\n", "");
    expect(of(yaml, { ori: PROGRAM })).toMatch(/^wrong 0: instructions: 1[2-9], at most 11 are wanted/);
    const { ori } = taskOn("kind: mark\nwhat: rpo", PROGRAM).stage.program("p");
    const least =
      ori
        .slice(0, ori.indexOf(".func"))
        .split("\n")
        .filter((line) => /^ {4}|^@/.test(line)).length - 1;
    const fitting = yaml.replaceAll("11", String(least));
    expect(of(fitting, { ori: shorter })).toBe("right 2");
    expect(of(fitting, { ori: ori.replace(/.*MOV .*, 7\n/, "") })).toBe("right 2");
    // What is printed differs, which more threads than one would not show.
    expect(of(fitting, { ori: shorter.replace("print z y", "print y z") })).toMatch(/^wrong 0: (?:the meaning differs|\d+ lines)/);
    expect(of(fitting.replace("\nmost-lines: 1", ""), { ori: shorter.replace("print z y", "print y z") })).toMatch(
      /^wrong 0: the meaning differs/,
    );
    expect(of(fitting, { ori: shorter.replace(".yes .end", ".yes .nowhere") })).toMatch(
      /^wrong 0: the program has errors: line 8: .*nowhere/,
    );
  });

  it("edit asks a phase for a rewrite", () => {
    const yaml = "kind: edit\nphase: 49\nmust: fires\nalone: true\nsame-as: p";
    const fires = PROGRAM.replace("  print z y;", "  w: int = add one one;\n  v: int = add one one;\n  print z y;");
    expect(of(yaml, { ori: fires })).toBe("right 2");
    expect(of(yaml, { ori: PROGRAM })).toMatch(/^wrong 0: .* changed nothing/);
  });

  it("reach runs a plan, and judges figures of what it leaves", () => {
    const yaml =
      'kind: reach\nmeasure: warp-instructions\nat-most: 1\nfull: 1\nzero: 1000\nallow: [phases]\ninputs: [{ args: ["a=1", "b=2"] }]';
    expect(of(yaml, { plan: { phases: ["16"] } })).toMatch(/^partly 1\.\d+: 29 warp-instructions/);
    const dead = "kind: reach\nmeasure: instructions\nat-most: 11\nallow: [phases]\nplan: { phases: [6] }";
    const { reason } = judge(dead, { plan: { phases: ["6"] } });
    const before = Number(/^(\d+) instructions/.exec(reason)?.[1]);
    expect(of(dead.replace("11", String(before - 1)), { plan: { phases: ["16"] } })).toBe("right 2");
  });

  it("order puts lines of Bril in order, and phases that work on them", () => {
    const frame = `kind: order\njudge: checker\nlines: ["x: int = add a a;", "print x;"]\nframe: |\n  @main(a: int) {\n  {lines}\n  }`;
    expect(of(frame, { order: [0, 1] })).toBe("right 2");
    expect(of(frame, { order: [1, 0] })).toMatch(/^(?:partly|wrong)/);
    const phases = "kind: order\njudge: smallest\nlines: [16, 49]\nmeasure: registers";
    expect(of(phases, { order: [0, 1] })).toMatch(/^error 2: .*every order of these phases leaves \d+ registers/);
  });

  it("write judges a pass by what it prints", async () => {
    const body =
      fence("bril {name=p}", PROGRAM) +
      task(
        "w",
        'kind: write\nask: x\ncount: 2\nmust: [{ program: p, measure: warp-instructions, at-most: 29, inputs: [{ args: ["a=1", "b=2"] }] }]',
        4,
      );
    const graded = async (source: string): Promise<TaskResult | undefined> => {
      const grader = new Grader(goodLab(body), { voided: new Set(), accept: new Set(), engine: "9.9.9" });
      const handIn = JSON.stringify({ format: "oriscope-hand-in", lab: { id: "small", version: 1 }, answers: { w: { pass: source } } });
      await grader.tryCode(handIn, { runner: boxRunner(), seed: null });
      return grader.grade("a", handIn).tasks[0];
    };
    const own = (run: string): string =>
      `import { definePass } from "oriscope/pass";\nexport default definePass({ name: "mine", run(fn) { ${run} } });`;
    const idle = await graded(own(""));
    expect(idle).toMatchObject({
      status: "wrong",
      reason: "the pass changed none of the 5 programs that it was tried on; p: 30 warp-instructions, at most 29 are wanted",
    });
    expect(await graded(templateSource("dead-code"))).toMatchObject({ status: "right" });
    // A pass that leaves a print out is found out.
    const silent = "for (const b of fn.blocks) for (const i of [...b.insts]) if (i.op === 'CALL') { fn.remove(i); return; }";
    expect(await graded(own(silent))).toMatchObject({ status: "wrong", points: 0, reason: expect.stringContaining("on p") as string });
  });

  it("ordinary questions may stand beside it", () => {
    expect(of("kind: choice\noptions: [{ text: a, right: true }, { text: b, because: No b. }]", { choose: [0] })).toBe("right 2");
    expect(judge("kind: text\nleast: 1", { text: "so" })).toMatchObject({ status: "by-hand" });
  });

  it("no kind is left out above", () => {
    const tried = new Set([...SOLVED.map(([kind]) => kind), "order", "tests", "edit", "reach", "write", "choice", "text"]);
    expect(KINDS.map((kind) => kind.name).filter((name) => !tried.has(name))).toEqual([]);
  });
});

describe("the fence", () => {
  it("holds JSON as well as text", () => {
    const asJson = jsonOf(PROGRAM);
    for (const info of ["bril {name=p}", "program {name=p}"]) {
      const lab = goodLab(fence(info, asJson) + task("t", "kind: number\nask: x\nprogram: p\nof: blocks"));
      expect(new Stage(lab, 0).program("p")).toMatchObject({ format: "bril", kernel: "main" });
    }
  });

  it("says what is wrong, at its place in the lab's file", () => {
    const wrong = PROGRAM.replace(".yes .end", ".yes .nowhere");
    const { diagnostics } = readLab(HEAD + fence("bril {name=p}", wrong));
    const line = (HEAD + fence("bril {name=p}", wrong)).split("\n").findIndex((text) => text.includes(".nowhere")) + 1;
    expect(diagnostics).toMatchObject([
      { line, severity: "error", code: expect.stringMatching(/^BRIL/) as string, message: expect.stringContaining("nowhere") as string },
    ]);
  });
});
