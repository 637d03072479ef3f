/** Runs of the pipeline on the open text: the last ones are kept, and a new run reuses the longest common prefix of a kept one. */

import { digestOf } from "../../../base/hash.ts";
import { OWN_FAMILY } from "../../config/own-id.ts";
import type { SourceProgram } from "../../import/reader.ts";
import type { Func, Module } from "../../ir/types.ts";
import type { Pass } from "../../passes/pass.ts";
import { PASSES } from "../../passes/registry.ts";
import { interventionResults, lastRunOf } from "../../pipeline/intervention-report.ts";
import { type Plan, planPipeline } from "../../pipeline/plan.ts";
import { type PipelineRun, type PositionRun, passFor, type RunHooks, runPipeline } from "../../pipeline/run.ts";
import { sharedStart } from "../../pipeline/shared-start.ts";
import { printFunc } from "../../text/printer.ts";
import type { RecordingLimits } from "../../trace/recording.ts";
import { verifyChange } from "../../verify/verify.ts";
import { checkPhase } from "../exec/exec.ts";
import { type OwnQuestion, OwnScripts, questionAt, unasked } from "../own/phase.ts";
import { guestProgram } from "../own/program.ts";
import type { ReadResult } from "../read/read-with.ts";
import type { Diagnostic, OwnAsk, OwnPhase, OwnSaid, PipelineOptions, RunResult } from "../types.ts";
import { ENGINE_VERSION } from "../version.ts";
import { readEdits } from "./edits.ts";
import { internalErrors, phaseRun, planDiagnostic } from "./phase-run.ts";
import { TraceStore } from "./trace-store.ts";

/** Inputs of the equivalence check, a phase: more would take hours. */
export const MOST_CHECKED = 10_000;
/** Limit on the runs kept for switching between futures: this many instructions over all phases that changed something. */
const MOST_KEPT = 1_000_000;

/** Programs that are remembered for requests to the code of a pass. */
const MOST_QUESTIONS = 16;

/** A run that was possible. */
export interface Ran {
  readonly module: Module;
  readonly program: SourceProgram | null;
  readonly input: Func;
  readonly plan: Plan;
  readonly pipeline: PipelineRun<Diagnostic>;
  /** The options but for the interventions: runs that have them in common may begin with the same phases. */
  readonly base: string;
  /** The run's result; its revision is that of the first time. */
  readonly result: RunResult;
  traces: TraceStore;
  /** The code of the user's pass has not answered yet: the run stopped there. */
  readonly unasked: boolean;
}

/** Everything that a run is made of. */
interface Ready {
  readonly ok: true;
  readonly module: Module;
  readonly input: Func;
  readonly plan: Plan;
  readonly program: SourceProgram | null;
  readonly base: string;
  readonly hooks: RunHooks<Diagnostic>;
  readonly diagnostics: Diagnostic[];
  readonly said: Pick<RunResult, "revision" | "engine" | "target" | "level" | "kernel">;
}

/** What the host provides to runs; the engine has no clock. */
export interface RunStoreOptions {
  readonly now?: () => number;
  readonly limits?: RecordingLimits;
  /** How much of earlier runs is kept, as `MOST_KEPT` counts it; a command that never returns to one sets less. */
  readonly keep?: number;
}

/** A run that was done elsewhere, as plain data. */
export type TransferredRun = readonly Omit<PositionRun<Diagnostic>, "pass">[];

export type Answered = { readonly ran: Ran | null; readonly result: RunResult };

export class RunStore {
  private readonly settings: RunStoreOptions;
  private read: ReadResult | null = null;
  /** By kernel and options, in the order of last use. */
  private readonly kept = new Map<string, Ran>();
  /** The total of all kept runs. */
  private weight = 0;
  /** What the last run on each kernel ended with, of a program that is written again. */
  readonly ended = new Map<string, Func>();
  private readonly own = new OwnScripts();
  /** The plan used last: all kernels of a module share one. */
  private plan: { readonly key: string; readonly made: ReturnType<typeof planPipeline> } | null = null;
  /** The request to the code of the user's pass, by kernel and options. */
  private readonly questions = new Map<string, OwnQuestion | null>();

  constructor(settings: RunStoreOptions) {
    this.settings = settings;
  }

  /** The text that is run from now on. */
  open(read: ReadResult): void {
    this.read = read;
    this.ended.clear();
    this.forget();
  }

  /** More of the same text was read: what ran stays. */
  goOn(read: ReadResult): void {
    this.read = read;
  }

  forget(): void {
    this.kept.clear();
    this.weight = 0;
    this.questions.clear();
  }

