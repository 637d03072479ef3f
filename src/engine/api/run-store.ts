/** Runs of the pipeline on the text that is open: the last ones are kept, and what a new one begins with is taken from one that began the same. */

import type { FuelLadder } from "../futures/ladder.ts";
import type { BrilNames } from "../import/bril/names.ts";
import type { Func, Module } from "../ir/types.ts";
import { interventionResults } from "../pipeline/intervention-report.ts";
import { type Plan, planPipeline } from "../pipeline/plan.ts";
import { type PipelineRun, type PositionRun, runPipeline } from "../pipeline/run.ts";
import { sharedStart } from "../pipeline/shared-start.ts";
import { printFunc } from "../text/printer.ts";
import type { RecordingLimits } from "../trace/recording.ts";
import { verifyChange } from "../verify/verify.ts";
import { digestOf } from "./digest.ts";
import { checkPhase } from "./exec.ts";
import { readEdits } from "./futures.ts";
import { internalErrors, phaseRun, planDiagnostic } from "./phase-run.ts";
import type { ReadResult } from "./read.ts";
import { TraceStore } from "./trace-store.ts";
import type { Diagnostic, PipelineOptions, RunResult } from "./types.ts";
import { ENGINE_VERSION } from "./version.ts";

/** Inputs of the equivalence check, a phase: more would take hours. */
export const MOST_CHECKED = 10_000;
/** Runs that are kept for going back to, the futures that one switches between: so many instructions over all phases that changed something. */
const MOST_KEPT = 1_000_000;

/** A run that was possible. */
export interface Ran {
  readonly module: Module;
  readonly names: BrilNames | null;
  readonly input: Func;
  readonly plan: Plan;
  readonly pipeline: PipelineRun<Diagnostic>;
  /** The options but for the interventions: runs that have them in common may begin with the same phases. */
  readonly base: string;
  /** What was said of the run; its revision is that of the first time. */
  readonly result: RunResult;
  traces: TraceStore;
  /** By inputs and seed. */
  readonly ladders: Map<string, FuelLadder>;
}

/** What runs are lent; the engine has no clock of its own. */
export interface RunLoan {
  readonly now?: () => number;
  readonly limits?: RecordingLimits;
}

export type Answered = { readonly ran: Ran | null; readonly result: RunResult };

export class RunStore {
  private readonly loan: RunLoan;
  private read: ReadResult | null = null;
  /** By kernel and options, in the order of last use. */
  private readonly kept = new Map<string, Ran>();

  constructor(loan: RunLoan) {
    this.loan = loan;
  }

  /** The text that is run from now on. */
  open(read: ReadResult): void {
    this.read = read;
    this.kept.clear();
  }

  forget(): void {
    this.kept.clear();
  }

  /** A run with these options, done or kept; null where none was possible, which the result explains. */
  with(revision: number, kernel: string, options: PipelineOptions): Answered {
    const key = JSON.stringify([kernel, options]);
    const known = this.kept.get(key);
    const made = known === undefined ? this.make(revision, kernel, options) : { ran: known, result: known.result };
    if (made.ran !== null) {
      this.kept.delete(key);
      this.kept.set(key, made.ran);
      let weight = 0;
      for (const { result } of this.kept.values()) weight += weightOf(result);
      for (const [old, { result }] of this.kept) {
        if (weight <= MOST_KEPT || this.kept.size === 1) break;
        this.kept.delete(old);
        weight -= weightOf(result);
      }
    }
    return made;
  }

  private make(revision: number, kernel: string, options: PipelineOptions): Answered {
    const module = this.read?.module ?? null;
    const { plan, problems } = planPipeline(options, module?.target ?? null);
    const diagnostics = problems.map(planDiagnostic);
    const said = { revision, engine: ENGINE_VERSION, target: plan.target.id, level: plan.level, kernel };
    const input = module?.funcs.find((fn) => fn.name === kernel);
    if (module === null || input === undefined) {
      const known = module?.funcs.map((fn) => fn.name).join(", ") ?? "";
      diagnostics.push({
        line: 0,
        column: 0,
        length: 0,
        severity: "error",
        code: "PIPE007",
        message: `There is no kernel '${kernel}'.`,
        suggestion: known === "" ? null : known,
      });
    }
    if (module === null || input === undefined || diagnostics.some((d) => d.severity === "error")) {
      return { ran: null, result: { ...said, phases: [], diagnostics, digest: "", interventions: [] } };
    }
    const read = readEdits(plan.interventions, module, input);
    if (read.diagnostics.length > 0) {
      const all = [...diagnostics, ...read.diagnostics];
      return { ran: null, result: { ...said, phases: [], diagnostics: all, digest: "", interventions: [] } };
    }
    const inputs = Math.min(options.check, MOST_CHECKED);
    if (inputs < options.check) {
      const message = `Each phase is checked on ${MOST_CHECKED} inputs, the most that are tried, not on ${options.check}.`;
      diagnostics.push(planDiagnostic({ severity: "warning", code: "PIPE009", message, suggestion: null }));
    }
    const names = this.read?.bril ?? null;
    // Threads of a Bril program would share its output and its heap.
    const threads = names === null ? undefined : 1;
    const fuel = leastFuel(options);
    const base = baseOf(kernel, options);
    const pipeline = runPipeline<Diagnostic>(input, module, plan, {
      fuel,
      known: fuel === null ? this.longestStart(base, plan) : [],
      edits: read.edits,
      ...(this.loan.now === undefined ? {} : { now: this.loan.now }),
      ...(options.verify ? { verify: verifyPhase } : {}),
      ...(inputs > 0 ? { check: (before: Func, after: Func) => checkPhase(before, after, module, inputs, threads) } : {}),
    });
    const traces = new TraceStore(module, plan, this.loan.limits);
    diagnostics.push(...internalErrors(pipeline.runs));
    const interventions = interventionResults(plan.interventions, pipeline.runs);
    const digest = digestOf(printFunc(pipeline.result));
    const result = { ...said, phases: pipeline.runs.map(phaseRun), diagnostics, digest, interventions };
    return { ran: { module, names, input, plan, pipeline, base, result, traces, ladders: new Map() }, result };
  }

  /** The longest beginning that a kept run has in common with a plan. */
  private longestStart(base: string, plan: Plan): readonly PositionRun<Diagnostic>[] {
    let longest: readonly PositionRun<Diagnostic>[] = [];
    for (const ran of this.kept.values()) {
      if (ran.base !== base) continue;
      const shared = sharedStart(ran.pipeline.runs, plan.runs);
      if (shared.length > longest.length) longest = shared;
    }
    return longest;
  }
}

const baseOf = (kernel: string, options: PipelineOptions): string => JSON.stringify([kernel, { ...options, interventions: [] }]);

/** What the programs of a run take, at most: they share what did not change. */
function weightOf({ phases }: RunResult): number {
  return phases.reduce((sum, { changed, instructions }) => sum + (changed ? instructions[1] : 0), phases[0]?.instructions[0] ?? 0);
}

/** The smallest of what the options and the interventions give to all phases together. */
function leastFuel({ fuel, interventions = [] }: PipelineOptions): number | null {
  const totals = interventions.flatMap((i) => (i.kind === "fuel" && i.run === null ? [i.n] : []));
  return fuel === null && totals.length === 0 ? null : Math.min(fuel ?? Number.POSITIVE_INFINITY, ...totals);
}

const verifyPhase = (after: Func, module: Module, before: Func): readonly Diagnostic[] =>
  verifyChange(before, after, module).filter((d) => d.severity === "error");
