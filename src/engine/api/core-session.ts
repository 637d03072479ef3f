/** The engine of one open document: plain data in, plain data out; nothing throws for what a user can cause. */

import { intervalTest } from "../analysis/reducible.ts";
import type { WrittenProgram } from "../import/reader.ts";
import { calleesOf } from "../ir/callees.ts";
import type { Func, Module } from "../ir/types.ts";
import { DEFAULT_OPTIONS } from "../pipeline/defaults.ts";
import { effectiveLevel } from "../pipeline/gates.ts";
import { lookupPhase } from "../pipeline/named-phases.ts";
import { planPipeline } from "../pipeline/plan.ts";
import type { PositionRun } from "../pipeline/run.ts";
import { printFunc, printFuncWithMap, printModule, withFunc } from "../text/printer.ts";
import { conditionProblem } from "../trace/condition.ts";
import type { TraceEvent } from "../trace/event.ts";
import { breakpointSteps, findStep } from "../trace/find.ts";
import { Recording, type RecordingLimits } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import { analysesOf } from "./analysis/analyses.ts";
import { type ControlFlowReport, controlFlowReport } from "./analysis/control-flow.ts";
import { type GvnModeReport, gvnModes } from "./analysis/gvn-modes.ts";
import { phiFree } from "./analysis/phi-free.ts";
import { type SwitchList, type SwitchRequest, switchList } from "./analysis/switches.ts";
import { execute } from "./exec/exec.ts";
import type { OwnScripts } from "./own/phase.ts";
import { guestProgram } from "./own/program.ts";
import { OpenText } from "./read/open-text.ts";
import type { ReadResult } from "./read/read-with.ts";
import type { Readers } from "./read/readers.ts";
import type { SourceNote } from "./read/source-notes.ts";
import { TOOLCHAINS } from "./read/toolchains.ts";
import type { Reason } from "./reasons/evidence.ts";
import { type LineChange, lineChanges } from "./reasons/line-changes.ts";
import { reasonsAt } from "./reasons/reasons.ts";
import { type RegisterLife, registerLife } from "./reasons/register-life.ts";
import { runHistory } from "./reasons/run-history.ts";
import { type SubjectLife, subjectLife } from "./reasons/subject-life.ts";
import { checkWatch, placed, watchRuns } from "./run/breakpoints.ts";
import { compareRuns } from "./run/compare.ts";
import { knobProblem, orderBreaks } from "./run/interventions.ts";
import { planDiagnostic } from "./run/phase-run.ts";
import { MOST_CHECKED, type Ran, RunStore, type TransferredRun } from "./run/run-store.ts";
import { settled } from "./run/settle.ts";
import { stateDelta } from "./run/state.ts";
import { traceInfo } from "./run/trace-info.ts";
import { TraceStore } from "./run/trace-store.ts";
import type {
  Analyses,
  Breakpoint,
  Diagnostic,
  ExecReport,
  ExecRequest,
  FirstResult,
  History,
  KnobRow,
  Moment,
  MomentText,
  OpcodeRow,
  OpenResult,
  OwnAsk,
  OwnProgram,
  OwnSaid,
  PhaseRow,
  PhiFree,
  PipelineOptions,
  Reducibility,
  RunComparison,
  RunResult,
  SourceFormat,
  StateDelta,
  StepCommand,
  Subject,
  Toolchain,
  TraceInfo,
  UnionGraph,
  WatchCheck,
  WatchReport,
} from "./types.ts";
import { ENGINE_VERSION } from "./version.ts";
import { exportFunc } from "./view/export.ts";
import { type HandbookTables, handbookTables } from "./view/handbook.ts";
import { knobRows, opcodeRows, phaseRows } from "./view/rows.ts";
import { type RuleRow, ruleRows } from "./view/rule-rows.ts";
import { unionGraph } from "./view/union-graph.ts";

/** What a session has open at the time of a question. */
export interface Asked {
  readonly opened: ReadResult | null;
  readonly ran: Ran | null;
  readonly readers: Readers;
}

export interface SessionOptions {
  /** Milliseconds of any origin, for timing phases. */
  readonly now?: () => number;
  readonly limits?: RecordingLimits;
  /** How many instructions of earlier runs are kept; default a million. */
  readonly keep?: number;
  /** A page adds them to this object later, when they are needed. */
  readonly readers?: Readers;
}

/** Inputs on which two runs are compared, by default. */
const DEFAULT_COMPARED = 8;
/** Events given by one call of `events`. */
const MOST_EVENTS = 20_000;

