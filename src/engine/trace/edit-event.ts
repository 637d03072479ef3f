/** The event of an edit operation: its kind, and a sentence with facts and focus that name blocks and instructions. */

import type { EditOp } from "../ir/edit-op.ts";
import { BLOCK_FLAG, BLOCK_FLAG2, FUNC_FLAG } from "../ir/flags.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import type { Facts, Focus } from "./event.ts";
import type { EventKind } from "./kinds.ts";

/** How ids are shown. `inst` gives an instruction's text without its label. */
export interface Names {
  readonly label: (id: BlockId) => string;
  readonly inst: (inst: Inst) => string;
}

/** The kind of the operation's event; null for a mirrored one (predecessor lists), which is journaled without an event. */
export function editKind(op: EditOp): EventKind | null {
  switch (op.op) {
    case "insts": {
      const { removed, inserted } = netInsts(op);
      if (removed.length === 0) return inserted.length === 0 ? null : "inst-insert";
      return inserted.length === 0 ? "inst-delete" : "inst-replace";
    }
    case "move":
      return "inst-move";
    case "succs": {
      const { added, removed } = succChange(op);
      if (added.length === 0 && removed.length === 0) return "note";
      if (added.length > 0 && removed.length > 0) return "edge-redirect";
      return added.length > 0 ? "edge-add" : "edge-remove";
    }
    case "preds":
      return null;
    case "block-add":
      return "block-create";
    case "block-remove":
      return "block-delete";
    case "field":
      if (op.field === "flags" || op.field === "flags2") return flagKind(op.before, op.after);
      return op.field === "rpo" || op.field === "latchExit" ? "rpo-assign" : "note";
    case "func-flags":
      return flagKind(op.before, op.after);
    case "layout":
    case "weight":
    case "table":
      return "note";
  }
}

/** True when the operation changes the program, not only annotations. */
export function isProgramChange(op: EditOp): boolean {
  return op.op !== "field" && op.op !== "func-flags";
}

const flagKind = (before: number, after: number): EventKind => ((after & ~before) !== 0 ? "flag-set" : "flag-clear");

export interface EditDescription {
  readonly template: string;
  readonly facts: Facts;
  readonly focus: Focus;
}

/** The sentence of an edit as template and facts, and what it is about. */
export function describeEdit(op: EditOp, names: Names): EditDescription {
  switch (op.op) {
    case "insts":
      return describeInsts(op, names);
    case "move": {
      const facts = { inst: names.inst(op.inst), from: names.label(op.from), to: names.label(op.to), fromAt: op.fromAt, toAt: op.toAt };
      const template = op.from === op.to ? "'{inst}' moves from place {fromAt} to {toAt} in {to}" : "'{inst}' moves from {from} to {to}";
      return { template, facts, focus: { blocks: unique([op.from, op.to]), insts: [op.inst.id], regs: [...defsOf(op.inst)] } };
    }
    case "succs":
      return describeSuccs(op, names);
    case "preds": {
      const facts = { block: names.label(op.block), preds: op.after.map(names.label) };
      return { template: "the predecessors of {block} are {preds}", facts, focus: { blocks: [op.block] } };
    }
    case "block-add": {
      const facts = { block: op.block.label, at: op.at };
      return { template: "block {block} is created at place {at} of the layout", facts, focus: { blocks: [op.block.id] } };
    }
    case "block-remove": {
      const facts = { block: op.block.label, at: op.at, instructions: op.block.insts.length };
      const template = "block {block} is deleted with its {instructions} {instructions:instruction|instructions}";
      return { template, facts, focus: { blocks: [op.block.id], insts: op.block.insts.map((i) => i.id) } };
    }
    case "layout": {
      const facts = { block: names.label(op.block), from: op.from, to: op.to };
      return { template: "{block} moves from place {from} to place {to} of the layout", facts, focus: { blocks: [op.block] } };
    }
    case "field":
      return describeField(op, names);
    case "weight": {
      const facts = { block: names.label(op.block), before: op.before, after: op.after };
      return { template: "the weight of {block} goes from {before} to {after}", facts, focus: { blocks: [op.block] } };
    }
    case "func-flags":
      return describeFlags("the function", FUNC_FLAG, op.before, op.after, {}, {});
    case "table": {
      const facts = { table: op.name, entries: op.after?.entries.length ?? 0 };
      const template =
        op.after === null
          ? "table {table} is deleted"
          : op.before === null
            ? "table {table} is made with {entries} {entries:entry|entries}"
            : "table {table} is changed";
      return { template, facts, focus: {} };
    }
  }
}

type InstsOp = Extract<EditOp, { op: "insts" }>;

