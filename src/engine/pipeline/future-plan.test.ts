import { describe, expect, it } from "vitest";
import { PASSES } from "../passes/registry.ts";
import { reasonsOf } from "../remark/rules.ts";
import { parseModule } from "../text/parser.ts";
import { DEFAULT_OPTIONS } from "./defaults.ts";
import type { Intervention } from "./intervention.ts";
import { interventionResults } from "./intervention-report.ts";
import { type PlannedRun, planPipeline } from "./plan.ts";
import { runPipeline } from "./run.ts";

const planned = (...interventions: readonly Intervention[]): readonly PlannedRun[] => {
  const { plan, problems } = planPipeline({ ...DEFAULT_OPTIONS, interventions }, null);
  expect(problems.filter((p) => p.severity === "error")).toEqual([]);
  return plan.runs;
};
const problem = (intervention: Intervention): string =>
  planPipeline({ ...DEFAULT_OPTIONS, interventions: [intervention] }, null)
    .problems.filter((p) => p.severity === "error")
    .map((p) => `${p.code} ${p.message}`)
    .join("; ");
const told = (runs: readonly PlannedRun[], address: string) => runs.find((r) => r.address === address)?.told;
const indexOf = (runs: readonly PlannedRun[], id: string): number => runs.findIndex((r) => r.id === id);

describe("interventions in a plan", () => {
  const base = planned();
  const gvn = indexOf(base, "gvn-cse");

  it("leaves a plan without any alone", () => {
    expect(base.every((run) => run.told === undefined && run.address === undefined)).toBe(true);
  });

  it("tells a run its skips, by number, id or index", () => {
    for (const run of ["49", "gvn-cse", "GvnCse", `r${gvn}`]) {
      const runs = planned({ kind: "skip", run, n: 3 });
      expect([...(told(runs, `r${gvn}`)?.skips ?? [])]).toEqual([3]);
    }
  });

  it("sets knobs from a run on, or in a range", () => {
    const open = planned({ kind: "knob", assignment: "464=0", from: "49", to: null });
    expect(open.filter((r) => r.told?.knobs !== null).map((r) => r.address)).toEqual(open.slice(gvn).map((r) => r.address));
    const only = planned({ kind: "knob", assignment: "464=0", from: "49", to: "49" });
    expect(only.filter((r) => r.told?.knobs !== null).map((r) => r.id)).toEqual(["gvn-cse"]);
  });

  it("gives later runs no fuel", () => {
    const runs = planned({ kind: "fuel", run: "49", n: 2 });
    expect(runs[gvn - 1]?.told?.limit).toBe(null);
    expect(runs[gvn]?.told?.limit).toBe(2);
    expect(runs.slice(gvn + 1).every((r) => r.told?.limit === 0)).toBe(true);
  });

  it("inserts, moves and leaves out runs, and keeps their addresses", () => {
    const runs = planned(
      { kind: "insert", id: "gvn-cse", at: { side: "after", run: "49" } },
      { kind: "insert", id: "gvn-cse", at: { side: "before", run: "gvn-cse+1" } },
      { kind: "move", run: "49", at: { side: "before", run: "r3" } },
      { kind: "leave-out", run: "63" },
      { kind: "skip", run: "gvn-cse+2", n: 1 },
    );
    expect(runs).toHaveLength(base.length + 2);
    expect(runs[3]?.address).toBe(`r${gvn}`);
    expect(runs.filter((r) => r.id === "gvn-cse").map((r) => r.address)).toEqual([`r${gvn}`, "gvn-cse+2", "gvn-cse+1"]);
    expect(runs.find((r) => r.position?.number === 63)?.beyond).toBe("left out");
    expect([...(told(runs, "gvn-cse+2")?.skips ?? [])]).toEqual([1]);
  });

  it("warns of an order that starves a phase", () => {
    const interventions: Intervention[] = [{ kind: "move", run: "49", at: { side: "after", run: "64" } }];
    const { problems } = planPipeline({ ...DEFAULT_OPTIONS, interventions }, null);
    expect(problems.map((p) => p.code)).toContain("PIPE005");
  });

  it("goes on with a condition that earlier versions could drop, and says why", () => {
    const { plan } = planPipeline(DEFAULT_OPTIONS, null);
    const { module } = parseModule(".kernel k(a: R0)\nBB0:\n    EXIT\n");
    const [fn] = module.funcs;
    if (fn === undefined) throw new Error("no program");
    const fixed = PASSES.flatMap(({ ids, rules }) =>
      ids.flatMap((phase) =>
        reasonsOf(rules ?? {}).flatMap(({ name, fixed: why }) => (why === null ? [] : [{ phase, condition: name, why }])),
      ),
    );
    expect(fixed.length).toBeGreaterThanOrEqual(8);
    for (const { phase, condition, why } of fixed) {
      const runs = planned({ kind: "drop", phase, condition });
      expect(runs.flatMap((run) => [...(run.told?.drops ?? [])])).toEqual([]);
      const told = { ...plan, runs, interventions: [{ kind: "drop", phase, condition }] as const };
      const [result] = interventionResults(told.interventions, runPipeline(fn, module, told).runs);
      expect(result).toMatchObject({ text: `drop ${phase}:${condition}`, applied: false });
      expect(result?.reason).toBe(`this condition cannot be dropped. No program shows that it is needed. ${why}`);
    }
  });

  it("says what an address that names nothing lacks", () => {
    expect(problem({ kind: "skip", run: "r900", n: 1 })).toMatch(/^PIPE011 skip r900#1: there is no run r900: the plan has r0 to r\d+\.$/);
    expect(problem({ kind: "leave-out", run: "gvn-cze" })).toContain("did you mean");
    expect(problem({ kind: "leave-out", run: "OriPerformLiveDead" })).toContain("runs 4 times; which one is meant?");
    expect(problem({ kind: "insert", id: "OriPerformLiveDead", at: { side: "after", run: "49" } })).toContain("means several phases");
    expect(problem({ kind: "drop", phase: "gvn-cse", condition: "nothing" })).toContain("has no condition 'nothing' that can be dropped");
    expect(problem({ kind: "knob", assignment: "no-such=1", from: "49", to: null })).toContain("There is no knob");
  });
});
