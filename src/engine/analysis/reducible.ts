/** The classic interval test: a flow graph is reducible exactly when T1 and T2 take it down to one node. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { reversePostOrder } from "./order.ts";

export interface IntervalTest {
  readonly reducible: boolean;
  /** Edges from a node to itself that T1 removed. */
  readonly t1: number;
  /** Nodes with a single predecessor that T2 merged into it. */
  readonly t2: number;
  /** The nodes of the limit graph, each by the block its region is entered through; one node (the entry) when the graph is reducible. */
  readonly left: readonly BlockId[];
}

/**
 * T1: a node loses its edge to itself. T2: a node with one predecessor becomes part of it. In any order, until neither applies; the limit graph is the same
 * for every order. Unreachable blocks have no part in it. Dominators are not used either, so that this can serve as a check of `loops.ts`.
 */
export function intervalTest(fn: Func): IntervalTest {
  const { order, number } = reversePostOrder(fn);
  const preds: (Set<BlockId> | undefined)[] = new Array(fn.blocks.length).fill(undefined);
  const succs: (Set<BlockId> | undefined)[] = new Array(fn.blocks.length).fill(undefined);
  for (const id of order) preds[id] = new Set();
  for (const id of order) {
    const to = (fn.blocks[id]?.succs ?? []).filter((s) => (number[s] ?? 0) > 0);
    succs[id] = new Set(to);
    for (const s of to) preds[s]?.add(id);
  }
  let t1 = 0;
  let t2 = 0;
  const dropSelf = (id: BlockId): void => {
    if (succs[id]?.delete(id) !== true) return;
    preds[id]?.delete(id);
    t1++;
  };
  const entry = order[0];
  // From the entry down: what is merged is then mostly a single block, so that few edges have to be moved.
  const work: BlockId[] = order.toReversed();
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    const from = preds[id];
    const out = succs[id];
    if (from === undefined || out === undefined) continue;
    dropSelf(id);
    if (id === entry || from.size !== 1) continue;
    const into = from.values().next().value as BlockId;
    const target = succs[into] as Set<BlockId>;
    t2++;
    preds[id] = undefined;
    succs[id] = undefined;
    target.delete(id);
    for (const next of out) {
      const ways = preds[next] as Set<BlockId>;
      ways.delete(id);
      ways.add(into);
      target.add(next);
      if (ways.size === 1) work.push(next);
    }
    if (target.has(into)) work.push(into);
  }
  const left = order.filter((id) => preds[id] !== undefined);
  return { reducible: left.length <= 1, t1, t2, left };
}
