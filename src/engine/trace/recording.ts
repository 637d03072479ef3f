/** The recorder that records: events go to a tape, edits and cell writes to a journal, up to a limit that records where it was reached. */

import type { EditOp } from "../ir/edit-op.ts";
import type { Func } from "../ir/types.ts";
import { editKind, isProgramChange } from "./edit-event.ts";
import type { Facts, Focus } from "./event.ts";
import { Journal } from "./journal.ts";
import type { EventKind } from "./kinds.ts";
import { type CellValue, NO_STRUCTURE, type Recorder, type StructureId, type StructureType } from "./recorder.ts";
import { Tape } from "./tape.ts";

export interface RecordingLimits {
  /** Events kept. */
  readonly events: number;
  /** Edits and cell writes kept. */
  readonly entries: number;
  /** Elements of lists in facts, focus and cells kept: lists that grow with the function make memory grow with its square. */
  readonly elements: number;
}

/** What is recorded within a few seconds, however large the function is; `timesLimits` raises it. */
export const DEFAULT_LIMITS: RecordingLimits = { events: 250_000, entries: 2_000_000, elements: 2_500_000 };

/** Limits this many times as large. */
export const timesLimits = ({ events, entries, elements }: RecordingLimits, times: number): RecordingLimits => ({
  events: events * times,
  entries: entries * times,
  elements: elements * times,
});

/** Which steps belong to a rewrite: from the first to the one before `to`. */
export interface RewriteMark {
  /** Number of the request in the run, from 1. */
  readonly n: number;
  readonly refused: boolean;
  readonly from: number;
  to: number;
}

const NO_FACTS: Facts = {};
const NO_FOCUS: Focus = {};

export class Recording implements Recorder {
  /** Turns false when a limit is reached: the pass then finishes at full speed, or ends. */
  on = true;
  readonly tape = new Tape();
  readonly journal = new Journal();
  /** Labels by block id, of every block that ever existed. */
  readonly labels: string[] = [];
  /** In the order of their first steps. */
  readonly rewrites: RewriteMark[] = [];
  /** True when something was left out because of a limit. */
  cut = false;
  readonly limits: RecordingLimits;
  /** Of lists, so far. */
  elements = 0;
  private readonly parents: number[] = [];
  /** Rewrites that are under way, the innermost last. */
  private readonly underWay: RewriteMark[] = [];
  private line = 1;
  private afterEdit = false;
  readonly endsRun: boolean;
  /** The pass is running: events before and after are not its own. */
  inPass = false;

  /** `endsRun`: at a limit the pass is ended by an exception, for callers that need its steps and not its result. */
  constructor(input: Func, limits: RecordingLimits = DEFAULT_LIMITS, endsRun = false) {
    this.limits = limits;
    this.endsRun = endsRun;
    for (const block of input.blocks) if (block !== undefined) this.labels[block.id] = block.label;
  }

  event(kind: EventKind, line: number, template: string, facts: Facts = NO_FACTS, focus: Focus = NO_FOCUS): void {
    if (!this.room()) return;
    this.line = line;
    this.afterEdit = false;
    this.elements += elementsOf(facts) + elementsOf(focus);
    this.tape.push(kind, line, this.parent(), this.parents.length, this.journal.length, template, facts, focus);
  }

  begin(kind: EventKind, line: number, template: string, facts: Facts = NO_FACTS, focus: Focus = NO_FOCUS): void {
    if (!this.room()) return;
    this.event(kind, line, template, facts, focus);
    this.parents.push(this.tape.length - 1);
  }

  end(): void {
    this.parents.pop();
  }

  at(line: number): void {
    this.line = line;
  }

  structure(type: StructureType, name: string, title: string): StructureId {
    return this.on ? (this.journal.addStructure(type, name, title) as StructureId) : NO_STRUCTURE;
  }

  cell(structure: StructureId, key: string | number, value: CellValue | undefined): void {
    if (!this.room()) return;
    this.afterEdit = false;
    if (typeof value === "object" && value !== null) this.elements += elementsOf(value);
    this.journal.addWrite(structure, String(key), value);
  }

  edit(op: EditOp): void {
    if (!this.room()) return;
    if (op.op === "block-add") this.labels[op.block.id] = op.block.label;
    const entry = this.journal.addEdit(op);
    const kind = editKind(op);
    if (kind === null) {
      // A mirror of the edit before it: both are one step.
      if (this.afterEdit) this.tape.positions.set(this.tape.length - 1, this.journal.length);
      return;
    }
    this.tape.pushEdit(kind, this.line, this.parent(), this.parents.length, this.journal.length, entry, isProgramChange(op));
    this.afterEdit = true;
  }

  beginRewrite(n: number, refused: boolean): void {
    if (!this.on) return;
    const mark = { n, refused, from: this.tape.length, to: this.tape.length };
    this.rewrites.push(mark);
    this.underWay.push(mark);
  }

  endRewrite(): void {
    const mark = this.underWay.pop();
    if (mark !== undefined) mark.to = this.tape.length;
  }

  /** Call when the phase has ended: gives back reserved memory. */
  finish(): void {
    while (this.underWay.length > 0) this.endRewrite();
    this.tape.trim();
    this.journal.trim();
  }

  private parent(): number {
    return this.parents[this.parents.length - 1] ?? -1;
  }

  private room(): boolean {
    if (!this.on) return false;
    const { events, entries, elements } = this.limits;
    if (this.tape.length < events && this.journal.length < entries && this.elements < elements) return true;
    this.cut = true;
    this.on = false;
    if (this.endsRun && this.inPass) throw new Error("The rest is not recorded.");
    return false;
  }
}

/** Elements of a list, or of the lists right inside a record. */
export function elementsOf(value: object): number {
  if (Array.isArray(value)) return value.length;
  let sum = 0;
  for (const key in value) {
    const part = (value as Readonly<Record<string, unknown>>)[key];
    if (Array.isArray(part)) sum += part.length;
  }
  return sum;
}
