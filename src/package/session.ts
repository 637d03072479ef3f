/** The package's session: one text, its runs, and all requests about them. */

import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { DEFAULT_THREADS } from "../engine/api/exec/default-threads.ts";
import { EngineSession } from "../engine/api/session.ts";
import type {
  Analyses,
  BlockView,
  Diagnostic,
  ExecReport,
  ExecRequest,
  History,
  InterventionResult,
  KernelInfo,
  PhaseRun,
  PipelineOptions,
  SourceFormat,
  StateDelta,
  Subject,
  TableView,
} from "../engine/api/types.ts";
import type { TraceEvent } from "../engine/trace/event.ts";
import { IMPORTERS } from "../features/importers.ts";
import { type PublishFormat, publish, USUAL_STEPS } from "../features/publish/engine/publish.ts";
import { nodeElk } from "../layout/elk/node.ts";

export interface OpenOptions {
  /** Left out: the format is recognised. */
  readonly format?: SourceFormat;
}

export interface RunOptions extends Partial<PipelineOptions> {
  /** Default: the first kernel. */
  readonly kernel?: string;
}

/** A place in a run. `phase` left out: the end of the pipeline; `step` left out: the phase's end; -1: its input. */
export interface At {
  /** Number, id or name of the phase. */
  readonly phase?: string | number;
  readonly step?: number;
}

/** An open text. Nothing throws for what is wrong with the text: see `ok` and `diagnostics`. */
export interface Session {
  readonly format: SourceFormat;
  /** The text has no errors and can be run. */
  readonly ok: boolean;
  readonly kernels: readonly KernelInfo[];
  readonly diagnostics: readonly Diagnostic[];
  /** The whole text as canonical Ori: what an import became. */
  readonly ori: string;
  /** Runs the pipeline on one kernel. The result stays valid regardless of other runs. */
  run(options?: RunOptions): Run;
}

/** A run of the pipeline. */
export interface Run {
  /** False: the options or the text were refused; `diagnostics` say why and `phases` is empty. */
  readonly ok: boolean;
  readonly kernel: string;
  readonly target: string;
  readonly level: number;
  readonly engine: string;
  /** Every position, those that did not run included. */
  readonly phases: readonly PhaseRun[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash of the result's canonical text. */
  readonly digest: string;
  /** What became of each intervention of the options. */
  readonly interventions: readonly InterventionResult[];
  /** The first run of a phase, by number, id or name; null when it is not among the phases. */
  phase(phase: string | number): PhaseRun | null;
  /** Canonical Ori text. */
  text(at?: At): string;
  /** The recorded steps of a phase; null when it did not run. */
  trace(phase: string | number): PhaseTrace | null;
  /** Dominators, loops, liveness and divergence. */
  analyses(at?: At): Analyses;
  /** Runs the program in the interpreter: with 32 threads, a Bril program with one, unless `threads` says otherwise. */
  exec(at?: At, request?: Partial<ExecRequest>): ExecReport;
  /** What happened to a block, edge, instruction or register, in one phase or in all. */
  history(subject: Subject, phase?: string | number): History;
  /** The graph as text. */
  graph(at: At, format: "dot" | "json" | "mermaid"): string;
  /** Phases as a trace (JSON lines), a file that plays them, or a list of changes; default: every phase that changed something. */
  publish(
    format: PublishFormat,
    options?: { readonly phases?: readonly (string | number)[]; readonly title?: string; readonly mostSteps?: number },
  ): Promise<string>;
}

/** The steps of one phase. */
export interface PhaseTrace {
  readonly id: string;
  readonly steps: number;
  /** A limit of the recording cut the trace. */
  readonly cut: boolean;
  readonly pseudocode: readonly string[];
  event(step: number): TraceEvent | null;
  events(from?: number, count?: number): readonly TraceEvent[];
  /** The function and the observed structures after a step; -1: before the first. */
  state(step: number): PhaseState;
}

export interface PhaseState {
  readonly entry: number;
  readonly blocks: readonly BlockView[];
  /** Ids of the blocks in program order. */
  readonly layout: readonly number[];
  readonly tables: readonly TableView[];
  readonly structures: StateDelta["structures"];
}

export function openSession(text: string, options: OpenOptions = {}): Session {
  const opened = new EngineSession().open(1, text, options.format ?? null);
  return {
    format: opened.format,
    ok: opened.ok && opened.kernels.length > 0,
    kernels: opened.kernels,
    diagnostics: opened.diagnostics,
    ori: opened.ori,
    run({ kernel = opened.kernels[0]?.name ?? "", ...pipeline } = {}) {
      // A separate session: an engine session discards a run with the next one.
      const engine = new EngineSession({ now: () => performance.now() });
      engine.open(1, text, options.format ?? null);
      const threads = IMPORTERS[opened.format]?.input?.threads ?? DEFAULT_THREADS;
      return new PipelineRun(engine, kernel, { ...DEFAULT_PIPELINE, ...pipeline }, threads);
    },
  };
}

class PipelineRun implements Run {
  readonly ok: boolean;
  readonly kernel: string;
  readonly target: string;
  readonly level: number;
  readonly engine: string;
  readonly phases: readonly PhaseRun[];
  readonly diagnostics: readonly Diagnostic[];
  readonly digest: string;
  readonly interventions: readonly InterventionResult[];
  private readonly session: EngineSession;
  private readonly threads: number;

