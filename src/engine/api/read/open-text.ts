/** The open text: what was read of it, and what it is planned with. If a text has errors, the previously opened one stays. */

import type { Module } from "../../ir/types.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { printModule } from "../../text/printer.ts";
import type { RunStore } from "../run/run-store.ts";
import type { FirstResult, OpenResult, PipelineOptions, SourceFormat } from "../types.ts";
import { kernelInfo } from "../view/func-view.ts";
import { beginPtx, type ReadResult, readWith } from "./read-with.ts";
import type { Readers } from "./readers.ts";
import { type SourceNote, type SourceNotes, sourceNotes } from "./source-notes.ts";
import { StagedText } from "./staged-text.ts";

/** Texts shorter than this are read in one go, which is fast. */
const STAGED_CHARACTERS = 100_000;
/** Reading runs in slices of this many milliseconds, so that other requests do not wait. */
const SLICE_MS = 25;

export class OpenText {
  private readonly runs: Pick<RunStore, "open" | "goOn">;
  /** Milliseconds of any origin; without a clock a text is read to its end in one go. */
  private readonly now: (() => number) | undefined;
  private read: ReadResult | StagedText | null = null;
  /** The text that `openFirst` began, unless a different one was opened since; its kernel may have errors and not be open. */
  private staged: StagedText | null = null;
  private source: SourceNotes | null = null;

  constructor(runs: Pick<RunStore, "open" | "goOn">, now: (() => number) | undefined) {
    this.runs = runs;
    this.now = now;
  }

  /** What was opened last and could be read; for a text still being read, all of it. */
  get whole(): ReadResult | null {
    if (!(this.read instanceof StagedText)) return this.read;
    this.read.whole();
    return this.read.usable();
  }

  planFor(options: PipelineOptions): ReturnType<typeof planPipeline> {
    const { read } = this;
    if (read instanceof StagedText) return planPipeline(options, read.target, true);
    return planPipeline(options, read?.module.target ?? null, read?.format === "ptx");
  }

  open(revision: number, text: string, format: SourceFormat | null, readers: Readers): OpenResult {
    const read = this.readAll(revision, text, format, readers);
    return { ...answerOf(revision, read), ori: printModule(read.module) };
  }

  /**
   * Reads as much of a text as is needed to run a kernel (null: the first one that can be run); `openMore` reads more. If that kernel has errors,
   * the previously opened module stays; with errors elsewhere it does not.
   */
  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null, readers: Readers): FirstResult {
    const begun = beginPtx(text, format, readers);
    if (begun === null) {
      const answer = { ...answerOf(revision, this.readAll(revision, text, format, readers)), ori: "", left: 0 };
      const shown = answer.kernels.find(({ name }) => name === kernel) ?? answer.kernels[0];
      return { ...answer, shown: answer.ok ? (shown?.name ?? null) : null };
    }
    const staged = new StagedText(revision, begun, text.length >= STAGED_CHARACTERS);
    const shown = staged.show(kernel);
    if (!staged.long) staged.whole();
    if (shown !== null || this.read === null) this.take(staged);
    this.staged = staged;
    this.source = sourceNotes(revision, text, { format: "ptx", oriNames: staged.oriNames }, readers);
    return staged.answer();
  }

  /** Reads more of the text that `openFirst` began; null if a different one was opened since. */
  openMore(revision: number): FirstResult | null {
    const { staged, now } = this;
    if (staged?.revision !== revision) return null;
    const begun = now?.() ?? 0;
    staged.more(() => now === undefined || now() - begun > SLICE_MS);
    return staged.answer();
  }

  /** Reads a kernel, if the text is read in parts and it has not been reached. */
  need(kernel: string): void {
    if (!(this.read instanceof StagedText)) return;
    this.read.need(kernel);
    this.runs.goOn(this.read.usable());
  }

  /** Opens a module that was read and found right elsewhere. */
  adopt(module: Module): void {
    this.staged = null;
    this.source = null;
    this.take({ format: "ori", module, diagnostics: [], ok: true, oriNames: () => [], program: null });
  }

  /** Kernels read so far of a long text of a revision; empty for any other text. */
  kernelsOfLong(revision: number): readonly string[] {
    if (!(this.read instanceof StagedText) || this.read.revision !== revision || !this.read.long) return [];
    return this.read.usable().module.funcs.flatMap(({ name, kind }) => (kind === "kernel" ? [name] : []));
  }

  /** What the text has at a line and column; null for Ori, for a text of a different revision, and where nothing is known. */
  noteAt(revision: number, line: number, column: number): SourceNote | null {
    return this.source?.revision === revision ? this.source.noteAt(line, column) : null;
  }

  private readAll(revision: number, text: string, format: SourceFormat | null, readers: Readers): ReadResult {
    const read = readWith(text, format, readers);
    this.staged = null;
    if (read.ok || this.read === null) this.take(read);
    this.source = sourceNotes(revision, text, read, readers);
    return read;
  }

  private take(read: ReadResult | StagedText): void {
    this.read = read;
    this.runs.open(read instanceof StagedText ? read.usable() : read);
  }
}

function answerOf(revision: number, { format, module, diagnostics, ok, program, wayIn }: ReadResult): Omit<OpenResult, "ori"> {
  const kernels = module.funcs.map((fn) => kernelInfo(fn, program, module.symbols));
  return { revision, format, ok, kernels, diagnostics, ...(wayIn ? { wayIn } : {}) };
}
