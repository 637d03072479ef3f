import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../api/defaults.ts";
import { EngineSession } from "../api/session.ts";
import { watchProblem } from "./parse.ts";

/** The first test of P0 decides both branches: a phase removes the second, and blocks with it. */
const PROGRAM = `.kernel k(n: R0, out: RD2)
A:
    ISETP.EQ P0, R0, 0
@P0 BRA C
B:
    IADD    R4, R0, 1
    IADD    R5, R0, 1
    STG     [RD2], R4
    STG     [RD2+4], R5
    BRA     D
C:
    STG     [RD2], RZ
D:
    EXIT
`;

function opened(): EngineSession {
  const session = new EngineSession();
  session.open(1, PROGRAM, "ori");
  session.run(1, "k", DEFAULT_PIPELINE);
  return session;
}

function hitsOf(session: EngineSession, text: string, run: number | null = null) {
  const report = session.watch(text, run);
  if (typeof report === "string") throw new Error(report);
  return report.hits;
}

describe("watching the state", () => {
  const session = opened();
  const { phases } = session.run(1, "k", DEFAULT_PIPELINE);
  const gvn = phases.findIndex((p) => p.id === "gvn-cse");

  it("stops where a condition becomes true, and nowhere else: against every state of every phase", () => {
    for (const phase of phases.filter((p) => p.ran)) {
      const info = session.trace(phase.run);
      if (info === null) throw new Error(phase.id);
      const wanted: number[] = [];
      let before = false;
      for (let step = -1; step < info.steps; step++) {
        const { blocks } = session.view(phase.run, step, null);
        const count = blocks.reduce((n, b) => n + b.insts.length, 0);
        const now = count < 9 && blocks.some((b) => b.label === "B");
        if (now && !before) wanted.push(step);
        before = now;
      }
      expect(
        hitsOf(session, "instructions < 9 and block(B)", phase.run).map((h) => h.step),
        phase.id,
      ).toEqual(wanted);
    }
  });

  it("goes on from phase to phase: what stays true is found once", () => {
    expect(hitsOf(session, "blocks >= 1")).toMatchObject([{ step: -1 }]);
    const all = hitsOf(session, "not edge(A, C)");
    expect(all.length).toBeLessThan(2);
  });

  it("changes and becomes hold at the step of the change alone", () => {
    const changes = hitsOf(session, "changes(uses(R5))");
    expect(changes.length).toBeGreaterThan(0);
    for (const { run, step } of changes) {
      const uses = (at: number) => session.view(run, at, null).blocks.flatMap((b) => b.insts.filter((i) => /, R5\b/.test(i.text))).length;
      expect(uses(step)).not.toBe(uses(step - 1));
    }
    expect(hitsOf(session, "becomes(uses(R5) = 0)")).toEqual(hitsOf(session, "uses(R5) = 0"));
  });

  it("an instruction can be followed by its number: its text, and whether it is there", () => {
    const first = session.view(0, -1, null);
    const insts = first.blocks.flatMap((b) => b.insts);
    const textAt = (run: number, step: number, id: number) =>
      session
        .view(run, step, null)
        .blocks.flatMap((b) => b.insts)
        .find((i) => i.id === id)?.text ?? null;
    let changed = 0;
    for (const { id } of insts) {
      for (const { run, step } of hitsOf(session, `changes(text(${id}))`)) {
        expect(textAt(run, step, id)).not.toBe(textAt(run, step - 1, id));
        changed++;
      }
      for (const { run, step } of hitsOf(session, `becomes(not inst(${id}))`)) expect(textAt(run, step, id)).toBeNull();
    }
    expect(changed).toBeGreaterThan(0);
  });

  it("liveness and structures can be asked for", () => {
    expect(hitsOf(session, "live(R0, B)", gvn)).toMatchObject([{ step: -1 }]);
    expect(hitsOf(session, "live(R4, B)", gvn)).toEqual([]);
    const structure = session.trace(gvn)?.structures[0]?.name ?? "";
    expect(hitsOf(session, `entries(${structure}) > 0`, gvn).length).toBeGreaterThan(0);
  });

  it("is a breakpoint like the others", () => {
    const run = hitsOf(session, "changes(instructions)")[0]?.run ?? -1;
    const steps = hitsOf(session, "changes(instructions)", run).map((h) => h.step);
    expect(steps.length).toBeGreaterThan(0);
    expect([...session.breakpointTicks(run, [{ kind: "watch", text: "changes(instructions)" }])]).toEqual(steps);
    expect(session.find(run, -1, 1, { kind: "breakpoint" }, [{ kind: "watch", text: "changes(instructions)" }])).toBe(steps[0] ?? null);
  });

  it("completes names, labels and registers", () => {
    expect(session.checkWatch("instr").completions).toEqual(["instructions"]);
    expect(session.checkWatch("blocks < 5 and e").completions).toEqual([
      "blocks < 5 and edges",
      "blocks < 5 and edge(",
      "blocks < 5 and entries(",
    ]);
    expect(session.checkWatch("edge(A, ").completions).toEqual(["edge(A, A", "edge(A, B", "edge(A, C", "edge(A, D"]);
    expect(session.checkWatch("edge(A, B)").completions).toEqual([]);
    expect(session.checkWatch("edge(A, B) ").completions).toEqual(["edge(A, B) and ", "edge(A, B) or "]);
    expect(session.checkWatch("live(R4").problem).toContain("expected ','");
  });
});

describe("a condition that cannot be read", () => {
  it.each([
    ["blocks", "column 1: this is a number: compare it, or use changes(…)"],
    ["blocks <", "column 9: expected a condition such as blocks < 5"],
    ["edge(A)", "column 7: edge takes 2 arguments: expected ','"],
    ["live(BB0, BB1)", "column 6: 'BB0' is not a register"],
    ["bloks < 5", "column 1: there is no 'bloks'; did you mean 'blocks'?"],
    ["block(A) < 5", "column 1: this is true or false: it cannot be compared with a number"],
    ["blocks < 5 blocks", "column 12: expected 'and', 'or' or the end, not 'blocks'"],
    ["becomes(blocks)", "column 9: this is a number: compare it, or use changes(…)"],
    ["text(3)", "column 1: this is a text: use changes(…)"],
    ["text(3) = 4", "column 1: this is a text: it cannot be compared with a number"],
    ["inst(R3)", "column 6: 'R3' is not the number of an instruction"],
    ["blocks ; 5", "column 8: ';' has no meaning in a condition"],
    [`${"(".repeat(60)}blocks < 1`, "column 41: more than 40 levels inside one another"],
  ])("%s", (text, problem) => {
    expect(watchProblem(text)).toBe(problem);
  });
});
