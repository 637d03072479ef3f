/** Deleting blocks: the cascade over pred_count that follows a lost edge, and the rebuild that finds whatever is unreachable. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { getBlock, isTerminator } from "../../ir/visit.ts";
import type { Rewrite } from "../../remark/remarks.ts";
import { rule } from "../../remark/rule.ts";
import { type LineSpec, line, type Rule } from "../../remark/rules.ts";
import type { BranchOptState } from "./state.ts";

// --- an edit of a block's end ----------------------------------------------------------------------------------------------------

export const edge = line("    an edge to T was removed: pred_count[T] is 1: erase(T, counter), else count it down", {
  step: {
    last: "the edge from {from:block} to {to:block} was the last one into {to:block}, which is erased",
    counted: "the edge from {from:block} to {to:block} was removed: pred_count of {to:block} is now {left}",
  },
});

export const replaceEnd = (state: BranchOptState, { id }: Block, terminators: readonly Inst[]): void =>
  withCounts(state, id, () => state.edit.setTerminators(id, [...terminators]));

/** Edits the end of a block, and keeps pred_count in step: a block that lost its last edge is erased. */
export function withCounts(state: BranchOptState, from: BlockId, change: () => void): void {
  const { edit, remark, tables } = state;
  const before = state.block(from).succs;
  change();
  const after = new Set(edit.block(from).succs);
  for (const to of after) tables.recount(to);
  for (const to of before) {
    if (after.has(to)) continue;
    const left = edit.block(to).preds.length + (edit.func.layout[0] === to ? 1 : 0);
    if (left > 0) tables.recount(to);
    remark.step(edge, left === 0 ? "last" : "counted", { from, to, left, blocks: [from, to], node: () => tables.node(to) });
    if (left > 0) continue;
    eraseCascade(state, to);
    // A block that is not erased after all (something refers to it) keeps its count of predecessors, which is none.
    tables.recount(to);
  }
}

// --- the cascade -----------------------------------------------------------------------------------------------------------------

export const erase = rule<BranchOptState, BlockId>()({
  line: "erase(B, counter): pred_count[B] = 0; each successor S with pred_count[S] = 1 is erased first",
  step: "erase {block}: pred_count {preds} becomes 0",
  done: { kind: "untold", say: "{block} is erased: no edge leads to it" },
  missed: { "more-preds": { say: "{block} is not erased: pred_count is {count}, not 1", counts: false } },
  source: "branch-and-switch: erase_block",
  // A block that some BSSY names as its region's end must stay while that BSSY does.
  match({ remark, namers }, block) {
    const by = namers.get(block);
    return by === undefined ? { block } : remark.missed(keep, "named-erased", { block, by });
  },
});

export const slot = line("  rpo_number[B] = counter; rpo_to_bix[counter] = B; counter -= 1", {
  step: "{block} takes slot {slot}: rpo_number and rpo_to_bix",
});

/**
 * The described recursive erase, with an explicit stack: pred_count goes to 0 first, then successors with a single predecessor are erased, then the block takes
 * the counter's slot. The count of a successor that keeps other predecessors is unchanged, as described: what is still unreachable is left to the rebuild.
 * All of them are requested before any is removed, so a refused block stays whole.
 */
export function eraseCascade(state: BranchOptState, start: BlockId): void {
  const { remark, tables, edit } = state;
  const erased: { readonly block: Block; readonly rewrite: Rewrite }[] = [];
  const stack: { readonly block: Block; readonly rewrite: Rewrite; next: number }[] = [];
  const enter = (id: BlockId): void => {
    const rewrite = erase.look(state, id)?.request() ?? null;
    if (rewrite === null) return;
    const block = state.block(id);
    const preds = tables.preds(id);
    tables.set(id, 0);
    tables.showWalk(id);
    remark.open(erase, { block, preds, node: () => tables.node(id) });
    stack.push({ block, rewrite, next: 0 });
  };
  enter(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { block, rewrite } = top;
    const succ = block.succs[top.next++];
    if (succ !== undefined) {
      const count = tables.preds(succ);
      if (count > 1) remark.missed(erase, "more-preds", { block: succ, count, node: () => tables.node(succ) });
      else if (count === 1) enter(succ);
      continue;
    }
    stack.pop();
    erased.push({ block, rewrite });
    const { counter } = tables;
    tables.takeSlot(block.id);
    remark.step(slot, { block, slot: counter, node: () => tables.slotNode(counter) });
    remark.close();
  }
  const touched = new Set(erased.flatMap(({ block }) => state.block(block.id).succs));
  const blocks = erased.map(({ block }) => block.id);
  const staged = { count: 0 };
  for (const { rewrite } of erased) rewrite.stage(staged);
  remark.commitTogether(staged, () => edit.removeBlocks(blocks));
  for (const id of touched) tables.recount(id);
}