  /** A run with these options, new or kept; null if none was possible, which the result explains. `upTo`: as in `CoreSession.run`. */
  with(revision: number, kernel: string, options: PipelineOptions, upTo: readonly string[] = []): Answered {
    const key = JSON.stringify([kernel, options]);
    const known = this.kept.get(key);
    const last = known === undefined && upTo.length > 0 ? this.lastOf(options, upTo) : null;
    const made = known === undefined ? this.make(revision, kernel, options, [], last) : { ran: known, result: known.result };
    // A run that stopped at the user's pass, or is only partial, is not kept: the next request runs it again.
    if (made.ran !== null && !made.ran.unasked && last === null) {
      if (!this.kept.delete(key)) this.weight += weightOf(made.result);
      this.kept.set(key, made.ran);
      this.drop(this.settings.keep ?? MOST_KEPT);
    }
    return made;
  }

  /** A run in the form that another store accepts; null if none was possible, or it would not be the same there. */
  transferable(kernel: string, options: PipelineOptions): TransferredRun | null {
    const { ran } = this.with(0, kernel, options);
    return ran === null || (options.own ?? null) !== null ? null : ran.pipeline.runs.map(({ pass: _, ...run }) => run);
  }

  /** Keeps a run done elsewhere on the same kernel, if there is room next to the runs done here. */
  adoptRun(kernel: string, options: PipelineOptions, transferred: TransferredRun): void {
    const key = JSON.stringify([kernel, options]);
    if (this.kept.has(key)) return;
    const known = transferred.map((run) => ({ ...run, pass: passFor(run.planned.id) ?? null }));
    const { ran, result } = this.make(0, kernel, options, known);
    const weight = weightOf(result);
    if (ran === null || this.weight + weight > (this.settings.keep ?? MOST_KEPT)) return;
    this.kept.set(key, ran);
    this.weight += weight;
  }

  has(kernel: string, options: PipelineOptions): boolean {
    return this.kept.has(JSON.stringify([kernel, options]));
  }

  /** Drops the runs that were used longest ago, as many as it takes; the last one stays. */
  private drop(most: number): void {
    for (const [old, { result }] of this.kept) {
      if (this.weight <= most || this.kept.size === 1) return;
      this.kept.delete(old);
      this.weight -= weightOf(result);
    }
  }

  /** The index of the last run that `upTo` names; null: all runs are needed, or a name matches none. */
  private lastOf(options: PipelineOptions, upTo: readonly string[]): number | null {
    if ((options.interventions ?? []).length > 0 || (options.own ?? null) !== null) return null;
    const { plan } = this.planned(options, this.read?.module.target ?? null, this.read?.format === "ptx");
    const runs = plan.runs.map((planned) => ({ planned }));
    const places = upTo.map((word) => lastRunOf(runs, word));
    return places.includes(-1) ? null : Math.max(...places);
  }

  private make(
    revision: number,
    kernel: string,
    options: PipelineOptions,
    transferred: readonly PositionRun<Diagnostic>[] = [],
    last: number | null = null,
  ): Answered {
    const ready = this.prepare(revision, kernel, options);
    if (!ready.ok) return { ran: null, result: ready.result };
    const { module, input, plan, program, base, diagnostics, said } = ready;
    const inputs = Math.min(options.check, MOST_CHECKED);
    if (inputs < options.check) {
      const message = `Each phase is checked on ${MOST_CHECKED} inputs, the limit, instead of ${options.check}.`;
      diagnostics.push(planDiagnostic({ severity: "warning", code: "PIPE009", message, suggestion: null }));
    }
    const own = this.ownPass(kernel, options);
    const pipeline = runPipeline<Diagnostic>(input, module, plan, {
      ...ready.hooks,
      ...(transferred.length > 0 ? { known: transferred } : {}),
      ...(this.settings.now === undefined ? {} : { now: this.settings.now }),
      ...(options.verify ? { verify: verifyPhase } : {}),
      ...(own === null ? {} : ownHooks(own.pass, options.verify)),
      ...(last === null ? {} : { stopAfter: ({ run }: PositionRun<Diagnostic>) => run === last }),
      ...(inputs > 0 ? { check: (before: Func, after: Func) => checkPhase(before, after, module, inputs) } : {}),
    });
    const traces = new TraceStore(module, plan, this.settings.limits);
    diagnostics.push(...internalErrors(pipeline.runs));
    const interventions = interventionResults(plan.interventions, pipeline.runs);
    const digest = last === null ? digestOf(printFunc(pipeline.result)) : "";
    const result = { ...said, phases: pipeline.runs.map(phaseRun), diagnostics, digest, interventions };
    const unasked = own?.unasked === true;
    return { ran: { module, program, input, plan, pipeline, base, result, traces, unasked }, result };
  }

