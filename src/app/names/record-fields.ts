/** The block's and the function's record as the reference pages draw them: offsets, names, bits. Derived views of the engine's plain fields. */

import type { BlockView, HistoryItem } from "../../engine/api/types.ts";

export interface RecordBit {
  readonly mask: number;
  readonly name: string;
}

/** Block +280. The engine's own table is checked against this one by a test. */
export const FLAG_BITS: readonly RecordBit[] = [
  { mask: 0x1, name: "EARLY_EXIT" },
  { mask: 0x10, name: "LOOP_HEADER" },
  { mask: 0x20, name: "HAS_PRED" },
  { mask: 0x40000, name: "ANALYSIS_OK" },
  { mask: 0x800000, name: "IN_LOOP" },
];

/** What an entry of the analysis leaves of +280. */
export const RESET_MASK = 0xff78f98f;

/** Block +292. */
export const FLAG2_BITS: readonly RecordBit[] = [
  { mask: 0x4, name: "BIT2" },
  { mask: 0x8, name: "BACK_EDGE_CANDIDATE" },
];

export interface FunctionBit extends RecordBit {
  readonly offset: number;
  /** Mask within the byte at the offset. */
  readonly byteMask: number;
}

export const FUNCTION_BITS: readonly FunctionBit[] = [
  { mask: 0x1, name: "ANALYSIS_RUNNING", offset: 1368, byteMask: 0x01 },
  { mask: 0x2, name: "EARLY_EXIT_OBSERVED", offset: 1369, byteMask: 0x80 },
  { mask: 0x4, name: "REENTRY_GUARD", offset: 1370, byteMask: 0x10 },
  { mask: 0x8, name: "FORCE_REBUILD", offset: 1370, byteMask: 0x20 },
  { mask: 0x10, name: "SMALL_KERNEL", offset: 1376, byteMask: 0x02 },
  { mask: 0x20, name: "RPO_VIOLATION", offset: 1377, byteMask: 0x20 },
  { mask: 0x40, name: "CALLEE_ATTRIBUTE", offset: 1389, byteMask: 0x02 },
  { mask: 0x80, name: "COMMONED", offset: 1368, byteMask: 0x02 },
  { mask: 0x100, name: "SWITCH_CONTEXT", offset: 1288, byteMask: 0xff },
];

export type FieldId =
  | "next"
  | "head"
  | "scratch16"
  | "scratch120"
  | "succs"
  | "preds"
  | "rpo"
  | "latchExit"
  | "scratch232"
  | "flags"
  | "flags2";

export interface RecordField {
  readonly id: FieldId;
  readonly offset: string;
  readonly name: string;
  /** `succs`: the labels of the successor list at this step; `next`: that of the block after it in the layout. */
  readonly value: (block: BlockView, label: (id: number) => string, succs: readonly string[], next: string | null) => string;
  readonly bits?: { readonly table: readonly RecordBit[]; readonly word: (block: BlockView) => number };
  /** Says what the value means now. */
  readonly remark?: (block: BlockView) => string | null;
}

export const hex = (value: number, digits = 8): string => `0x${(value >>> 0).toString(16).padStart(digits, "0")}`;

/**
 * Which of its two uses the field at +152 has now. The number says it: a sweep writes what is jumped back to, which is not above the block's own number;
 * the confirmation of headers writes the furthest latch, which is not below it. LOOP_HEADER does not: a full rebuild assumes it for every block meanwhile.
 */
export function latchExitMeaning(block: BlockView): string | null {
  const { latchExit, rpo, flags } = block;
  if (latchExit === 0) return null;
  if (latchExit > rpo) return "RPO of the furthest latch (this is a loop header)";
  if (latchExit === rpo) return "this block's own RPO: it jumps back to itself";
  const misread =
    (flags & 0x10) !== 0 ? "; LOOP_HEADER is still only assumed: a reader of that bit would take this for the furthest latch" : "";
  return `smallest RPO that this block jumps back to${misread}`;
}

