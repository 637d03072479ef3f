/** Dominance frontiers, and from them the blocks where definitions of a register merge. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { cached } from "./cache.ts";
import { dominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";

/** Total size of all frontiers above which they are not computed: nested loops with many exits have quadratic ones. */
export const FRONTIER_LIMIT = 8_000_000;

/** Frontier of each block by id; null when the limit was passed. Computed by walking up from the predecessors of each join (Cooper, Harvey, Kennedy). */
export const dominanceFrontiers: (fn: Func) => readonly (readonly BlockId[])[] | null = cached("cfg", (fn) => {
  const { order } = reversePostOrder(fn);
  const { idom, inTree } = dominators(fn);
  const entry = fn.layout[0];
  const frontiers: BlockId[][] = Array.from({ length: fn.blocks.length }, () => []);
  let total = 0;
  for (const id of order) {
    const preds = fn.blocks[id]?.preds.filter((p) => inTree[p] === 1) ?? [];
    // The entry is a join as soon as something leads back to it: the other predecessor is the start of the function.
    if (preds.length < 2 && !(id === entry && preds.length > 0)) continue;
    for (const pred of preds) {
      for (let runner: number = pred; runner !== -1 && runner !== idom[id]; runner = idom[runner] ?? -1) {
        const list = frontiers[runner];
        if (list === undefined || list[list.length - 1] === id) break;
        list.push(id);
        if (++total > FRONTIER_LIMIT) return null;
      }
    }
  }
  return frontiers;
});

/** The iterated frontier of a set of blocks: where a value defined in them has to merge. `stamp` is scratch space, one entry a block, `mark` a fresh number. */
export function iteratedFrontier(
  frontiers: readonly (readonly BlockId[])[],
  defs: Iterable<BlockId>,
  stamp: Int32Array,
  mark: number,
): BlockId[] {
  const work = [...defs];
  const found: BlockId[] = [];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const join of frontiers[id] ?? []) {
      if (stamp[join] === mark) continue;
      stamp[join] = mark;
      found.push(join);
      work.push(join);
    }
  }
  return found;
}
