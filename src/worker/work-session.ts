/** What the page works with: an engine session that can also publish what it ran, and that opens recorded traces as if it had run them. */

import { CoreSession, type SessionOptions } from "../engine/api/core-session.ts";
import { ownBlocks } from "../engine/api/pass-analysis.ts";
import type {
  Ahead,
  AlignReport,
  Analyses,
  BisectReport,
  Breakpoint,
  Diagnostic,
  ExecReport,
  ExecRequest,
  FirstResult,
  FutureComparison,
  History,
  LightReport,
  Moment,
  MomentText,
  OpenResult,
  OwnAsk,
  OwnCompared,
  OwnProgram,
  OwnSaid,
  PipelineOptions,
  RungReport,
  RunResult,
  SourceFormat,
  SourceNote,
  StateDelta,
  StepCommand,
  Subject,
  TraceInfo,
  UnionGraph,
  WatchReport,
} from "../engine/api/types.ts";
import { readAnswer } from "../ownpass/requests.ts";
import { looksRecorded } from "../publish/looks-recorded.ts";
import type { Published, PublishRequest } from "../publish/publish.ts";
import type { ReadTrace } from "../publish/read-trace.ts";
import type { TraceSource } from "../publish/record-trace.ts";
import type { RecordedSession } from "../publish/recorded/recorded-session.ts";
import type { TraceDocument } from "../publish/trace-document.ts";
import type { TextEdit } from "./text-edit.ts";

/** Reads and writes recordings; a page lends it when one of either is asked for. */
export interface Recordings {
  /** Of a text that looks like a recording. */
  read(text: string): ReadTrace;
  session(document: TraceDocument): RecordedSession;
  publish(source: TraceSource, result: RunResult, request: PublishRequest): Promise<Published>;
}

export interface WorkOptions extends SessionOptions {
  readonly recordings?: Recordings;
}

/** An engine that nothing was opened in: its answers are those about no program. */
const NOTHING = new CoreSession();

export class WorkSession extends CoreSession {
  private result: RunResult | null = null;
  /** The trace that is open instead of a program. */
  private recorded: readonly RecordedSession[] = [];
  private playing: RecordedSession | null = null;
  private recordings: Recordings | null;

  constructor({ recordings, ...options }: WorkOptions = {}) {
    super(options);
    this.recordings = recordings ?? null;
  }

  lendRecordings(recordings: Recordings): void {
    this.recordings = recordings;
  }

  override open(revision: number, text: string, format: SourceFormat | null): OpenResult {
    if (format === null && looksRecorded(text)) return this.openRecorded(revision, text);
    this.recorded = [];
    this.playing = null;
    return super.open(revision, text, format);
  }

  override openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult {
    if (format === null && looksRecorded(text)) {
      const answer = this.openRecorded(revision, text);
      const shown = answer.kernels.find(({ name }) => name === kernel) ?? answer.kernels[0];
      return { ...answer, shown: answer.ok ? (shown?.name ?? null) : null, left: 0 };
    }
    this.recorded = [];
    this.playing = null;
    return super.openFirst(revision, text, format, kernel);
  }

  /** In this thread a text costs nothing to hand over, and none is kept. */
  openEdited(_revision: number, _edit: TextEdit, _format: SourceFormat | null, _kernel: string | null): FirstResult | null {
    return null;
  }

  private openRecorded(revision: number, text: string): OpenResult {
    const base = { revision, format: "ori" as const, ori: text };
    const { recordings } = this;
    if (recordings === null) return { ...base, ok: false, kernels: [], diagnostics: [WITHOUT_RECORDINGS] };
    const read = recordings.read(text);
    if (!read.ok) return { ...base, ok: false, kernels: [], diagnostics: [message(read.line, "error", "TRC001", read.message)] };
    this.recorded = read.documents.map((document) => recordings.session(document));
    this.playing = this.recorded[0] ?? null;
    const said = "This is a recorded trace: you can step through it as recorded, but options and knobs have no effect.";
    const notes = read.notes.map((note) => message(1, "warning", "TRC002", note));
    return {
      ...base,
      ok: true,
      kernels: this.recorded.map((one) => one.kernel()),
      diagnostics: [...notes, message(1, "info", "TRC003", said)],
    };
  }

  override run(revision: number, kernel: string, options: PipelineOptions): RunResult {
    this.playing = this.recorded.find((one) => one.kernel().name === kernel) ?? this.recorded[0] ?? null;
    this.result = this.playing?.result(revision) ?? super.run(revision, kernel, options);
    return this.result;
  }

  /** In this thread there is nobody else to run them. */
  ahead(_revision: number, _options: PipelineOptions): Ahead | null {
    return null;
  }

  override ownAsk(kernel: string, options: PipelineOptions, afresh = false): OwnAsk | OwnSaid | null {
    return this.recorded.length > 0 ? null : super.ownAsk(kernel, options, afresh);
  }

  lendOwn(id: number, answer: string): OwnSaid {
    const read = readAnswer("run", answer);
    const found = typeof read === "string" ? { failed: { message: read, line: 0 } } : read;
    if ("failed" in found) {
      const said = { changed: false, rewrites: 0, why: null, problem: found.failed };
      this.lendScript(id, { script: [], said });
      return said;
    }
    const { script, thrown, changed, rewrites, why } = found;
    const said = { changed, rewrites, why, problem: thrown };
    this.lendScript(id, { script, said });
    return said;
  }

