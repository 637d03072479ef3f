/** A finished trace: its events as objects, its state at any step, and the changes between two steps. */

import { makeBlock } from "../ir/builder.ts";
import type { EditOp } from "../ir/edit-op.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { printInst } from "../text/printer.ts";
import { Cursor } from "./cursor.ts";
import { describeEdit, type Names } from "./edit-event.ts";
import { type Facts, type FactValue, type Focus, formatSentence, type TraceEvent } from "./event.ts";
import type { Journal } from "./journal.ts";
import type { CellValue } from "./recorder.ts";
import type { Recording, RewriteMark } from "./recording.ts";
import type { Tape } from "./tape.ts";

/** What changed between two positions of the journal. */
export interface Touched {
  readonly blocks: ReadonlySet<BlockId>;
  readonly insts: ReadonlySet<number>;
  readonly cells: ReadonlySet<number>;
  readonly layout: boolean;
  readonly tables: boolean;
}

export class Trace {
  readonly tape: Tape;
  readonly journal: Journal;
  readonly cut: boolean;
  /** The event limit it was recorded with. */
  readonly limit: number;
  /** What it takes, in events: its events, its journal's entries, and its lists at eight elements to one of them. */
  readonly weight: number;
  /** The steps of each rewrite that requested a permit, in the order of their first steps; of a cut trace, those that were recorded. */
  readonly rewrites: readonly RewriteMark[];
  /** Function before the phase. */
  readonly input: Func;
  /** A function that contains only the label of every block that ever existed: for printing. */
  readonly naming: Func;
  private readonly names: Names;
  private readonly cursor: Cursor;

  constructor(recording: Recording, input: Func, frameDistance?: number) {
    recording.finish();
    this.tape = recording.tape;
    this.journal = recording.journal;
    this.rewrites = recording.rewrites;
    this.cut = recording.cut;
    this.limit = recording.limits.events;
    this.weight = recording.tape.length + recording.journal.length + (recording.elements >>> 3);
    this.input = input;
    const naming: Func = { ...input, layout: [], blocks: recording.labels.map((label, id) => makeBlock(id as BlockId, label)) };
    this.naming = naming;
    this.names = { label: (id) => this.label(id), inst: (inst) => printInst(naming, inst) };
    this.cursor = new Cursor(this.journal, input, frameDistance);
    this.cursor.buildFrames();
  }

  get steps(): number {
    return this.tape.length;
  }

  /** The label of a block that exists at any step. */
  label(id: BlockId | number): string {
    return this.naming.blocks[id]?.label ?? `#${id}`;
  }

  /** Journal position of the state at a step; -1 is the input. */
  position(step: number): number {
    if (step < 0) return 0;
    return this.tape.positions.get(Math.min(step, this.steps - 1));
  }

  event(step: number): TraceEvent {
    const { tape } = this;
    const edit = this.editOf(step);
    const described = edit === null ? null : describeEdit(edit, this.names);
    const facts = described?.facts ?? tape.facts(step);
    return {
      step,
      parent: tape.parents.get(step),
      depth: tape.depths.get(step),
      kind: tape.kindOf(step),
      line: tape.lines.get(step),
      sentence: formatSentence(described?.template ?? tape.template(step), facts),
      facts,
      focus: described?.focus ?? tape.focusOf(step),
    };
  }

  /** One fact of an event; undefined when it has none of that name. */
  fact(step: number, name: string): FactValue | undefined {
    return this.editOf(step) === null ? this.tape.fact(step, name) : this.facts(step)[name];
  }

  facts(step: number): Facts {
    const edit = this.editOf(step);
    return edit === null ? this.tape.facts(step) : describeEdit(edit, this.names).facts;
  }

  focus(step: number): Focus {
    const edit = this.editOf(step);
    return edit === null ? this.tape.focusOf(step) : describeEdit(edit, this.names).focus;
  }

  /** The operation of an edit event; null for any other event. */
  editOf(step: number): EditOp | null {
    const entry = this.tape.editEntry(step);
    return entry < 0 ? null : this.journal.editAt(entry);
  }

  /** The enclosing spans of a step, outermost first. */
  stack(step: number): readonly TraceEvent[] {
    const spans: TraceEvent[] = [];
    for (let s = this.tape.parents.get(step); step >= 0 && s >= 0; s = this.tape.parents.get(s)) spans.push(this.event(s));
    return spans.reverse();
  }

  /** The function at a step. Valid until the next call that moves; `snapshotAt` keeps it. */
  funcAt(step: number): Func {
    this.cursor.seek(this.position(step));
    return this.cursor.func;
  }

  snapshotAt(step: number): Func {
    this.cursor.seek(this.position(step));
    return this.cursor.snapshot();
  }

  /** The value of a cell at the step of the last `funcAt`; undefined: not there. */
  cell(cell: number): CellValue | undefined {
    return this.cursor.cell(cell);
  }

  /** Everything that the journal entries between two positions touch. */
  touched(from: number, to: number): Touched {
    const blocks = new Set<BlockId>();
    const insts = new Set<number>();
    const cells = new Set<number>();
    let layout = false;
    let tables = false;
    for (let entry = from; entry < to; entry++) {
      const op = this.journal.editAt(entry);
      if (op === null) {
        cells.add(this.journal.cellOfWrite(this.journal.writeAt(entry)));
        continue;
      }
      for (const id of blocksOf(op)) blocks.add(id);
      for (const id of instsOf(op)) insts.add(id);
      if (op.op === "block-add" || op.op === "block-remove" || op.op === "layout") layout = true;
      if (op.op === "table") tables = true;
    }
    return { blocks, insts, cells, layout, tables };
  }
}

/** Blocks whose record an operation writes. */
export function blocksOf(op: EditOp): readonly BlockId[] {
  switch (op.op) {
    case "move":
      return op.from === op.to ? [op.from] : [op.from, op.to];
    case "block-add":
    case "block-remove":
      return [op.block.id];
    case "insts":
    case "succs":
    case "preds":
    case "layout":
    case "field":
    case "weight":
      return [op.block];
    case "func-flags":
    case "table":
      return [];
  }
}

/** Instructions that an operation removes, inserts or moves. */
export function instsOf(op: EditOp): readonly number[] {
  switch (op.op) {
    case "move":
      return [op.inst.id];
    case "insts":
      return [...op.removed, ...op.inserted].map((inst) => inst.id);
    case "block-add":
    case "block-remove":
      return op.block.insts.map((inst) => inst.id);
    default:
      return [];
  }
}
