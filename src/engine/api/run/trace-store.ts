/** The traces of a run's phases, made on first use; the least recently used are dropped when they contain too many events. */

import type { Module } from "../../ir/types.ts";
import type { Plan } from "../../pipeline/plan.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import { runPhase } from "../../pipeline/run-phase.ts";
import { DEFAULT_LIMITS, Recording, type RecordingLimits, timesLimits } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";

/** The maximal size of all traces together; one trace is kept regardless of its size. */
const KEPT = 1_500_000;

export class TraceStore {
  /** In the order of last use. */
  private readonly traces = new Map<number, Trace>();
  /** By run, if a longer trace was requested: the factor on the limits. */
  private readonly times = new Map<number, number>();
  private readonly module: Module;
  private readonly plan: Plan;
  private readonly limits: RecordingLimits;

  constructor(module: Module, plan: Plan, limits: RecordingLimits = DEFAULT_LIMITS) {
    this.module = module;
    this.plan = plan;
    this.limits = limits;
  }

  /** Re-executes a phase with the recorder on; null for a position that is not modelled or was not reached. */
  get(run: PositionRun): Trace | null {
    if (run.planned.position?.pass === null || (!run.ran && run.gates.length === 0)) return null;
    const known = this.traces.get(run.run);
    const trace = known ?? this.record(run);
    this.traces.delete(run.run);
    this.traces.set(run.run, trace);
    if (known === undefined) this.shrink();
    return trace;
  }

  /** As `get`, with the usual limits times `times` from now on; a trace that was cut earlier is recorded again. */
  raise(run: PositionRun, times: number): Trace | null {
    if (times > (this.times.get(run.run) ?? 1)) {
      this.times.set(run.run, times);
      if (this.traces.get(run.run)?.cut === true) this.traces.delete(run.run);
    }
    return this.get(run);
  }

  private record(run: PositionRun): Trace {
    const rec = new Recording(run.before, timesLimits(this.limits, this.times.get(run.run) ?? 1), true);
    const fuel = run.fuel === null ? null : { left: run.fuel };
    runPhase(run.planned, run.pass ?? undefined, run.before, { module: this.module, plan: this.plan, rec, fuel });
    return new Trace(rec, run.before);
  }

  private shrink(): void {
    let kept = 0;
    for (const trace of this.traces.values()) kept += trace.weight;
    for (const [run, trace] of this.traces) {
      if (kept <= KEPT || this.traces.size === 1) return;
      this.traces.delete(run);
      kept -= trace.weight;
    }
  }
}
