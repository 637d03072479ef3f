/** Deleting blocks: the cascade over pred_count that follows a lost edge, and the rebuild that finds whatever is unreachable. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Rule } from "../../remark/rules.ts";
import { namedBlocks } from "./named-blocks.ts";
import { type REBUILD, RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

/**
 * The described recursive erase, with a stack of its own: pred_count goes to 0 first, then successors with a single predecessor are erased, then the block takes
 * the counter's slot. The count of a successor that keeps other predecessors is left as it is, as described: what is unreachable all the same is left to the rebuild.
 */
export function eraseCascade(state: BranchOptState, start: BlockId): void {
  const { remark, tables, edit } = state;
  const doomed: BlockId[] = [];
  const stack: { readonly block: Block; next: number }[] = [];
  const enter = (id: BlockId): void => {
    const block = state.block(id);
    remark.open(RULES.erase, { block, preds: tables.preds(id), node: () => tables.node(id) });
    tables.set(id, 0);
    stack.push({ block, next: 0 });
  };
  if (!mayErase(state, start)) return;
  enter(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { block } = top;
    const succ = block.succs[top.next++];
    if (succ !== undefined) {
      const count = tables.preds(succ);
      if (count > 1) remark.missed(RULES.erase, "more-preds", { block: succ, count, node: () => tables.node(succ) });
      else if (count === 1 && mayErase(state, succ)) enter(succ);
      continue;
    }
    stack.pop();
    doomed.push(block.id);
    const slot = tables.counter;
    tables.takeSlot(block.id);
    remark.step(RULES.slot, { block, slot, node: () => tables.slotNode(slot) });
    remark.close();
  }
  const touched = new Set(doomed.flatMap((id) => state.block(id).succs));
  const erased: BlockId[] = [];
  for (const id of doomed) remark.found(RULES.erase, { block: id }, () => erased.push(id));
  edit.removeBlocks(erased);
  state.removed.cascade += erased.length;
  for (const id of touched) tables.recount(id);
}

/** A block that some BSSY names as its region's end must stay while that BSSY does. What may not go is asked before anything does: it stays whole. */
function mayErase({ remark, namers }: BranchOptState, block: BlockId): boolean {
  const by = namers.get(block);
  if (by === undefined) return !remark.mayRefuse || remark.askAhead(RULES.erase, { block });
  remark.missed(RULES.keep, "named-erased", { block, by });
  return false;
}

/**
 * Deletes what the entry cannot reach, unreachable cycles included, and the tables that nothing names any more. What a kept instruction names as an operand (the end of
 * a BSSY region, a table for LEA) is kept with all that it leads to.
 */
export function rebuildGraph(state: BranchOptState, rule: Rule<typeof REBUILD>): void {
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
  const keep = (start: BlockId): void => {
    visit(start);
    while (named.length > 0) {
      const roots = [...new Set(named)].filter((id) => kept[id] !== 1);
      named = [];
      for (const block of roots) remark.missed(RULES.keep, "named", { block, by: namers.get(block) ?? block });
      for (const block of roots) visit(block);
    }
  };
  const [entry] = fn.layout;
  if (entry !== undefined) keep(entry);
  if (remark.mayRefuse) for (const block of fn.layout) if (kept[block] !== 1 && !remark.askAhead(rule, "block", { block })) keep(block);
  const doomed = fn.layout.filter((id) => kept[id] !== 1);
  if (doomed.length > 0) remark.matched(rule, "gone", { blocks: doomed });
  else remark.missed(rule, "reachable", { kept: fn.layout.length });
  const removed: BlockId[] = [];
  for (const block of doomed) remark.done(rule, "block", { block }, () => removed.push(block));
  remark.carry(() => edit.removeBlocks(removed));
  state.removed.rebuild += removed.length;
  // A table that was never used is none of this phase's business, unless a block it lists has gone.
  if (removed.length > 0 || state.rewrites > 0) for (const name of [...fn.tables.keys()]) if (!usedTables.has(name)) edit.removeTable(name);
}
