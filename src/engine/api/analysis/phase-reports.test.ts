/** What the facade reports about single phases: switches, and modes of value numbering. */

import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";
import type { PipelineOptions } from "../types.ts";

const SWITCH = `.kernel k(x: R0, out: RD0)
BB0:
    ISETP.EQ P0, R0, 1
@P0 BRA     ONE
BB1:
    ISETP.EQ P0, R0, 2
@P0 BRA     TWO
BB2:
    ISETP.EQ P0, R0, 9
@P0 BRA     ONE
BB3:
    MOV     R1, 7
    BRA     END
ONE:
    MOV     R1, 8
    BRA     END
TWO:
    MOV     R1, 9
END:
    STG     [RD0], R1
    EXIT
`;

const GVN = `.kernel k(a: R0, b: R1, out: RD0)
BB0:
    IADD    R2, R0, R1
    IADD    R3, R0, R1
    ISETP.LT P0, R0, R1
@P0 BRA     BB2
BB1:
    IADD    R2, R0, R1
    STG     [RD0], R2
BB2:
    IADD    R4, R0, R1
    IADD    R4, R4, R3
    STG     [RD0], R4
    EXIT
`;

function ran(text: string, part: Partial<PipelineOptions> = {}) {
  const session = new EngineSession();
  expect(session.open(1, text, null).diagnostics).toEqual([]);
  const result = session.run(1, "k", { ...DEFAULT_PIPELINE, ...part });
  expect(result.diagnostics).toEqual([]);
  return { session, run: (id: string) => result.phases.findIndex((p) => p.id === id) };
}

describe("switches", () => {
  const request = { block: null, distribution: { kind: "cases" } } as const;

  it("lists the chains and measures one", () => {
    const { session } = ran(SWITCH);
    const list = session.switches({ run: -1, step: null }, request);
    expect(list.switches).toEqual([{ head: list.head, label: "BB0", cases: 3 }]);
    expect(list.report?.facts).toMatchObject({ distinct: 3, range: 9 });
    expect(list.report?.strategies.map((s) => [s.strategy, s.problem])).toEqual([
      ["cascade", null],
      ["table", null],
      ["tree", null],
    ]);
    expect(list.blocks.map(([label]) => label).sort()).toEqual(["BB0", "BB3", "ONE", "TWO"]);
    expect(structuredClone(list)).toEqual(list);
  });

  it("reads the knobs of the run, and takes any block of a chain", () => {
    const { session } = ran(SWITCH, { knobs: ["switch-cascade-max-cases=2"] });
    const second = session.text({ run: -1, step: null }).blockOfLine.find((b) => b > 0) ?? null;
    const list = session.switches({ run: -1, step: null }, { ...request, block: second });
    expect(list.report).toMatchObject({ head: "BB0", notes: { strategy: "table" } });
  });

  it("is empty where there is no chain", () => {
    expect(ran(GVN).session.switches({ run: -1, step: null }, request)).toMatchObject({ switches: [], head: null, report: null });
  });
});

describe("the life of a register", () => {
  const COPIES = `.kernel k(a: R0, out: RD0)
BB0:
    IADD    R1, R0, 4
    MOV     R2, R1
    IADD    R3, R2, R0
    STG     [RD0], R3
    EXIT
`;

  it("names its definitions and copies, and what replaced it", () => {
    const { session, run } = ran(COPIES);
    const life = session.registerLife("R2");
    expect(life.input).toMatchObject({ defs: 1, copies: 0, uses: 1 });
    const [first] = life.stages;
    expect(first?.run).toBeGreaterThanOrEqual(run("general-optimize-early"));
    expect(first?.replaced).toEqual([{ inst: 2, before: "IADD R3, R2, R0", after: "IADD R3, R1, R0", by: "R1" }]);
    expect(life.stages.at(-1)?.after).toMatchObject({ defs: 0, uses: 0 });
    expect(session.registerLife("R1").input).toMatchObject({ copies: 1, copiedBy: [{ inst: 1, text: "MOV R2, R1" }] });
    expect(structuredClone(life)).toEqual(life);
  });

  it("is empty for what is no register, and for one that nothing touches", () => {
    const { session } = ran(COPIES);
    expect(session.registerLife("BB0")).toEqual({ input: null, stages: [] });
    expect(session.registerLife("R77")).toMatchObject({ input: { defs: 0, uses: 0 }, stages: [] });
  });
});

