/**
 * Data flow as it is taught: a fact for each block, an equation that it must satisfy, and a solution by iteration.
 *
 * - The facts of an analysis form a lattice. Most are sets of bits: registers, definitions, expressions. A set that says what holds on some path grows from the empty
 *   one, which is its top; one that says what holds on every path shrinks from the full one.
 * - The direction says which neighbours a block's fact follows from: its predecessors (forward) or its successors (backward).
 * - The meet is what the facts of several neighbours say together: a union or an intersection. The top adds nothing to it.
 * - The transfer function takes the meet through the block's instructions: forward from the head to the end, backward from the end to the head. The result is the block's fact.
 * - If transfer functions are monotone (a lower fact before a block never gives a higher one after it), facts only descend from the top. A lattice in which each descent
 *   is finite then ends the iteration, and no other solution is higher, which is to say more precise.
 */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { reversePostOrder } from "./order.ts";

/** The reachable blocks and their edges. Later edits of the function do not change it. */
export interface FlowGraph<B extends number> {
  /** Reverse post-order: but for loops, a block comes after its predecessors. */
  readonly order: readonly B[];
  /** By block. Neighbours that are not in `order` are ignored. */
  readonly preds: readonly (readonly B[])[];
  readonly succs: readonly (readonly B[])[];
}

export const flowGraph: (fn: Func) => FlowGraph<BlockId> = cached("cfg", (fn) => {
  const { order } = reversePostOrder(fn);
  const preds: (readonly BlockId[])[] = new Array(fn.blocks.length).fill(NONE);
  const succs: (readonly BlockId[])[] = new Array(fn.blocks.length).fill(NONE);
  for (const id of order) {
    const block = getBlock(fn, id);
    preds[id] = block.preds;
    succs[id] = block.succs;
  }
  return { order, preds, succs };
});

/** One problem. A `Fact` is what a visit changes, `Kept` what is kept for a block, if that is another type; `copyFrom` returns whether it changed. */
export interface DataFlow<B extends number, Fact, Kept extends { copyFrom(fact: Fact): boolean }> {
  readonly direction: "forward" | "backward";
  /** A block's first fact: the top. */
  top(block: B): Kept;
  /** What a meet begins with: the top, together with what the block knows without its neighbours, as the entry does. Changed by what follows. */
  start(block: B): Fact;
  /** Changes a fact to its meet with a neighbour's. */
  meet(fact: Fact, neighbour: Kept): void;
  /** Takes the fact through the block. `again` visits a block once more because its transfer function has changed. */
  transfer(block: B, fact: Fact, again: (block: B) => void): void;
  /** For observers: a round begins, counted from 1. */
  readonly round?: ((round: number) => void) | undefined;
  /** For observers: a block was visited; `before` is its fact so far. */
  readonly visited?: ((block: B, round: number, fact: Fact, before: Kept) => void) | undefined;
}

export interface Solution<B extends number, Fact, Kept> {
  /** Rounds until nothing changed (the last one included). */
  readonly rounds: number;
  /** The block's fact, after the transfer function. Undefined for an unreachable block. */
  after(block: B): Kept | undefined;
  /** The meet before it, computed at each call. */
  before(block: B): Fact;
}

/** Visits the blocks round by round, from the second round on only those with a changed neighbour. In this order a fact crosses a program without loops in one round. */
export function solve<B extends number, Fact, Kept extends { copyFrom(fact: Fact): boolean }>(
  graph: FlowGraph<B>,
  flow: DataFlow<B, Fact, Kept>,
): Solution<B, Fact, Kept> {
  const forward = flow.direction === "forward";
  const order = forward ? graph.order : graph.order.toReversed();
  const neighbours = forward ? graph.preds : graph.succs;
  const dependents = forward ? graph.succs : graph.preds;
  const facts: (Kept | undefined)[] = new Array(neighbours.length);
  const waiting = new Uint8Array(neighbours.length);
  for (let i = 0; i < order.length; i++) {
    facts[order[i] as B] = flow.top(order[i] as B);
    waiting[order[i] as B] = 1;
  }
  const before = (block: B): Fact => {
    const fact = flow.start(block);
    const around = neighbours[block] ?? NONE;
    for (let i = 0; i < around.length; i++) {
      const known = facts[around[i] as B];
      if (known !== undefined) flow.meet(fact, known);
    }
    return fact;
  };
  let changed = order.length > 0;
  const again = (block: B): void => {
    waiting[block] = 1;
    changed = true;
  };
  let rounds = 0;
  while (changed) {
    changed = false;
    rounds++;
    flow.round?.(rounds);
    for (let i = 0; i < order.length; i++) {
      const block = order[i] as B;
      const known = facts[block];
      if (known === undefined || waiting[block] !== 1) continue;
      waiting[block] = 0;
      const fact = before(block);
      flow.transfer(block, fact, again);
      flow.visited?.(block, rounds, fact, known);
      if (!known.copyFrom(fact)) continue;
      changed = true;
      const after = dependents[block] ?? NONE;
      for (let d = 0; d < after.length; d++) waiting[after[d] as B] = 1;
    }
  }
  return { rounds, before, after: (block) => facts[block] };
}

const NONE: readonly never[] = [];

/** The meet of what holds on some path. */
export const union = <S>(fact: { addAll(other: S): void }, neighbour: S): void => fact.addAll(neighbour);

/** The meet of what holds on every path. */
export const intersection = <S>(fact: { retainAll(other: S): void }, neighbour: S): void => fact.retainAll(neighbour);