export class CoreSession {
  private readonly options: SessionOptions;
  private ran: Ran | null = null;
  readonly runs: RunStore;
  private readonly source: OpenText;
  private readonly readers: Readers;

  constructor(options: SessionOptions = {}) {
    this.options = options;
    this.readers = options.readers ?? {};
    this.runs = new RunStore(options);
    this.source = new OpenText(this.runs, options.now);
  }

  /** What questions of features are about. */
  asked(): Asked {
    return { opened: this.source.whole, ran: this.ran, readers: this.readers };
  }

  version(): string {
    return ENGINE_VERSION;
  }

  /** Reads a text. If it has errors, the previously opened module stays. */
  open(revision: number, text: string, format: SourceFormat | null): OpenResult {
    return this.source.open(revision, text, format, this.readers);
  }

  /**
   * Reads as much of a text as is needed to run a kernel (null: the first one that can be run); `openMore` reads more. If that kernel has errors,
   * the previously opened module stays; with errors elsewhere it does not.
   */
  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult {
    return this.source.openFirst(revision, text, format, kernel, this.readers);
  }

  /** Reads more of the text that `openFirst` began; null if a different one was opened since. */
  openMore(revision: number): FirstResult | null {
    return this.source.openMore(revision);
  }

  /** The module opened last as text. */
  printed(): string {
    return this.source.whole === null ? "" : printModule(this.source.whole.module);
  }

  /** One kernel of the module opened last with the functions that it calls, for a session elsewhere to `adopt`; null when there is none of that name. */
  alone(kernel: string): Module | null {
    const module = this.source.whole?.module;
    const fn = module?.funcs.find((f) => f.name === kernel);
    return module === undefined || fn === undefined ? null : { ...module, funcs: [fn, ...calleesOf(fn, module)] };
  }

  /** Opens a module that a session elsewhere has read and found right. */
  adopt(module: Module): void {
    this.ran = null;
    this.source.adopt(module);
  }

  /** Runs a kernel of a module for a session elsewhere, which `adoptRun` takes over. */
  runFor(module: Module, kernel: string, options: PipelineOptions): TransferredRun | null {
    this.adopt(module);
    return this.runs.transferable(kernel, options);
  }

  /** Keeps a run of a kernel of the text opened last that a session elsewhere did. */
  adoptRun(kernel: string, options: PipelineOptions, transferred: TransferredRun): void {
    this.runs.adoptRun(kernel, options, transferred);
  }

  /** Kernels of a long text that could be run ahead of being chosen; empty for any other text. */
  others(revision: number, options: PipelineOptions): readonly string[] {
    return this.source.kernelsOfLong(revision).filter((name) => !this.runs.has(name, options));
  }

  /** What the most recently opened text has at a line and column; null for Ori, for a text of a different revision, and where nothing is known. */
  sourceAt(revision: number, line: number, column: number): SourceNote | null {
    return this.source.noteAt(revision, line, column);
  }

  /** What a run of the text opened last with these options would be for. */
  planned(options: PipelineOptions): { readonly target: string; readonly level: number } {
    const { plan } = this.source.planFor(options);
    return { target: plan.target.id, level: plan.level };
  }

  /**
   * `upTo`, addresses or phases: nothing after the last of them is run, and the result has no digest. With interventions or a user's pass everything is run:
   * their effect is part of the result.
   */
  run(revision: number, kernel: string, options: PipelineOptions, upTo: readonly string[] = []): RunResult {
    // The steps of one run at a time: they take more room than the programs.
    if (this.ran !== null) this.ran.traces = new TraceStore(this.ran.module, this.ran.plan, this.options.limits);
    this.source.need(kernel);
    const { ran, result } = this.runs.with(revision, kernel, options, upTo);
    this.ran = ran;
    if (ran !== null && ran.program !== null && upTo.length === 0) this.runs.ended.set(kernel, ran.pipeline.result);
    return { ...result, revision };
  }

  /** The request that the code of the user's pass must answer before these options can run, or its answer; null: the run does not reach the pass. */
  ownAsk(kernel: string, options: PipelineOptions, afresh = false): OwnAsk | OwnSaid | null {
    this.source.need(kernel);
    return this.runs.ownAsk(kernel, options, afresh);
  }

  /** The program at a moment, as passed to the code of an analysis; null: there is none. */
  ownProgram(moment: Moment): OwnProgram | null {
    const fn = this.soundAt(moment);
    const module = this.ran?.module ?? this.source.whole?.module;
    if (fn === null || module === undefined) return null;
    return { ...guestProgram(fn, module), blocks: fn.layout.map((id) => [id, fn.blocks[id]?.label ?? ""] as const) };
  }