describe("modes of value numbering", () => {
  it("says what each replaces and misses", () => {
    const { session, run } = ran(GVN, { phases: ["gvn-cse"] });
    const modes = session.gvnModes(run("gvn-cse"));
    expect(modes.map((m) => [m.asked, m.replaced.length, m.missed.length])).toEqual([
      [1, 1, 2],
      [2, 3, 0],
      [4, 3, 0],
      [5, 2, 1],
    ]);
    expect(modes.filter((m) => m.current)).toHaveLength(1);
    expect(modes[0]?.replaced[0]).toMatchObject({ label: "BB0", before: "IADD R3, R0, R1", after: "MOV R3, R2" });
    expect(modes[0]?.missed.map((m) => m.condition)).toEqual(["leader", "leader"]);
    expect(structuredClone(modes)).toEqual(modes);
  });

  it("adds the settings of the run when they are others, and is empty for other phases", () => {
    const { session, run } = ran(GVN, { policy: "measured" });
    expect(session.gvnModes(run("gvn-cse")).map((m) => [m.policy, m.current])).toEqual([
      ["notes", false],
      ["notes", false],
      ["notes", false],
      ["notes", false],
      ["measured", true],
    ]);
    expect(session.gvnModes(0)).toEqual([]);
  });
});

describe("taking PHIs out", () => {
  const PHIS = `// A comment of the file.
.kernel first(n: R0, out: RD0)
A:
@P0 BRA C
B: MOV R1, 1
C: PHI R2, [A: R0], [B: R1]
    STG     [RD0], R2
    EXIT
.kernel second(out: RD0)
BB0:
    EXIT
`;

  it("gives the text of the whole file with one kernel rewritten, and BranchFolding then runs", () => {
    const session = new EngineSession();
    session.open(1, PHIS, "ori");
    const declined = session.run(1, "first", { ...DEFAULT_PIPELINE, phases: ["branch-folding"] }).phases[0];
    expect(declined).toMatchObject({ changed: false, figures: { phis: 1 } });
    expect(declined?.reason).toContain("NoPHIs");
    const free = session.phiFree("first");
    expect(free).toMatchObject({ ok: true, phis: 1, copies: 2, blocks: 1, registers: 0 });
    expect(free?.text).toContain("// A comment of the file.");
    expect(free?.text).toContain(".kernel second");
    expect(free?.text).not.toContain("PHI");
    expect(free?.sentence).toMatch(/^1 PHI of first became 2 copies .* \(A\.to\.C\)\.$/);
    session.open(2, free?.text ?? "", "ori");
    expect(session.run(2, "first", { ...DEFAULT_PIPELINE, phases: ["branch-folding"] }).phases[0]?.figures.phis).toBeUndefined();
    expect(session.phiFree("first")).toMatchObject({ ok: true, phis: 0, copies: 0 });
    expect(session.phiFree("none")).toBeNull();
  });
});

describe("reducibility of a moment", () => {
  it("is the interval test's answer, with the regions that are left", () => {
    const session = new EngineSession();
    session.open(
      1,
      `.kernel k(n: R0)
A: ISETP.LT P0, R0, 1
@P0 BRA C
B: ISETP.LT P1, R0, 2
@P1 BRA D
C: IADD R0, R0, 1
 BRA B
D: EXIT
`,
      "ori",
    );
    session.run(1, "k", { ...DEFAULT_PIPELINE, phases: ["branch-folding"] });
    expect(session.reducibility({ run: -1, step: null })).toEqual({ reducible: false, t1: 0, t2: 1, left: [0, 2, 1] });
    expect(session.reducibility({ run: 0, step: -1 }).reducible).toBe(false);
    expect(ran(GVN).session.reducibility({ run: 0, step: null })).toMatchObject({ reducible: true });
  });
});
