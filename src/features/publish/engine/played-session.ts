/** A recorded trace instead of a program: it answers as if it had run the phases, and for what was not recorded as an engine without a program. */

import { CoreSession } from "../../../engine/api/core-session.ts";
import type { Readers } from "../../../engine/api/read/readers.ts";
import type {
  Breakpoint,
  History,
  Moment,
  MomentText,
  PipelineOptions,
  RunResult,
  StateDelta,
  StepCommand,
  Subject,
  TraceInfo,
  UnionGraph,
  WatchReport,
} from "../../../engine/api/types.ts";
import type { RecordedSession } from "./recorded/recorded-session.ts";

export class PlayedSession extends CoreSession {
  private readonly functions: readonly RecordedSession[];
  private playing: RecordedSession | undefined;

  constructor(functions: readonly RecordedSession[], readers: Readers) {
    super({ readers });
    this.functions = functions;
    this.playing = functions[0];
  }

  override run(revision: number, kernel: string, options: PipelineOptions): RunResult {
    this.playing = this.functions.find((one) => one.kernel().name === kernel) ?? this.functions[0];
    return this.playing?.result(revision) ?? super.run(revision, kernel, options);
  }

  override trace(run: number): TraceInfo | null {
    return this.playing?.phase(run)?.info() ?? null;
  }

  override events(run: number, from: number, count: number): ReturnType<CoreSession["events"]> {
    const phase = this.playing?.phase(run) ?? null;
    return phase === null ? [] : Array.from({ length: count }, (_, i) => phase.event(from + i)).filter((event) => event !== null);
  }

  override view(run: number, step: number, have: number | null): StateDelta {
    return this.playing?.phase(run)?.view(step, have) ?? super.view(run, step, have);
  }

  override find(run: number, from: number, direction: 1 | -1, command: StepCommand): number | null {
    return command.kind === "object" ? (this.playing?.find(run, from, direction, command.subject) ?? null) : null;
  }

  override breakpointTicks(run: number, breakpoints: readonly Breakpoint[]): Int32Array {
    return this.playing?.ticks(run, breakpoints) ?? new Int32Array(0);
  }

  override history(run: number | null, subject: Subject): History {
    return this.playing?.history(run, subject) ?? super.history(run, subject);
  }

  override graph(run: number): UnionGraph {
    return this.playing?.phase(run)?.graph() ?? super.graph(run);
  }

  override text(moment: Moment): MomentText {
    return this.playing?.text(moment) ?? super.text(moment);
  }

  override summary(run: number): string {
    return this.playing?.summary(run) ?? "";
  }

  override watch(): WatchReport | string {
    return "the state of a recorded trace is not watched";
  }
}