  constructor(session: EngineSession, kernel: string, options: PipelineOptions, threads: number) {
    const { target, level, engine, phases, diagnostics, digest, interventions } = session.run(1, kernel, options);
    this.session = session;
    this.threads = threads;
    this.ok = phases.length > 0 && !diagnostics.some((d) => d.severity === "error");
    this.kernel = kernel;
    this.target = target;
    this.level = level;
    this.engine = engine;
    this.phases = phases;
    this.diagnostics = diagnostics;
    this.digest = digest;
    this.interventions = interventions;
  }

  phase(phase: string | number): PhaseRun | null {
    const found = this.session.lookupPhase(String(phase));
    return found.ok ? (this.phases.find((p) => found.ids.includes(p.id)) ?? null) : null;
  }

  text(at: At = {}): string {
    return this.session.text(this.moment(at)).text;
  }

  trace(phase: string | number): PhaseTrace | null {
    const found = this.phase(phase);
    const info = found === null ? null : this.session.trace(found.run);
    if (found === null || info === null) return null;
    const { session } = this;
    const { id, steps, cut, pseudocode } = info;
    return {
      id,
      steps,
      cut,
      pseudocode,
      event: (step) => session.events(found.run, step, 1)[0] ?? null,
      events: (from = 0, count = steps) => session.events(found.run, from, count),
      state(step) {
        const { entry, blocks, layout, tables, structures } = session.view(found.run, step, null);
        return { entry, blocks, layout: layout ?? [], tables: tables ?? [], structures };
      },
    };
  }

  analyses(at: At = {}): Analyses {
    return this.session.analyses(this.moment(at));
  }

  exec(at: At = {}, request: Partial<ExecRequest> = {}): ExecReport {
    return this.session.exec(this.moment(at), { threads: this.threads, fuel: 1_000_000, args: [], mem: [], ...request });
  }

  history(subject: Subject, phase?: string | number): History {
    return this.session.history(phase === undefined ? null : this.runOf(phase), subject);
  }

  graph(at: At, format: "dot" | "json" | "mermaid"): string {
    return this.session.exportAs(this.moment(at), format);
  }

  async publish(
    format: PublishFormat,
    options: { readonly phases?: readonly (string | number)[]; readonly title?: string; readonly mostSteps?: number } = {},
  ): Promise<string> {
    const { kernel, target, level, engine, phases, diagnostics, digest, interventions } = this;
    const result = { revision: 1, engine, target, level, kernel, phases, diagnostics, digest, interventions };
    const request = {
      format,
      title: options.title ?? kernel,
      runs: options.phases?.map((phase) => this.runOf(phase)) ?? null,
      mostSteps: options.mostSteps ?? USUAL_STEPS,
    };
    return (await publish(this.session, result, request, nodeElk)).text;
  }

  private moment({ phase, step }: At): { readonly run: number; readonly step: number | null } {
    return { run: phase === undefined ? this.phases.length - 1 : this.runOf(phase), step: step ?? null };
  }

  /** A wrong name is a mistake of the program that calls, not of its input. */
  private runOf(phase: string | number): number {
    const found = this.phase(phase);
    if (found === null) throw new RangeError(`There is no phase '${phase}' in this run.`);
    return found.run;
  }
}
