/** What a divergent branch disturbs: the blocks where its lanes meet again after different ways, and the loops they leave at different times. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { postDominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";

export interface DivergenceRegion {
  /** Blocks on ways from the branch to where all its lanes are together again (its immediate post-dominator), neither end included; in no order. */
  readonly blocks: ReadonlySet<BlockId>;
  /** Blocks reached by two ways that share no block: lanes meet here with values from different ways. In reverse post-order. */
  readonly joins: readonly BlockId[];
  /** The blocks of the region, and the branch's own, from which the branch is reached again: lanes run through these different numbers of times. */
  readonly cycle: ReadonlySet<BlockId>;
  /** Edges out of `cycle`. */
  readonly exits: readonly (readonly [from: BlockId, to: BlockId])[];
}

/**
 * The region of a branch that a warp may leave on different edges. Labels start at the branch's successors and flow forward; where two different
 * labels come in, lanes of two ways meet, and the block becomes a label of its own. In irreducible graphs a block may be
 * taken for a join that is none: too many joins are safe.
 */
export function divergenceRegion(fn: Func, branch: BlockId): DivergenceRegion {
  const { number } = reversePostOrder(fn);
  const end = postDominators(fn).idom[branch] ?? -1;
  const blocks = new Set<BlockId>();
  const stack = [...(fn.blocks[branch]?.succs ?? [])];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === end || id === branch || blocks.has(id)) continue;
    blocks.add(id);
    for (const s of fn.blocks[id]?.succs ?? []) stack.push(s);
  }
  const seeds = new Set(fn.blocks[branch]?.succs ?? []);
  const byNumber = [...blocks].sort((a, b) => (number[a] ?? 0) - (number[b] ?? 0));
  if (end >= 0 && end !== branch) byNumber.push(end as BlockId);
  const joins = propagateLabels(fn, branch, end, byNumber, seeds);
  joins.sort((a, b) => (number[a] ?? 0) - (number[b] ?? 0));
  return { blocks, joins, ...cycleOf(fn, branch, blocks) };
}

function propagateLabels(fn: Func, branch: BlockId, end: number, order: readonly BlockId[], seeds: ReadonlySet<BlockId>): BlockId[] {
  const label = new Map<BlockId, BlockId>();
  const joined = new Set<BlockId>();
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of order) {
      if (joined.has(id)) continue;
      let incoming: BlockId | null = seeds.has(id) ? id : null;
      let isJoin = false;
      for (const p of fn.blocks[id]?.preds ?? []) {
        const l = p === branch || p === end ? undefined : label.get(p);
        if (l === undefined || l === incoming) continue;
        if (incoming === null) incoming = l;
        else isJoin = true;
      }
      if (isJoin) {
        joined.add(id);
        incoming = id;
      }
      if (incoming !== null && label.get(id) !== incoming) {
        label.set(id, incoming);
        changed = true;
      }
    }
  }
  return [...joined];
}

function cycleOf(fn: Func, branch: BlockId, blocks: ReadonlySet<BlockId>): Pick<DivergenceRegion, "cycle" | "exits"> {
  const cycle = new Set<BlockId>();
  const stack = (fn.blocks[branch]?.preds ?? []).filter((p) => p === branch || blocks.has(p));
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (cycle.has(id)) continue;
    cycle.add(id);
    if (id === branch) continue;
    for (const p of fn.blocks[id]?.preds ?? []) if (p === branch || blocks.has(p)) stack.push(p);
  }
  if (cycle.size > 0) cycle.add(branch);
  const exits: [BlockId, BlockId][] = [];
  for (const from of cycle) for (const to of fn.blocks[from]?.succs ?? []) if (!cycle.has(to)) exits.push([from, to]);
  return { cycle, exits };
}