  /** Accepts the answer to a question of `ownAsk`; false: no such question waits. */
  answerOwn(...answer: Parameters<OwnScripts["answer"]>): boolean {
    return this.runs.answerOwn(...answer);
  }

  trace(run: number, times = 1): TraceInfo | null {
    const found = this.runAt(run);
    const trace = found === null ? null : (this.ran?.traces.raise(found, times) ?? null);
    if (found === null || trace === null) return null;
    return traceInfo(run, found.planned.id, trace, found.pass?.pseudocode ?? []);
  }

  events(run: number, from: number, count: number): readonly TraceEvent[] {
    const trace = this.traceAt(run);
    if (trace === null) return [];
    const first = Math.max(0, from);
    const end = Math.min(trace.steps, first + Math.min(count, MOST_EVENTS));
    return Array.from({ length: Math.max(0, end - first) }, (_, i) => trace.event(first + i));
  }

  /** Why the rewrite was made that a step makes or belongs to; empty where it rewrites nothing. */
  reasons(run: number, step: number): readonly Reason[] {
    const trace = this.traceAt(run);
    const table = this.runAt(run)?.pass?.rules ?? null;
    return trace === null || step < 0 || step >= trace.steps ? [] : reasonsAt(trace, table, step);
  }

  view(run: number, step: number, have: number | null): StateDelta {
    const found = this.runAt(run);
    if (found === null) return emptyDelta(run);
    // A phase that did not run has no steps, and the program is unchanged.
    const trace = this.traceAt(run) ?? new Trace(new Recording(found.before), found.before);
    return stateDelta(trace, run, step, have);
  }

  find(run: number, from: number, direction: 1 | -1, command: StepCommand, breakpoints: readonly Breakpoint[]): number | null {
    const trace = this.traceAt(run);
    return trace === null ? null : findStep(trace, from, direction, command, placed(trace, breakpoints));
  }

  breakpointTicks(run: number, breakpoints: readonly Breakpoint[]): Int32Array {
    const trace = this.traceAt(run);
    return trace === null ? new Int32Array(0) : breakpointSteps(trace, placed(trace, breakpoints));
  }

  checkCondition(text: string): string | null {
    return conditionProblem(text);
  }

  /** Steps at which a condition on the state becomes true, over all runs or (by index) one; a string says what is wrong with the condition. */
  watch(text: string, run: number | null): WatchReport | string {
    return watchRuns(text, this.runsOf(run), (one) => this.ran?.traces.get(one) ?? null);
  }

  orderBreaks(before: readonly string[], orders: readonly (readonly string[])[]): readonly (readonly string[])[] {
    return orderBreaks(before, orders);
  }

  checkKnob(assignment: string): string | null {
    return knobProblem(assignment);
  }

  checkWatch(text: string): WatchCheck {
    return checkWatch(text, this.ran?.input ?? null);
  }

  history(run: number | null, subject: Subject): History {
    return runHistory(this.runsOf(run), (one) => this.ran?.traces.get(one) ?? null, subject, run !== null);
  }

  /** The phases that changed a subject; null for a row of a table. Without `steps` no phase is traced for it. */
  life(subject: Subject, steps = true): SubjectLife | null {
    return subjectLife(this.runsOf(null), (one) => (steps ? (this.ran?.traces.get(one) ?? null) : null), subject);
  }

  /** For each changed line of the source: the run that changed it last, up to a moment. */
  lineChanges(moment: Moment): readonly LineChange[] {
    const runs = this.ran?.pipeline.runs.slice(0, moment.run + 1) ?? [];
    return lineChanges(runs.map((one) => [one.run, one.before, one.run === moment.run ? (this.funcAt(moment) ?? one.after) : one.after]));
  }

  graph(run: number): UnionGraph {
    const found = this.runAt(run);
    if (found === null) return { run, entry: -1, blocks: [], edges: [], loops: [] };
    return unionGraph(run, found.before, found.after, found.changed ? this.traceAt(run) : null);
  }

  analyses(moment: Moment): Analyses {
    const fn = this.soundAt(moment);
    return fn === null ? NO_ANALYSES : analysesOf(fn);
  }

  /** The table of rules of a phase; empty when it has none. */
  rules(phase: string): readonly RuleRow[] {
    return ruleRows(phase);
  }

  /** Whether the graph at a moment is reducible, by the interval test. */
  reducibility(moment: Moment): Reducibility {
    const fn = this.soundAt(moment);
    return fn === null ? { reducible: true, t1: 0, t2: 0, left: [] } : intervalTest(fn);
  }

