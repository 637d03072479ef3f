/** Depth-first orders of the control-flow graph. */

import type { BlockId } from "../ir/ids.ts";
import type { Block, Func } from "../ir/types.ts";
import { tableName } from "../ir/visit.ts";
import { cached } from "./cache.ts";

export interface BlockOrder {
  /** Reachable blocks in reverse post-order, entry first. */
  readonly order: readonly BlockId[];
  /** By block id: place in `order` counted from 1; 0 for unreachable blocks. */
  readonly number: Int32Array;
}

/**
 * Reverse post-order by an iterative depth-first search. Where two orders are possible, the else edge's target is numbered before the taken edge's, and a
 * table's targets in table order, so that the numbers follow the layout.
 */
export const reversePostOrder: (fn: Func) => BlockOrder = cached("cfg", (fn) => {
  const number = new Int32Array(fn.blocks.length);
  const post: BlockId[] = [];
  const entry = fn.layout[0];
  if (entry === undefined) return { order: [], number };
  const state = new Uint8Array(fn.blocks.length);
  const stack: { readonly id: BlockId; readonly succs: readonly BlockId[]; next: number }[] = [];
  const enter = (id: BlockId): void => {
    state[id] = 1;
    stack.push({ id, succs: searchOrder(fn.blocks[id]), next: 0 });
  };
  enter(entry);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top === undefined) break;
    const succ = top.succs[top.next++];
    if (succ === undefined) {
      post.push(top.id);
      stack.pop();
    } else if (state[succ] === 0 && fn.blocks[succ] !== undefined) {
      enter(succ);
    }
  }
  const order = post.reverse();
  for (let i = 0; i < order.length; i++) number[order[i] as BlockId] = i + 1;
  return { order, number };
});

/** Successors in the order of search: the one searched last is numbered first. */
export function searchOrder(block: Block | undefined): readonly BlockId[] {
  if (block === undefined) return [];
  const last = block.insts[block.insts.length - 1];
  return last !== undefined && tableName(last) !== null ? block.succs.toReversed() : block.succs;
}
