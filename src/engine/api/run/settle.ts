/** Makes edges agree with terminators in a state from the middle of a rewrite, so that analyses and runs can take it. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block, Func } from "../../ir/types.ts";
import { computeSuccs } from "../../ir/visit.ts";

/** The same function if its edges are consistent, else a copy with the successors of its terminators, and predecessors that mirror them. */
export function settled(fn: Func): Func {
  const succs = new Map<BlockId, readonly BlockId[]>();
  const preds = new Map<BlockId, BlockId[]>(fn.layout.map((id) => [id, []]));
  fn.layout.forEach((id, i) => {
    const block = fn.blocks[id];
    if (block === undefined) return;
    const said = computeSuccs(fn, block, fn.layout[i + 1] ?? null).filter((s) => fn.blocks[s] !== undefined);
    succs.set(id, said);
    for (const s of said) preds.get(s)?.push(id);
  });
  const sound = fn.layout.every((id) => {
    const block = fn.blocks[id];
    return block !== undefined && sameList(block.succs, succs.get(id) ?? []) && sameSet(block.preds, preds.get(id) ?? []);
  });
  if (sound) return fn;
  const blocks: (Block | undefined)[] = fn.blocks.slice();
  for (const id of fn.layout) {
    const block = fn.blocks[id];
    if (block !== undefined) blocks[id] = { ...block, succs: succs.get(id) ?? [], preds: preds.get(id) ?? [] };
  }
  return { ...fn, blocks };
}

const sameList = (a: readonly BlockId[], b: readonly BlockId[]): boolean => a.length === b.length && a.every((id, i) => id === b[i]);

function sameSet(a: readonly BlockId[], b: readonly BlockId[]): boolean {
  if (a.length !== b.length) return false;
  const members = new Set(a);
  return b.every((id) => members.has(id));
}