  override ownProgram(moment: Moment): OwnProgram | null {
    return this.playing === null ? super.ownProgram(moment) : null;
  }

  ownCompared(moment: Moment, of: string | null, answer: string): OwnCompared {
    const read = readAnswer("analyze", answer);
    if (typeof read === "string") return { blocks: [], problem: { message: read, line: 0 } };
    if ("failed" in read) return { blocks: [], problem: read.failed };
    const program = this.ownProgram(moment);
    const blocks = program === null ? [] : ownBlocks(program, of, read.blocks);
    return typeof blocks === "string" ? { blocks: [], problem: { message: blocks, line: 0 } } : { blocks, problem: null };
  }

  override trace(run: number, times = 1): TraceInfo | null {
    return this.playing === null ? super.trace(run, times) : (this.playing.phase(run)?.info() ?? null);
  }

  override events(run: number, from: number, count: number): ReturnType<CoreSession["events"]> {
    if (this.playing === null) return super.events(run, from, count);
    const phase = this.playing.phase(run);
    return phase === null ? [] : Array.from({ length: count }, (_, i) => phase.event(from + i)).filter((event) => event !== null);
  }

  override view(run: number, step: number, have: number | null): StateDelta {
    const phase = this.playing?.phase(run) ?? null;
    return phase === null ? super.view(run, step, have) : phase.view(step, have);
  }

  override find(run: number, from: number, direction: 1 | -1, command: StepCommand, breakpoints: readonly Breakpoint[]): number | null {
    if (this.playing === null) return super.find(run, from, direction, command, breakpoints);
    return command.kind === "object" ? this.playing.find(run, from, direction, command.subject) : null;
  }

  override breakpointTicks(run: number, breakpoints: readonly Breakpoint[]): Int32Array {
    return this.playing === null ? super.breakpointTicks(run, breakpoints) : this.playing.ticks(run, breakpoints);
  }

  override history(run: number | null, subject: Subject): History {
    return this.playing === null ? super.history(run, subject) : this.playing.history(run, subject);
  }

  override graph(run: number): UnionGraph {
    return this.playing === null ? super.graph(run) : (this.playing.phase(run)?.graph() ?? NOTHING.graph(run));
  }

  override text(moment: Moment): MomentText {
    return this.playing === null ? super.text(moment) : this.playing.text(moment);
  }

  override summary(run: number): string {
    return this.playing === null ? super.summary(run) : this.playing.summary(run);
  }

  // What only a program has: of a recorded trace the answers are those about nothing.

  override sourceAt(revision: number, line: number, column: number): SourceNote | null {
    return this.playing === null ? super.sourceAt(revision, line, column) : null;
  }

  override analyses(moment: Moment): Analyses {
    return this.playing === null ? super.analyses(moment) : NOTHING.analyses(moment);
  }

  override exec(moment: Moment, request: ExecRequest): ExecReport {
    return this.playing === null ? super.exec(moment, request) : NOTHING.exec(moment, request);
  }

  override align(moment: Moment, sassText: string, name: string | null = null): AlignReport {
    return this.playing === null ? super.align(moment, sassText, name) : NOTHING.align(moment, sassText, name);
  }

  override exportAs(moment: Moment, format: "dot" | "json" | "mermaid"): string {
    return this.playing === null ? super.exportAs(moment, format) : NOTHING.exportAs(moment, format);
  }

  override watch(text: string, run: number | null): WatchReport | string {
    return this.playing === null ? super.watch(text, run) : "the state of a recorded trace is not watched";
  }

  override compareFutures(...args: Parameters<CoreSession["compareFutures"]>): FutureComparison | string {
    return this.playing === null ? super.compareFutures(...args) : "a recorded trace has no other futures";
  }

  override futureText(kernel: string, options: PipelineOptions, run: number | null): string {
    return this.playing === null ? super.futureText(kernel, options, run) : "";
  }

  override light(...args: Parameters<CoreSession["light"]>): LightReport | null {
    return this.playing === null ? super.light(...args) : null;
  }

  override bisect(...args: Parameters<CoreSession["bisect"]>): BisectReport | null {
    return this.playing === null ? super.bisect(...args) : null;
  }

  override rung(n: number, input: ExecRequest | null): RungReport | null {
    return this.playing === null ? super.rung(n, input) : null;
  }

  async publish(request: PublishRequest): Promise<Published | null> {
    if (this.recordings === null) throw new Error("The code that writes files could not be loaded. Reload the page.");
    return this.result === null || this.result.phases.length === 0 ? null : this.recordings.publish(this, this.result, request);
  }
}

const message = (line: number, severity: Diagnostic["severity"], code: string, text: string): Diagnostic => ({
  line,
  column: 1,
  length: 0,
  severity,
  code,
  message: text,
  suggestion: null,
});

const WITHOUT_RECORDINGS: Diagnostic = {
  ...message(1, "error", "TRC004", "The code that reads recorded traces could not be loaded."),
  suggestion: "Reload the page.",
};
