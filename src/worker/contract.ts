/** What the page may ask of the engine's worker: types only. All calls are asynchronous over the wire; none throws for what a user can cause. */

import type {
  AlignReport,
  Analyses,
  Breakpoint,
  BrilText,
  ExecReport,
  ExecRequest,
  GvnModeReport,
  History,
  KnobRow,
  Moment,
  MomentText,
  OpcodeRow,
  OpenResult,
  PhaseRow,
  PhiFree,
  PipelineOptions,
  Reducibility,
  RegisterLife,
  RunResult,
  SourceFormat,
  SourceNote,
  StateDelta,
  StepCommand,
  Subject,
  SwitchList,
  SwitchRequest,
  TraceInfo,
  UnionGraph,
  WayIn,
} from "../engine/api/types.ts";
import type { TraceEvent } from "../engine/trace/event.ts";
import type { Published, PublishRequest } from "../publish/publish.ts";

/** The engine behind one open document. Revisions are the caller's; an answer says which revision it belongs to. */
export interface EngineApi {
  version(): string;
  /** Reads a text. `format` null: recognise it. Keeps the last module that could be read. */
  open(revision: number, text: string, format: SourceFormat | null): OpenResult;
  /** What stands at a place of a PTX or SASS text; null when the text opened last has another revision, or there is nothing to say. */
  sourceAt(revision: number, line: number, column: number): SourceNote | null;
  /** Runs the pipeline on one kernel of the module opened last. Forgets earlier runs and traces. */
  run(revision: number, kernel: string, options: PipelineOptions): RunResult;
  /**
   * Re-executes one phase with the recorder on (kept until the next `run`; the oldest is dropped when memory is short). `times` 1 or
   * more: the limits of the recording are so many times the usual ones, for this run from now on.
   */
  trace(run: number, times?: number): TraceInfo | null;
  events(run: number, from: number, count: number): readonly TraceEvent[];
  /** State at `step` against the state at `have` of the same run (null: against nothing). */
  view(run: number, step: number, have: number | null): StateDelta;
  /** The next (or previous) step of a run that a command stops at; null when there is none. */
  find(run: number, from: number, direction: 1 | -1, command: StepCommand, breakpoints: readonly Breakpoint[]): number | null;
  /** Every step at which a breakpoint would stop: ticks for the scrubber. */
  breakpointTicks(run: number, breakpoints: readonly Breakpoint[]): Int32Array;
  /** Null when a condition can be read, else what is wrong with it. */
  checkCondition(text: string): string | null;
  /** What happened to a subject: in one run, or in all runs of the pipeline (`run` null). */
  history(run: number | null, subject: Subject): History;
  graph(run: number): UnionGraph;
  analyses(moment: Moment): Analyses;
  /** Whether the graph at a moment is reducible, by the interval test. */
  reducibility(moment: Moment): Reducibility;
  /** The text opened last with the PHIs of one kernel taken out; null when there is no such kernel. */
  phiFree(kernel: string): PhiFree | null;
  text(moment: Moment): MomentText;
  exec(moment: Moment, request: ExecRequest): ExecReport;
  /** The program with the function at a moment as Bril; null when the text that was run is no Bril program. */
  brilAt(moment: Moment): BrilText | null;
  /** The function at a moment beside a function of a SASS listing (null: the one of the same name, or the only kernel): blocks matched, decisions compared. */
  align(moment: Moment, sassText: string, name?: string | null): AlignReport;
  exportAs(moment: Moment, format: "dot" | "json" | "mermaid"): string;
  /** The compare chains at a moment, and one of them with its three strategies measured by the interpreter. */
  switches(moment: Moment, request: SwitchRequest): SwitchList;
  /** Who defines, copies and reads a register before and after each phase that changed that. */
  registerLife(name: string): RegisterLife;
  /** GvnCse in modes 1, 2 and 4 and as it was set, on the input of a run of it; empty for other phases. */
  gvnModes(run: number): readonly GvnModeReport[];
  /** Phases of the last run as a file; null when nothing has run. */
  publish(request: PublishRequest): Published | null;
  /** How texts that are not read here become PTX. */
  waysIn(): readonly WayIn[];
  phases(options: PipelineOptions): readonly PhaseRow[];
  knobs(): readonly KnobRow[];
  opcodes(): readonly OpcodeRow[];
}