/** The structure with the entries of the successor lists while AnalyzeControlFlow fills them: rows `B` (how many) and `B → C` (which place). */
export const SUCCESSOR_LISTS = "successor-lists";

/** The labels in the block's successor list at +128: while the analysis runs, what it has registered so far; else all of the graph's. */
export function successorList(block: BlockView, all: readonly string[], funcFlags: number, lists: Lists | undefined): readonly string[] {
  if ((funcFlags & FUNC_RUNNING) === 0 || lists?.has(block.label) !== true) return all;
  const place = (label: string) => Number(lists.get(`${block.label} → ${label}`) ?? 0);
  return all.filter((label) => place(label) > 0).sort((a, b) => place(a) - place(b));
}

type Lists = ReadonlyMap<string, unknown>;

/** The re-entry guard: set as long as the analysis runs. */
const FUNC_RUNNING = 0x4;

export const BLOCK_FIELDS: readonly RecordField[] = [
  { id: "next", offset: "+0", name: "next block", value: (_, __, ___, next) => next ?? "null" },
  { id: "head", offset: "+8", name: "first instruction", value: (b) => b.insts[0]?.text.trim() ?? "null" },
  {
    id: "scratch16",
    offset: "+16",
    name: "flags scratch",
    value: () => hex(0),
    remark: () => "assumed to be 0, so that +152 is written; no known code writes this field",
  },
  { id: "scratch120", offset: "+120", name: "scratch", value: (b) => hex(b.scratch120) },
  { id: "succs", offset: "+128", name: "successor list", value: (_, __, succs) => succs.join(", ") || "empty" },
  { id: "preds", offset: "+136", name: "predecessor list", value: (b, label) => b.preds.map(label).join(", ") || "empty" },
  {
    id: "rpo",
    offset: "+144",
    name: "rpo_number",
    value: (b) => `${hex(b.rpo)} (${b.rpo})`,
    remark: (b) => (b.rpo === 0 ? "unreachable, or not analysed" : null),
  },
  {
    id: "latchExit",
    offset: "+152",
    name: "latch / exit RPO",
    value: (b) => `${hex(b.latchExit)} (${b.latchExit})`,
    remark: latchExitMeaning,
  },
  { id: "scratch232", offset: "+232", name: "scratch", value: (b) => hex(b.scratch232) },
  { id: "flags", offset: "+280", name: "flag word", value: (b) => hex(b.flags), bits: { table: FLAG_BITS, word: (b) => b.flags } },
  {
    id: "flags2",
    offset: "+292",
    name: "second flag byte",
    value: (b) => hex(b.flags2, 2),
    bits: { table: FLAG2_BITS, word: (b) => b.flags2 },
  },
];

/** The field that an event wrote, judged by its kind and facts; null: none of this record. */
export function fieldOfEvent(item: Pick<HistoryItem, "kind" | "facts">): FieldId | null {
  const { field, word } = item.facts;
  switch (item.kind) {
    case "rpo-assign":
      return field === "latchExit" ? "latchExit" : "rpo";
    case "flag-set":
    case "flag-clear":
      return word === "+292" ? "flags2" : "flags";
    case "edge-add":
    case "edge-remove":
    case "edge-redirect":
      return "succs";
    case "note":
      return field === "scratch120" || field === "scratch232" ? field : null;
    default:
      return null;
  }
}

/** For each field, the last event of a block's history at or before a step. */
export function lastWrites(items: readonly HistoryItem[], step: number, block: number): ReadonlyMap<FieldId, HistoryItem> {
  const last = new Map<FieldId, HistoryItem>();
  for (const item of items) {
    if (item.step > step) continue;
    const field = fieldOfEvent(item);
    if (field === null) continue;
    if (field === "succs") {
      const edges = item.focus.edges ?? [];
      if (edges.some(([from]) => Number(from) === block)) last.set("succs", item);
      if (edges.some(([, to]) => Number(to) === block)) last.set("preds", item);
    } else last.set(field, item);
  }
  return last;
}
