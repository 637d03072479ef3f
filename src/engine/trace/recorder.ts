/**
 * The one small interface through which passes, the editing API and the described data structures report what they do.
 * With the recorder off (`NO_RECORDER`), the cost is a test of `on` at the places that would build facts.
 */

import type { EditOp } from "../ir/edit-op.ts";
import type { Facts, Focus } from "./event.ts";
import type { EventKind } from "./kinds.ts";

/** How an observed structure is drawn. `table` is a list of key/value rows and serves anything small. */
export type StructureType = "hash-map" | "rb-tree" | "value-table" | "bitset" | "worklist" | "ring" | "matrix" | "table";

/** A value of a cell: immutable plain data, so that a time-travelling view may keep it without copying. */
export type CellValue = string | number | boolean | null | readonly CellValue[] | { readonly [key: string]: CellValue };

/** Handle of an observed structure; -1 while nothing is recorded. */
export type StructureId = number & { readonly __brand: "StructureId" };

export const NO_STRUCTURE = -1 as StructureId;

/**
 * Use, in a pass:
 * ```
 * if (rec.on) rec.event("match", 12, "{pred} is live at {block}, so {branch} stays", { verdict: "no", condition: "live-out", ... }, { blocks: [b] });
 * ```
 * Guard every call that builds an object by `rec.on`. `begin`/`end` open and close a span; the event emitted by `begin` is the parent of all
 * events until `end`. Edits through the editing API and writes of observed structures emit their own primitive events inside the open span.
 */
export interface Recorder {
  /** False when nothing is recorded: then every method is a no-op. */
  readonly on: boolean;
  /** Only decisions are recorded: structures are not mirrored, and other events carry only the facts as given. */
  readonly decisionsOnly?: boolean;
  /** Emits one event (one step). `line` is the 1-based pseudocode line. The state of this step includes every edit and cell write made before the call. */
  event(kind: EventKind, line: number, template: string, facts?: Facts, focus?: Focus): void;
  /** Emits an event and makes it the parent of what follows, until `end`. */
  begin(kind: EventKind, line: number, template: string, facts?: Facts, focus?: Focus): void;
  end(): void;
  /** Sets the pseudocode line that primitive events (edits, structure writes) carry until the next event. */
  at(line: number): void;
  /** Announces a structure to observe. `name` is unique within the trace (a repeated name gets a suffix ` 2`, ` 3`, …); `title` is for people. */
  structure(type: StructureType, name: string, title: string): StructureId;
  /** Mirrors a write: the cell `key` of the structure now has `value`; `undefined` removes the cell. Not an event. */
  cell(structure: StructureId, key: string | number, value: CellValue | undefined): void;
  /** Called by the editing API only, after the edit was applied. Emits the primitive event that belongs to it. */
  edit(op: EditOp): void;
  /** The events from here to the `endRewrite` that belongs to it are about the n-th rewrite that requested a permit; `refused`: an intervention denied it. */
  beginRewrite(n: number, refused: boolean): void;
  endRewrite(): void;
}

/** The recorder that records nothing. */
export const NO_RECORDER: Recorder = {
  on: false,
  event: () => {},
  begin: () => {},
  end: () => {},
  at: () => {},
  structure: () => NO_STRUCTURE,
  cell: () => {},
  edit: () => {},
  beginRewrite: () => {},
  endRewrite: () => {},
};