  /** The text opened last with the PHIs of one of its bodies taken out; null when it has none of that name. */
  phiFree(kernel: string): PhiFree | null {
    const module = this.source.whole?.module;
    return module === undefined ? null : phiFree(module, kernel);
  }

  text(moment: Moment): MomentText {
    const fn = this.funcAt(moment);
    return fn === null ? { text: "", blockOfLine: new Int32Array(0), instOfLine: new Int32Array(0) } : printFuncWithMap(fn);
  }

  /** The whole module with the function that was run as it is at a moment; empty if nothing was run. */
  moduleText(moment: Moment): string {
    const fn = this.funcAt(moment);
    return this.ran === null || fn === null ? "" : printModule(withFunc(this.ran.module, this.ran.input, fn));
  }

  exec(moment: Moment, request: ExecRequest): ExecReport {
    return execute(this.ran?.module ?? null, this.soundAt(moment), request, this.ran?.program ?? null, this.readers);
  }

  /** The program in its own language with one function as it is at a moment, the others as they were read; null: there is no writer for the language. */
  writtenAt(moment: Moment): WrittenProgram | null {
    const fn = this.soundAt(moment);
    const { program, module } = this.ran ?? { program: null, module: null };
    if (fn === null || program === null) return null;
    return program.write(program.functions.flatMap((name) => (name === fn.name ? fn : (module?.funcs.find((f) => f.name === name) ?? []))));
  }

  /** Kernels in the language of the text, in its order: each as the last run on it left it, else as it was read. Null: the language is not written. */
  written(kernels: readonly string[]): WrittenProgram | null {
    const { module, program } = this.source.whole ?? { module: null, program: null };
    if (module === null || program === null) return null;
    const wanted = program.functions.filter((name) => kernels.includes(name));
    return program.write(wanted.flatMap((name) => this.runs.ended.get(name) ?? module.funcs.find((fn) => fn.name === name) ?? []));
  }

  /** Two runs of a kernel: the phases after which they differ, and of the program at a moment of each (default: its end) the size and what it executes on the same inputs; a string says why there is none. */
  compareRuns(
    kernel: string,
    a: PipelineOptions,
    b: PipelineOptions,
    inputs = DEFAULT_COMPARED,
    seed = 1,
    // The last one, since engines of earlier releases do not know it.
    at: readonly [Moment, Moment] | null = null,
  ): RunComparison | string {
    const [x, y] = [this.runs.with(0, kernel, a), this.runs.with(0, kernel, b)];
    for (const { ran, result } of [x, y]) {
      if (ran === null) return result.diagnostics.find((d) => d.severity === "error")?.message ?? "it could not be run";
    }
    if (x.ran === null || y.ran === null) return "it could not be run";
    const { input, module } = x.ran;
    const options = { inputs: Math.min(Math.max(1, inputs), MOST_CHECKED), seed };
    const [first, second] = [x.ran.pipeline, y.ran.pipeline];
    const [atFirst, atSecond] = at === null ? [first.result, second.result] : [funcOf(x.ran, at[0]), funcOf(y.ran, at[1])];
    if (atFirst === null || atSecond === null) return "the run has no such step";
    return compareRuns(input, module, first, second, [settled(atFirst), settled(atSecond)], options);
  }

  exportAs(moment: Moment, format: "dot" | "json" | "mermaid"): string {
    const fn = this.soundAt(moment);
    return fn === null ? "" : exportFunc(fn, format);
  }

  /** The compare chains at a moment, and one of them with its three strategies measured. */
  switches(moment: Moment, request: SwitchRequest): SwitchList {
    const fn = this.soundAt(moment);
    const plan = this.ran?.plan ?? planPipeline(DEFAULT_OPTIONS, null).plan;
    if (fn === null) return { switches: [], head: null, report: null, blocks: [], policy: plan.policy };
    return switchList(fn, plan, request);
  }

  /** Who defines, copies and reads a register before and after each phase that changed that. */
  registerLife(name: string): RegisterLife {
    if (this.ran === null) return { input: null, stages: [] };
    const runs = this.ran.pipeline.runs.filter((r) => r.changed);
    return registerLife(
      name,
      this.ran.input,
      runs.map(({ run, planned, before, after }) => ({ run, phase: planned.id, before, after })),
    );
  }

  /** GvnCse in several modes on the input of a run of it, side by side; empty if the run is not one of GvnCse. */
  gvnModes(run: number): readonly GvnModeReport[] {
    const found = this.runAt(run);
    if (this.ran === null || found === null || found.planned.id !== "gvn-cse") return [];
    const { module, plan } = this.ran;
    return gvnModes(found.before, module, plan, effectiveLevel(plan.level, plan.knobs));
  }

