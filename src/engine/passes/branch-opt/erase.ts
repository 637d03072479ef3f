/** Deleting blocks: the cascade over pred_count that follows a lost edge, and the rebuild that finds whatever is unreachable. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { namedBlocks } from "./named-blocks.ts";
import { LINE } from "./pseudocode.ts";
import type { BranchOptState } from "./state.ts";

/**
 * The described recursive erase, with a stack of its own: pred_count goes to 0 first, then successors with a single predecessor are erased, then the block takes
 * the counter's slot. The count of a successor that keeps other predecessors is left as it is, as described: what is unreachable all the same is left to the rebuild.
 */
export function eraseCascade(state: BranchOptState, start: BlockId): void {
  const { rec, tables, edit } = state;
  const doomed: BlockId[] = [];
  const stack: { readonly block: Block; next: number }[] = [];
  const enter = (id: BlockId): void => {
    const block = state.block(id);
    if (rec.on) {
      const facts = { block: block.label, preds: tables.preds(id) };
      rec.begin("visit", LINE.erase, "erase {block}: pred_count {preds} becomes 0", facts, { blocks: [id], nodes: [`cfg-context/b${id}`] });
    }
    tables.set(id, 0);
    stack.push({ block, next: 0 });
  };
  if (!mayErase(state, start)) return;
  enter(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { block } = top;
    const succ = block.succs[top.next++];
    if (succ !== undefined) {
      if (tables.preds(succ) === 1) {
        if (mayErase(state, succ)) enter(succ);
      } else if (rec.on && tables.preds(succ) > 1) {
        const facts = { verdict: "no", condition: "more-preds", block: state.label(succ), count: tables.preds(succ) };
        rec.event("match", LINE.erase, "{block} stays: pred_count is {count}, not 1", facts, {
          blocks: [succ],
          nodes: [`cfg-context/b${succ}`],
        });
      }
      continue;
    }
    stack.pop();
    doomed.push(block.id);
    const slot = tables.counter;
    tables.takeSlot(block.id);
    if (!rec.on) continue;
    const facts = { block: block.label, slot };
    rec.event("visit", LINE.slot, "{block} takes slot {slot}: rpo_number and rpo_to_bix", facts, {
      blocks: [block.id],
      nodes: [`cfg-context/rpo${slot}`],
    });
    rec.end();
  }
  const touched = new Set(doomed.flatMap((id) => state.block(id).succs));
  if (rec.on) rec.at(LINE.erase);
  edit.removeBlocks(doomed);
  state.removed.cascade += doomed.length;
  for (const id of touched) tables.recount(id);
}

/** A block that some BSSY names as its region's end must stay while that BSSY does. */
function mayErase(state: BranchOptState, id: BlockId): boolean {
  const by = state.namers.get(id);
  if (by === undefined) return true;
  state.refuse(LINE.keep, "named", state.block(id), null, () => ({
    template: "{block} is not erased: an instruction in {by} names it",
    facts: { by: getBlock(state.before, by).label },
  }));
  return false;
}

/**
 * Deletes what the entry cannot reach, unreachable cycles included, and the tables that nothing names any more. What a kept instruction names as an operand (the end of
 * a BSSY region, a table for LEA) is kept with all that it leads to. Returns how many blocks went.
 */
export function rebuildGraph(state: BranchOptState, line: number): number {
  const { edit, rec } = state;
  const fn = edit.func;
  const kept = new Uint8Array(fn.blocks.length);
  const entry = fn.layout[0];
  const work: BlockId[] = entry === undefined ? [] : [entry];
  let named: BlockId[] = [];
  const usedTables = new Set<string>();
  state.namers.clear();
  const visit = (): void => {
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (kept[id] === 1) continue;
      kept[id] = 1;
      const block = getBlock(fn, id);
      for (const target of namedBlocks(fn, block, usedTables)) {
        state.namers.set(target, id);
        named.push(target);
      }
      for (const s of block.succs) work.push(s);
    }
  };
  visit();
  while (named.length > 0) {
    const roots = [...new Set(named)].filter((id) => kept[id] !== 1);
    named = [];
    for (const id of roots) {
      state.refuse(LINE.keep, "named", state.block(id), null, () => ({
        template: "{block} cannot be reached, but an instruction in {by} names it: it stays",
        facts: { by: state.label(state.namers.get(id) ?? id) },
      }));
      work.push(id);
    }
    visit();
  }
  const doomed = fn.layout.filter((id) => kept[id] !== 1);
  if (rec.on) {
    const facts = { kept: fn.layout.length - doomed.length, removed: doomed.length, blocks: doomed.map((id) => state.label(id)) };
    const template =
      doomed.length === 0
        ? "rebuild: nothing goes, {kept} {kept:block is|blocks are} reached or named"
        : "rebuild: {blocks} cannot be reached from the entry and {blocks:goes|go}";
    rec.event(
      "match",
      line,
      template,
      { verdict: doomed.length > 0 ? "yes" : "no", condition: doomed.length > 0 ? null : "reachable", ...facts },
      { blocks: doomed },
    );
  }
  edit.removeBlocks(doomed);
  state.removed.rebuild += doomed.length;
  // A table that was never used is none of this phase's business, unless a block it lists has gone.
  if (doomed.length > 0 || state.rewrites > 0) for (const name of [...fn.tables.keys()]) if (!usedTables.has(name)) edit.removeTable(name);
  return doomed.length;
}
