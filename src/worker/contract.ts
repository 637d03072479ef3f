/** What the page may ask of the engine's worker: types only. All calls are asynchronous over the wire; none throws for what a user can cause. */

import type { HandbookTables } from "../engine/api/handbook.ts";
import type {
  Ahead,
  AlignReport,
  Analyses,
  BisectReport,
  Breakpoint,
  BrilText,
  ConditionRow,
  Diagnostic,
  ExecReport,
  ExecRequest,
  FirstResult,
  FutureComparison,
  GvnModeReport,
  History,
  KnobRow,
  LightReport,
  LineChange,
  Moment,
  MomentText,
  NeedReport,
  OpcodeRow,
  OpenResult,
  OwnAsk,
  OwnCompared,
  OwnProgram,
  OwnSaid,
  PhaseRow,
  PhiFree,
  PipelineOptions,
  Reducibility,
  RegisterLife,
  RuleRow,
  RungReport,
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
  WatchCheck,
  WatchReport,
  WayIn,
} from "../engine/api/types.ts";
import type { TraceEvent } from "../engine/trace/event.ts";
import type { Published, PublishRequest } from "../publish/publish.ts";
import type { TextEdit } from "./text-edit.ts";

/** The engine behind one open document. Revisions are the caller's; an answer says which revision it belongs to. */
export interface EngineApi {
  version(): string;
  /** Reads a text. `format` null: recognise it. Keeps the last module that could be read. */
  open(revision: number, text: string, format: SourceFormat | null): OpenResult;
  /** As `open`, but only as much of the text as it takes to run a kernel (null: the first that can be run); `openMore` reads on. Errors elsewhere do not matter to it. */
  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult;
  /** As `openFirst`, of the text given last with a part of it replaced; null: that is not the text which was meant. The client asks it where it was asked `openFirst`. */
  openEdited(revision: number, edit: TextEdit, format: SourceFormat | null, kernel: string | null): FirstResult | null;
  /** Reads more of the text that `openFirst` began, for a moment; null when another one was opened since. */
  openMore(revision: number): FirstResult | null;
  /** The module opened last as Ori text. */
  printed(): string;
  /** What stands at a place of a PTX or SASS text; null when the text opened last has another revision, or there is nothing to say. */
  sourceAt(revision: number, line: number, column: number): SourceNote | null;
  /** Runs the pipeline on one kernel of the module opened last. Forgets earlier runs and traces. */
  run(revision: number, kernel: string, options: PipelineOptions): RunResult;
  /**
   * What the code of the pass of one's own in the options has to be asked before they can be run, or what it said when it was asked; null: it is not reached.
   * `afresh`: it is asked again.
   */
  ownAsk(kernel: string, options: PipelineOptions, afresh?: boolean): OwnAsk | OwnSaid | null;
  /** What its sandbox answered to a question of `ownAsk`, as it came. */
  lendOwn(id: number, answer: string): OwnSaid;
  /** The program at a moment as the code of an analysis is given it; null: there is none. */
  ownProgram(moment: Moment): OwnProgram | null;
  /** What the sandbox answered, as it came, of the analysis on the program at a moment: block by block, beside `of`, which names one of ours (null: none). */
  ownCompared(moment: Moment, of: string | null, answer: string): OwnCompared;
  /**
   * Runs the other kernels of a long text that was read, in further workers, for when they are chosen. Answers whenever another one is done, until all are; null:
   * there is nothing to be run ahead, or another text or other options have come.
   */
  ahead(revision: number, options: PipelineOptions): Ahead | null;
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
  /** Steps at which a condition on the state becomes true, in all runs (`run` null) or one; a string says what is wrong with it. */
  watch(text: string, run: number | null): WatchReport | string;
  checkWatch(text: string): WatchCheck;
  /** For each other order of phases, by id: the sentences of what it breaks that the given one does not. */
  orderBreaks(before: readonly string[], orders: readonly (readonly string[])[]): readonly (readonly string[])[];
  /** What is wrong with `NAME=VALUE`; null when it can be set. */
  checkKnob(assignment: string): string | null;
  /** What happened to a subject: in one run, or in all runs of the pipeline (`run` null). */
  history(run: number | null, subject: Subject): History;
  /** For each line of the source that is not as it was read: the run that changed it last, up to a moment. */
  lineChanges(moment: Moment): readonly LineChange[];
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
  publish(request: PublishRequest): Promise<Published | null>;
  /** Two futures of a kernel beside each other; a string says why there is nothing to compare. */
  compareFutures(kernel: string, a: PipelineOptions, b: PipelineOptions, inputs?: number, seed?: number): FutureComparison | string;
  /** The program of a future after one of its runs (-1: the input, null: the end); empty where it could not be run. */
  futureText(kernel: string, options: PipelineOptions, run: number | null): string;
  /** Whether the program after the first `n` rewrites of the last run still means what it did; null: there are not so many. */
  light(n: number, inputs?: number, seed?: number): LightReport | null;
  /** The first rewrite of the last run after which the program means something else. `scan`: look at all of them; null: where they are few. */
  bisect(inputs?: number, seed?: number, scan?: boolean | null): BisectReport | null;
  /** The programs before and after the `n`-th rewrite of the last run, and what both do on an input. */
  rung(n: number, input: ExecRequest | null): RungReport | null;
  /** The conditions under which a phase (null: any) refuses a candidate. */
  conditions(phase: string | null): readonly ConditionRow[];
  /** Searches a program and an input that differ without a condition (`ID:CONDITION`); `own`: the kernel of the last run is tried first. A string: what is wrong. */
  searchNeed(condition: string, count: number, seed: number, own: boolean, options: PipelineOptions): NeedReport | string;
  /** What is wrong with a text that should take a kernel's place in the middle of a run, with places in the text. */
  checkEdit(kernel: string, text: string): readonly Diagnostic[];
  /** How texts that are not read here become PTX. */
  waysIn(): readonly WayIn[];
  phases(options: PipelineOptions): readonly PhaseRow[];
  knobs(): readonly KnobRow[];
  opcodes(): readonly OpcodeRow[];
  /** Every position, knob and opcode, with what the gates say under the options and where the reference has them. */
  handbook(options: PipelineOptions): HandbookTables;
  /** The table of rules of a phase; empty when it has none. */
  rules(phase: string): readonly RuleRow[];
}