  /** How texts that are not read here become PTX. */
  waysIn(): readonly Toolchain[] {
    return TOOLCHAINS;
  }

  phases(options: PipelineOptions): readonly PhaseRow[] {
    return phaseRows(this.source.planFor(options).plan);
  }

  knobs(): readonly KnobRow[] {
    return knobRows();
  }

  opcodes(): readonly OpcodeRow[] {
    return opcodeRows();
  }

  /** Every position, knob and opcode, with the gates' decisions under the options and their place in the reference. */
  handbook(options: PipelineOptions): HandbookTables {
    return handbookTables(this.source.planFor(options).plan);
  }

  /** What is wrong with options, without running anything. */
  checkOptions(options: PipelineOptions): readonly Diagnostic[] {
    return this.source.planFor(options).problems.map(planDiagnostic);
  }

  /** The position ids that a number, id or name selects. */
  lookupPhase(text: string): { readonly ok: true; readonly ids: readonly string[] } | { readonly ok: false; readonly message: string } {
    return lookupPhase(text);
  }

  /** Target and symbols of the module opened last, as text before a body's own. */
  headerText(target: string | null = null): string {
    const module = this.source.whole?.module;
    return module === undefined ? "" : printModule({ ...module, target: target ?? module.target, funcs: [], tail: [] });
  }

  /** Canonical text of one body of the module opened last. */
  kernelText(name: string): string {
    const fn = this.source.whole?.module.funcs.find((f) => f.name === name);
    return fn === undefined ? "" : printFunc(fn);
  }

  /** Labels of the blocks that exist at any step of a run (-1: of the pipeline's input). */
  labelsOf(run: number): (block: number) => string {
    const trace = run < 0 ? null : this.traceAt(run);
    if (trace !== null) return (block) => trace.label(block);
    const fn = this.funcAt({ run, step: null });
    return (block) => fn?.blocks[block]?.label ?? `#${block}`;
  }

  /** Blocks, dominators and loops of every body of the module opened last, by label. */
  controlFlow(): readonly ControlFlowReport[] {
    return (this.source.whole?.module.funcs ?? []).map(controlFlowReport);
  }

  /** Blocks, dominators and loops at a moment, by label; null when nothing has run. */
  controlFlowAt(moment: Moment): ControlFlowReport | null {
    const fn = this.soundAt(moment);
    return fn === null ? null : controlFlowReport(fn);
  }

  /** One line about a run: what it did or why it did nothing. */
  summary(run: number): string {
    return this.runAt(run)?.summary ?? "";
  }

  private runAt(run: number): PositionRun<Diagnostic> | null {
    return this.ran?.pipeline.runs[run] ?? null;
  }

  /** The phases that ran, or the one with an index. */
  private runsOf(run: number | null): readonly PositionRun<Diagnostic>[] {
    if (run === null) return (this.ran?.pipeline.runs ?? []).filter((r) => r.ran);
    const found = this.runAt(run);
    return found === null ? [] : [found];
  }

  private traceAt(run: number): Trace | null {
    const found = this.runAt(run);
    return found === null ? null : (this.ran?.traces.get(found) ?? null);
  }

  /** The function at a moment with edges that agree with its branches, even in the middle of a rewrite. */
  soundAt(moment: Moment): Func | null {
    const fn = this.funcAt(moment);
    return fn === null ? null : settled(fn);
  }

  /** The function at a moment; later requests do not change it. */
  private funcAt(moment: Moment): Func | null {
    if (this.ran !== null) return funcOf(this.ran, moment);
    return moment.run < 0 ? (this.source.whole?.module.funcs[0] ?? null) : null;
  }
}

function funcOf({ input, pipeline, traces }: Ran, { run, step }: Moment): Func | null {
  if (run < 0) return input;
  const found = pipeline.runs[run];
  if (found === undefined || step === null) return found?.after ?? null;
  if (step < 0) return found.before;
  return traces.get(found)?.snapshotAt(step) ?? found.after;
}

const NO_ANALYSES: Analyses = {
  idom: [],
  ipdom: [],
  loops: [],
  loopsCut: null,
  innermost: [],
  retreatingEdges: [],
  irreducible: false,
  liveIn: [],
  liveOut: [],
  liveCut: null,
  divergent: [],
  divergenceCapped: false,
};

const emptyDelta = (run: number): StateDelta => ({
  run,
  step: -1,
  reset: true,
  name: "",
  entry: -1,
  blocks: [],
  removedBlocks: [],
  layout: [],
  tables: [],
  funcFlags: 0,
  structures: [],
  event: null,
  stack: [],
  changed: { blocks: [], insts: [] },
});