// --- the rebuild -----------------------------------------------------------------------------------------------------------------

/** What a rebuild of the graph reports, at the start and at the end. */
export const REBUILD = {
  found: { gone: "rebuild: {blocks} {blocks:is|are} unreachable and removed" },
  missed: {
    reachable: { say: "rebuild: no unreachable blocks ({kept} {kept:is|are} reachable or referenced)", counts: false },
  },
} as const satisfies LineSpec;

/** A block that the entry cannot reach, for the line of each rebuild. */
export const unreachableRule = () =>
  rule<BranchOptState, BlockId>()({
    line: null,
    done: { kind: "untold", say: "{block} is unreachable and removed" },
    match: (_, block) => ({ block }),
  });

export const keep = line("  but keep blocks that a BSSY or a jump table of a kept block refers to, and their successors", {
  missed: {
    "named-erased": {
      code: "named",
      why: "an instruction refers to the block",
      say: "{block} is not erased: an instruction in {by:block} refers to it",
    },
    named: {
      why: "an instruction refers to the block",
      say: "{block} is unreachable, but an instruction in {by:block} refers to it, so it is kept",
    },
  },
});

/**
 * Deletes what the entry cannot reach, including unreachable cycles, and the tables that are no longer named. What a kept instruction names as an operand (the end of
 * a BSSY region, a table for LEA) is kept with all that it leads to.
 */
export function rebuildGraph(
  state: BranchOptState,
  at: Rule<typeof REBUILD>,
  unreachable: ReturnType<typeof unreachableRule>,
  changed: boolean,
): void {
  const { edit, remark, namers } = state;
  const fn = edit.func;
  const kept = new Uint8Array(fn.blocks.length);
  const work: BlockId[] = [];
  let named: BlockId[] = [];
  const usedTables = new Set<string>();
  namers.clear();
  const visit = (start: BlockId): void => {
    work.push(start);
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (kept[id] === 1) continue;
      kept[id] = 1;
      const block = getBlock(fn, id);
      for (const target of namedBlocks(fn, block, usedTables)) {
        namers.set(target, id);
        named.push(target);
      }
      for (const s of block.succs) work.push(s);
    }
  };
  /** Keeps a block with what it leads to and what is named there. */
  const keepFrom = (start: BlockId): void => {
    visit(start);
    while (named.length > 0) {
      const roots = [...new Set(named)].filter((id) => kept[id] !== 1);
      named = [];
      for (const block of roots) remark.missed(keep, "named", { block, by: namers.get(block) ?? block });
      for (const block of roots) visit(block);
    }
  };
  const [entry] = fn.layout;
  if (entry !== undefined) keepFrom(entry);
  const requested = new Map<BlockId, Rewrite>();
  for (const block of fn.layout) {
    if (kept[block] === 1) continue;
    const rewrite = unreachable.look(state, block)?.request() ?? null;
    if (rewrite === null) keepFrom(block);
    else requested.set(block, rewrite);
  }
  const removed = [...requested.keys()].filter((id) => kept[id] !== 1);
  if (removed.length > 0) remark.matched(at, "gone", { blocks: removed });
  else remark.missed(at, "reachable", { kept: fn.layout.length });
  const staged = { count: 0 };
  for (const id of removed) requested.get(id)?.stage(staged);
  remark.commitTogether(staged, () => edit.removeBlocks(removed));
  // A table that was never used is left alone, unless a block that it lists was removed.
  if (removed.length > 0 || changed) for (const name of [...fn.tables.keys()]) if (!usedTables.has(name)) edit.removeTable(name);
}

/** Blocks that instructions of the block name without being edges to them: ends of BSSY regions, entries of tables for LEA. Every table it names is put into `tables`. */
function namedBlocks(fn: Func, block: Block, tables: Set<string>): BlockId[] {
  const found: BlockId[] = [];
  for (const inst of block.insts) {
    for (const operand of inst.ops) {
      if (operand.kind === "label" && !isTerminator(inst)) found.push(operand.block);
      if (operand.kind !== "table") continue;
      tables.add(operand.name);
      const table = fn.tables.get(operand.name);
      if (isTerminator(inst) || table === undefined) continue;
      found.push(...table.entries);
      if (table.default !== null) found.push(table.default);
    }
  }
  return found;
}