  /** What is run, or why nothing can be. */
  private prepare(revision: number, kernel: string, options: PipelineOptions): Ready | { readonly ok: false; readonly result: RunResult } {
    const module = this.read?.module ?? null;
    const { plan, problems } = this.planned(options, module?.target ?? null, this.read?.format === "ptx");
    const diagnostics = problems.map(planDiagnostic);
    const said = { revision, engine: ENGINE_VERSION, target: plan.target.id, level: plan.level, kernel };
    const refused = (all: readonly Diagnostic[]) =>
      ({ ok: false, result: { ...said, phases: [], diagnostics: all, digest: "", interventions: [] } }) as const;
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
    if (module === null || input === undefined || diagnostics.some((d) => d.severity === "error")) return refused(diagnostics);
    const read = readEdits(plan.interventions, module, input);
    if (read.diagnostics.length > 0) return refused([...diagnostics, ...read.diagnostics]);
    const fuel = leastFuel(options);
    const base = baseOf(kernel, options);
    const known = fuel === null ? this.longestStart(base, plan) : [];
    const program = this.read?.program ?? null;
    return { ok: true, module, input, plan, program, base, diagnostics, said, hooks: { fuel, known, edits: read.edits } };
  }

  private planned(options: PipelineOptions, target: string | null, isPtx: boolean): ReturnType<typeof planPipeline> {
    const key = JSON.stringify([options, target, isPtx]);
    if (this.plan?.key !== key) this.plan = { key, made: planPipeline(options, target, isPtx) };
    return this.plan.made;
  }

  /** The request that the code of the user's pass must answer before these options can run, or its answer; null: the run does not reach the pass. */
  ownAsk(kernel: string, options: PipelineOptions, afresh = false): OwnAsk | OwnSaid | null {
    const { own = null } = options;
    const question = own === null ? null : this.ownQuestion(kernel, options, own);
    return own === null || question === null ? null : this.own.ask(own, question, afresh);
  }

  /** The answer to a question of `ownAsk`; false: to none that waits. */
  answerOwn(...answer: Parameters<OwnScripts["answer"]>): boolean {
    return this.own.answer(...answer);
  }

  /** The phase in the options; `unasked`: its code has not run on what the pipeline hands to it. */
  private ownPass(kernel: string, options: PipelineOptions): { readonly pass: Pass; readonly unasked: boolean } | null {
    const { own = null } = options;
    if (own === null) return null;
    const question = this.ownQuestion(kernel, options, own);
    const pass = question === null ? null : this.own.known(own, question);
    return { pass: pass ?? unasked(own), unasked: pass === null && question !== null };
  }

  private ownQuestion(kernel: string, options: PipelineOptions, own: OwnPhase): OwnQuestion | null {
    // Nothing before the phase depends on its source.
    const key = JSON.stringify([kernel, { ...options, own: { name: own.name, at: own.at } }]);
    const known = this.questions.get(key);
    if (known !== undefined) return known;
    const ready = this.prepare(0, kernel, options);
    if (!ready.ok) return null;
    const { module, input, plan, hooks } = ready;
    const { runs } = runPipeline<Diagnostic>(input, module, plan, { ...hooks, passes: [...PASSES, unasked(own)] });
    const question = questionAt(own, runs, (run) => guestProgram(run.before, module));
    this.questions.set(key, question);
    for (const old of this.questions.keys()) {
      if (this.questions.size <= MOST_QUESTIONS) break;
      this.questions.delete(old);
    }
    return question;
  }

  /** The longest prefix that a kept run shares with a plan. */
  private longestStart(base: string, plan: Plan): readonly PositionRun<Diagnostic>[] {
    let longest: readonly PositionRun<Diagnostic>[] = [];
    for (const ran of this.kept.values()) {
      if (ran.base !== base) continue;
      const same = sharedStart(ran.pipeline.runs, plan.runs);
      // The same pass by name may have another source.
      const own = same.findIndex((run) => run.pass?.family === OWN_FAMILY);
      const shared = own < 0 ? same : same.slice(0, own);
      if (shared.length > longest.length) longest = shared;
    }
    return longest;
  }
}

const baseOf = (kernel: string, options: PipelineOptions): string => JSON.stringify([kernel, { ...options, interventions: [], own: null }]);

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

/** A user's pass in the pipeline: its result is always verified, and the run ends at a program that the verifier rejects. */
function ownHooks(pass: Pass, verifyAll: boolean): RunHooks<Diagnostic> {
  const mine = ({ id }: { readonly id: string }): boolean => pass.ids.includes(id);
  return {
    passes: [...PASSES, pass],
    verify: (after, module, before, planned) => (verifyAll || mine(planned) ? verifyPhase(after, module, before) : []),
    stopAfter: ({ planned, verifyErrors }) => mine(planned) && verifyErrors.length > 0,
  };
}
