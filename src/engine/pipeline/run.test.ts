import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import type { Pass } from "../passes/pass.ts";
import { Recording } from "../trace/recording.ts";
import { plainFunc, toyFunc, toyPass } from "../trace/testing/toy.ts";
import { Trace } from "../trace/trace.ts";
import { DEFAULT_OPTIONS } from "./defaults.ts";
import { type PlanOptions, planPipeline } from "./plan.ts";
import { runPipeline, runSizes } from "./run.ts";
import { runPhase } from "./run-phase.ts";

const seed = 77;
const toy = toyPass(40, () => createPrng(seed).u32);
const input = toyFunc(12);
const module = { target: null, symbols: [], funcs: [input], tail: [] };
const planOf = (options: Partial<PlanOptions> = {}) => planPipeline({ ...DEFAULT_OPTIONS, ...options }, null).plan;

const pass = (id: string, run: Pass["run"]): Pass => ({ family: "test", ids: [id], summary: "", pseudocode: [], run });

describe("a pipeline", () => {
  it("keeps every result, unchanged by later phases", () => {
    const frozen = JSON.stringify(plainFunc(input));
    const plan = planOf({ phases: ["15", "15", "15"] });
    const { runs, result } = runPipeline(input, module, plan, { passes: [toy] });
    expect(runs.map((r) => [r.run, r.planned.id, r.ran, r.changed])).toEqual([0, 1, 2].map((n) => [n, "ori-branch-opt", true, true]));
    expect(runs[1]!.before).toBe(runs[0]!.after);
    expect(result).toBe(runs[2]!.after);
    expect(JSON.stringify(plainFunc(input))).toBe(frozen);
    // The first phase again, from its input, after everything else ran.
    const again = runPipeline(runs[0]!.before, module, plan, { passes: [toy] });
    expect(plainFunc(again.runs[0]!.after)).toEqual(plainFunc(runs[0]!.after));
    expect(runSizes(runs[0]!).blocks[0]).toBe(12);
  });

  it("traces a phase to the same result, between a span and a closing note", () => {
    const plan = planOf({ phases: ["15"] });
    const [run] = runPipeline(input, module, plan, { passes: [toy] }).runs;
    const rec = new Recording(input);
    const traced = runPhase(run!.planned, toy, input, { module, plan, rec });
    expect(plainFunc(traced.fn)).toEqual(plainFunc(run!.after));
    const trace = new Trace(rec, input);
    expect(trace.event(0)).toMatchObject({ kind: "span", depth: 0, sentence: "the phase begins: 12 blocks, 24 instructions" });
    expect(trace.event(trace.steps - 1)).toMatchObject({ kind: "note", depth: 0, facts: { pipeline: true, changed: true } });
    expect(trace.event(1)).toMatchObject({ kind: "gate", depth: 1, parent: 0 });
    expect(plainFunc(trace.funcAt(trace.steps - 1))).toEqual(plainFunc(run!.after));
  });

  it("stops at an internal error with what it has", () => {
    const broken = pass("ori-perform-live-dead-first", ({ edit }) => {
      edit.remove(edit.func.layout[0]!, 0);
      throw new Error("lost the thread");
    });
    const { runs, result } = runPipeline(input, module, planOf({ phases: ["15", "16", "15"] }), { passes: [toy, broken] });
    expect(runs.map((r) => r.error)).toEqual([null, "lost the thread", null]);
    expect(runs[1]).toMatchObject({ ran: true, changed: false, reason: "stopped by an internal error: lost the thread" });
    expect(runs[2]).toMatchObject({ ran: false, reason: "not reached: OriPerformLiveDeadFirst stopped the pipeline" });
    expect(result).toBe(runs[0]!.after);
  });

  it("gives back the very function when a pass edits nothing", () => {
    const idle = pass("ori-branch-opt", () => ({ matches: 3, rewrites: 0, why: "all refused" }));
    const { runs } = runPipeline(input, module, planOf({ phases: ["15"] }), { passes: [idle] });
    expect(runs[0]).toMatchObject({
      changed: false,
      reason: "all refused",
      summary: "nothing changed (3 matches, 0 rewrites): all refused",
    });
    expect(runs[0]!.after).toBe(input);
  });

  it("spends fuel through budgets over all phases", () => {
    const spending = (id: string): Pass =>
      pass(id, ({ knobs }) => {
        const budget = knobs.budget("switch-opt-budget");
        let rewrites = 0;
        while (rewrites < 5 && budget.take()) rewrites++;
        return { matches: 5, rewrites, why: null };
      });
    const passes = [spending("ori-branch-opt"), spending("ori-perform-live-dead-first"), spending("general-optimize")];
    const plan = planOf({ phases: ["15", "16", "29"] });
    const { runs } = runPipeline(input, module, plan, { passes, fuel: 7 });
    expect(runs.map((r) => r.outcome?.rewrites ?? r.reason)).toEqual([5, 2, "the fuel is spent"]);
    expect(runs.map((r) => r.fuel)).toEqual([7, 2, 0]);
  });

  it("verifies and checks only what an edit touched, times by the clock it is given, and stops when told", () => {
    let time = 0;
    const { runs } = runPipeline(input, module, planOf({ phases: ["15", "13", "15"] }), {
      passes: [toy],
      now: () => time++,
      verify: () => [{ severity: "error", code: "VER001", message: "m" }],
      check: () => ({ inputs: 3, ok: true, counterexample: null }),
      stopAfter: (run) => run.run === 1,
    });
    expect(runs.map((r) => [r.ms, r.verifyErrors.length, r.check?.inputs ?? null])).toEqual([
      [1, 1, 3],
      [1, 0, null],
      [0, 0, null],
    ]);
    expect(runs[2]!.reason).toContain("stopped after");
  });
});