/** What an operation actually removes and inserts: instructions that stay at either end are omitted. */
function netInsts(op: InstsOp): { readonly removed: readonly Inst[]; readonly inserted: readonly Inst[]; readonly at: number } {
  const { removed, inserted } = op;
  if (removed.length === 0 || inserted.length === 0) return op;
  const shorter = Math.min(removed.length, inserted.length);
  let head = 0;
  while (head < shorter && removed[head] === inserted[head]) head++;
  let tail = 0;
  while (tail < shorter - head && removed[removed.length - 1 - tail] === inserted[inserted.length - 1 - tail]) tail++;
  return { removed: removed.slice(head, removed.length - tail), inserted: inserted.slice(head, inserted.length - tail), at: op.at + head };
}

function describeInsts(op: InstsOp, names: Names): EditDescription {
  const block = names.label(op.block);
  const { removed, inserted, at } = netInsts(op);
  const focus: Focus = {
    blocks: [op.block],
    insts: unique([...removed, ...inserted].map((i) => i.id)),
    regs: unique<Reg>([...removed, ...inserted].flatMap((i) => defsOf(i))),
  };
  const before = removed.map(names.inst).join("; ");
  const after = inserted.map(names.inst).join("; ");
  if (removed.length === 0) return { template: "'{inst}' is inserted into {block}", facts: { block, at, inst: after }, focus };
  if (inserted.length === 0) return { template: "'{inst}' is deleted from {block}", facts: { block, at, inst: before }, focus };
  return { template: "in {block}, '{before}' becomes '{inst}'", facts: { block, at, before, inst: after }, focus };
}

/** Edges of a successor change. */
export function succChange(op: Extract<EditOp, { op: "succs" }>): {
  readonly added: readonly BlockId[];
  readonly removed: readonly BlockId[];
} {
  const before = new Set(op.before);
  const after = new Set(op.after);
  return { added: op.after.filter((s) => !before.has(s)), removed: op.before.filter((s) => !after.has(s)) };
}

function describeSuccs(op: Extract<EditOp, { op: "succs" }>, names: Names): EditDescription {
  const { added, removed } = succChange(op);
  const from = names.label(op.block);
  const edges = [...removed, ...added].map((to): readonly [BlockId, BlockId] => [op.block, to]);
  const focus: Focus = { blocks: [op.block], edges };
  const facts = { from, removed: removed.map(names.label), added: added.map(names.label) };
  if (added.length === 0 && removed.length === 0) {
    return { template: "the edges of {from} are in the order {order}", facts: { from, order: op.after.map(names.label) }, focus };
  }
  if (added.length === 0) return { template: "the edge from {from} to {removed} is removed", facts, focus };
  if (removed.length === 0) return { template: "an edge from {from} to {added} is added", facts, focus };
  return { template: "the edge from {from} to {removed} now goes to {added}", facts, focus };
}

const FIELD_WORDS = {
  rpo: ["RPO number", "+144"],
  latchExit: ["back-edge number", "+152"],
  scratch120: ["scratch word 120", "+120"],
  scratch232: ["scratch word 232", "+232"],
} as const;

function describeField(op: Extract<EditOp, { op: "field" }>, names: Names): EditDescription {
  const block = names.label(op.block);
  const focus: Focus = { blocks: [op.block] };
  if (op.field === "flags") return describeFlags(block, BLOCK_FLAG, op.before, op.after, { block, word: "+280" }, focus);
  if (op.field === "flags2") return describeFlags(block, BLOCK_FLAG2, op.before, op.after, { block, word: "+292" }, focus);
  const [what, word] = FIELD_WORDS[op.field];
  const facts = { block, field: op.field, word, what, before: op.before, after: op.after };
  return { template: "the {what} of {block} goes from {before} to {after}", facts, focus };
}

function describeFlags(
  of: string,
  bits: Readonly<Record<string, number>>,
  before: number,
  after: number,
  extra: Facts,
  focus: Focus,
): EditDescription {
  const set = bitNames(bits, after & ~before);
  const cleared = bitNames(bits, before & ~after);
  const facts = { ...extra, of, set, cleared, before: hex(before), after: hex(after) };
  const said = [...(set.length === 0 ? [] : [`${inWords(set)} set`]), ...(cleared.length === 0 ? [] : [`${inWords(cleared)} cleared`])];
  return { template: `{of}: ${said.join(", ")}`, facts, focus };
}

/** `LOOP_HEADER` is 'loop header': the reference's names are among the facts. */
const inWords = (names: readonly string[]): string =>
  names.map((name) => (name === "HAS_PRED" ? "predecessor" : name.toLowerCase().replaceAll("_", " "))).join(", ");

/** The names of the bits of a word, a nameless bit as hex. */
function bitNames(bits: Readonly<Record<string, number>>, word: number): string[] {
  const names: string[] = [];
  for (let rest = word >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
    const bit = (rest & -rest) >>> 0;
    names.push(Object.keys(bits).find((name) => bits[name] === bit) ?? hex(bit));
  }
  return names;
}

const hex = (word: number): string => `0x${(word >>> 0).toString(16)}`;

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)];
