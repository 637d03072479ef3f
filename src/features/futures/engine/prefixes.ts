/** The program after the first N rewrites of a run, for every N, and whether it still means what it did. */

import { type Counterexample, compareVersions, EquivalenceChecker } from "../../../engine/fuzz/equivalence.ts";
import type { InputSpec } from "../../../engine/fuzz/inputs.ts";
import { shrinkInput } from "../../../engine/fuzz/shrink.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import type { Plan } from "../../../engine/pipeline/plan.ts";
import type { PipelineRun, PositionRun } from "../../../engine/pipeline/run.ts";
import { runPhase } from "../../../engine/pipeline/run-phase.ts";
import { Snapshots } from "../../../engine/remark/snapshots.ts";
import { NO_RECORDER } from "../../../engine/trace/recorder.ts";
import { Recording } from "../../../engine/trace/recording.ts";
import { Trace } from "../../../engine/trace/trace.ts";
import { ChangeVerifier } from "../../../engine/verify/verify.ts";

/** The verdict on the program after a prefix against the run's input program. */
export type Light =
  /** The verifier accepts it, and it gave the same on all inputs. */
  | { readonly colour: "green"; readonly reason: string }
  /** The verifier refuses it (no counterexample), or it gave something else. */
  | { readonly colour: "red"; readonly reason: string; readonly counterexample: Counterexample | null }
  /** No input ends normally, or all of them depend on a made-up value, so there is no verdict. */
  | { readonly colour: "grey"; readonly reason: string };

/** Which rewrite a prefix ends with: the `n`-th (from 1) of a run. */
export interface NumberedRewrite {
  readonly run: number;
  readonly n: number;
}

export interface PrefixOptions {
  /** Inputs a light. */
  readonly inputs: number;
  readonly seed: number;
}

const FUEL = 100_000;

export class RewritePrefixes {
  /** Rewrites of all runs together. */
  readonly rewrites: number;
  private readonly module: Module;
  private readonly plan: Plan;
  private readonly runs: readonly PositionRun[];
  private readonly input: Func;
  private readonly options: PrefixOptions;
  /** Rewrites before each run. */
  private readonly starts: readonly number[];
  private readonly judged = new Map<Func, Judges>();
  private readonly snapshots = new Map<number, Snapshots>();
  private readonly lights = new Map<number, Light>();

  constructor(input: Func, module: Module, plan: Plan, pipeline: PipelineRun, options: PrefixOptions) {
    this.input = input;
    this.module = module;
    this.plan = plan;
    this.runs = pipeline.runs;
    this.options = options;
    let sum = 0;
    this.starts = pipeline.runs.map((run) => {
      const start = sum;
      sum += run.outcome?.rewrites ?? 0;
      return start;
    });
    this.rewrites = sum;
  }

  /** The run and number of the `n`-th rewrite, from 1. */
  rewriteAt(n: number): NumberedRewrite {
    const run = this.runs.findIndex((one, i) => n <= (this.starts[i] ?? 0) + (one.outcome?.rewrites ?? 0));
    return { run, n: n - (this.starts[run] ?? 0) };
  }

  /** The program after the first `n` rewrites (0: before all of them). */
  program(n: number): Func {
    if (n <= 0) return this.input;
    const { run, n: own } = this.rewriteAt(n);
    const found = this.runs[run];
    if (found === undefined) return this.runs.at(-1)?.after ?? this.input;
    if (own === found.outcome?.rewrites) return found.after;
    const known = this.snapshotsOf(run, found).after(own);
    if (known !== null) return known;
    const fuel = { left: own, programOnly: true };
    return runPhase(found.planned, found.pass ?? undefined, found.before, { module: this.module, plan: this.plan, rec: NO_RECORDER, fuel })
      .fn;
  }

  light(n: number): Light {
    const known = this.lights.get(n);
    if (known !== undefined) return known;
    const program = this.program(n);
    const base = this.base(n);
    const judges = this.judges(base);
    // Rewrites that only record something leave the program unchanged.
    const light = judges.lights.get(program) ?? this.judge(program, judges);
    judges.lights.set(program, light);
    this.lights.set(n, light);
    return light;
  }

  /** The input of a counterexample, minimized while it still shows a difference at `n`. */
  shrunk(n: number, found: Counterexample): Counterexample {
    const base = this.base(n);
    const program = this.program(n);
    const compare = (input: InputSpec): Counterexample | null => compareVersions(base, program, this.module, input, FUEL);
    return compare(shrinkInput(found.input, (input) => compare(input) !== null)) ?? found;
  }

  /** The function that a program is compared with: the run's input, or the last text that was put in before. */
  base(n: number): Func {
    const { run } = n <= 0 ? { run: 0 } : this.rewriteAt(n);
    for (let i = Math.min(run, this.runs.length - 1); i >= 0; i--) {
      const one = this.runs[i];
      if (one !== undefined && one.planned.told?.edit != null) return one.before;
    }
    return this.input;
  }

  /** The step of the rewrite in a trace that ends with it, and its sentence. */
  said(n: number): { readonly step: number; readonly sentence: string } | null {
    const { run, n: own } = this.rewriteAt(n);
    const found = this.runs[run];
    if (found === undefined) return null;
    const rec = new Recording(found.before);
    const ctx = { module: this.module, plan: this.plan, rec, fuel: { left: own } };
    runPhase(found.planned, found.pass ?? undefined, found.before, ctx);
    const trace = new Trace(rec, found.before);
    let match: { step: number; sentence: string } | null = null;
    for (let step = trace.steps - 1; step >= 0; step--) {
      const { kind, sentence, facts } = trace.event(step);
      if (kind === "rewrite") return { step, sentence };
      if (match === null && kind === "match" && facts.verdict === "yes") match = { step, sentence };
    }
    return match;
  }

  /** The programs between the rewrites of a run, from one run of its phase. */
  private snapshotsOf(run: number, { planned, pass, before }: PositionRun): Snapshots {
    let snapshots = this.snapshots.get(run);
    if (snapshots === undefined) {
      snapshots = new Snapshots();
      this.snapshots.set(run, snapshots);
      const fuel = { left: Number.POSITIVE_INFINITY, snapshots };
      runPhase(planned, pass ?? undefined, before, { module: this.module, plan: this.plan, rec: NO_RECORDER, fuel });
    }
    return snapshots;
  }

  private judge(program: Func, { verifier, checker }: Judges): Light {
    const wrong = verifier.check(program).find((d) => d.severity === "error");
    if (wrong !== undefined) return { colour: "red", reason: `${wrong.code}: ${wrong.message}`, counterexample: null };
    const { ok, inputs, effective, doubt, counterexample } = checker.check(program);
    if (!ok && counterexample !== null) return { colour: "red", reason: counterexample.difference, counterexample };
    if (effective === 0 && doubt !== null) return { colour: "grey", reason: `not decided: ${doubt}` };
    if (effective === 0) return { colour: "grey", reason: `none of ${inputs} inputs lets the program end normally` };
    return {
      colour: "green",
      reason:
        doubt === null && effective < inputs
          ? `the same on all ${effective} inputs that end normally (${inputs - effective} of ${inputs} do not)`
          : `the same on ${effective} of ${inputs} inputs${effective === inputs ? "" : `; the others are not decided: ${doubt}`}`,
    };
  }

  private judges(base: Func): Judges {
    let judges = this.judged.get(base);
    if (judges === undefined) {
      const checker = new EquivalenceChecker(base, this.module, { ...this.options, related: true, known: true });
      judges = { lights: new WeakMap(), verifier: new ChangeVerifier(base, this.module), checker };
      this.judged.set(base, judges);
    }
    return judges;
  }
}

/** What programs that are compared with one base have in common. */
interface Judges {
  readonly lights: WeakMap<Func, Light>;
  readonly verifier: ChangeVerifier;
  readonly checker: EquivalenceChecker;
}
