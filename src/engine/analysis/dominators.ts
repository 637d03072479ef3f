/**
 * Dominators and post-dominators by the iterative scheme of Cooper, Harvey and Kennedy. Its walks up the tree can be quadratic in deep graphs: unobserved, a graph that spends
 * more than `WALK_LIMIT` steps for each of its blocks and edges is solved by semidominators instead; the tree is the same.
 */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { terminatorsOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { reversePostOrder } from "./order.ts";
import { semiNca } from "./semi-nca.ts";

/** A dominator tree. Arrays are indexed by block id. */
export interface DomTree {
  /** Immediate dominator; -1 for the root(s) and for blocks that are not in the tree. */
  readonly idom: Int32Array;
  /** 1 where the block is in the tree: reachable from the entry (dominators) or able to reach an exit (post-dominators). */
  readonly inTree: Uint8Array;
  /** Entry and exit number of a depth-first walk of the tree: a dominates b when enter[a] <= enter[b] and exit[b] <= exit[a]. */
  readonly enter: Int32Array;
  readonly exit: Int32Array;
  /** Rounds over the order until nothing changed (the last one included), or until semidominators took over. */
  readonly rounds: number;
  /** Steps that the iterative scheme took up the tree. */
  readonly steps: number;
  /** Semidominators took over. */
  readonly semi: boolean;
}

/** Steps up the tree for each block and edge, on average, before the iterative scheme is given up. */
export const WALK_LIMIT = 32;

/** Told of the algorithm's steps, in their order; a block of -1 is the virtual exit. */
export interface IdomObserver {
  /** A round over the order begins; from 1. */
  readonly round?: (round: number) => void;
  /** Two fingers, at predecessors that have a dominator, before each step up the tree and where they meet. */
  readonly fingers?: (block: BlockId, x: number, y: number) => void;
  /** The block's immediate dominator is set. */
  readonly set: (block: BlockId, idom: number, round: number) => void;
  /** Give up where an unobserved run does. */
  readonly capped?: boolean;
}

/** a dominates b (every block dominates itself); false when either is not in the tree. */
export function dominates(tree: DomTree, a: number, b: number): boolean {
  if (tree.inTree[a] !== 1 || tree.inTree[b] !== 1) return false;
  return (tree.enter[a] ?? 0) <= (tree.enter[b] ?? 0) && (tree.exit[b] ?? 0) <= (tree.exit[a] ?? 0);
}

export const dominators: (fn: Func) => DomTree = cached("cfg", (fn) => computeDominators(fn));

export const postDominators: (fn: Func) => DomTree = cached("all", (fn) => computePostDominators(fn));

export function computeDominators(fn: Func, observe?: IdomObserver): DomTree {
  const { order, number } = reversePostOrder(fn);
  const n = order.length;
  // Nodes are RPO places 0..n-1, root 0.
  const preds = new Array<number[]>(n);
  for (let i = 0; i < n; i++) {
    const list: number[] = [];
    for (const p of fn.blocks[order[i] as BlockId]?.preds ?? []) {
      const at = number[p] ?? 0;
      if (at > 0) list.push(at - 1);
    }
    preds[i] = list;
  }
  return solve(fn.blocks.length, order, preds, 0, observe);
}

/**
 * On the reverse graph with a virtual exit after every block that ends a thread (a guarded EXIT or RET has that edge in addition to its fall-through).
 * Blocks that reach no exit are not in the tree.
 */
export function computePostDominators(fn: Func, observe?: IdomObserver): DomTree {
  const exits = fn.layout.filter((id) => leavesFunction(fn, id));
  // Reverse post-order of the reverse graph from the virtual exit, iteratively.
  const size = fn.blocks.length;
  const seen = new Uint8Array(size);
  const post: number[] = [];
  const stack: { readonly id: number; readonly next: readonly BlockId[]; at: number }[] = [];
  // The virtual exit searches its predecessors in layout order.
  for (const exit of exits) {
    if (seen[exit] === 1) continue;
    seen[exit] = 1;
    stack.push({ id: exit, next: fn.blocks[exit]?.preds ?? [], at: 0 });
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top === undefined) break;
      const p = top.next[top.at++];
      if (p === undefined) {
        post.push(top.id);
        stack.pop();
      } else if (seen[p] === 0) {
        seen[p] = 1;
        stack.push({ id: p, next: fn.blocks[p]?.preds ?? [], at: 0 });
      }
    }
  }
  const order = [-1, ...post.reverse()] as BlockId[];
  const place = new Int32Array(size).fill(-1);
  for (let i = 1; i < order.length; i++) place[order[i] as BlockId] = i;
  const preds: number[][] = [[]];
  const isExit = new Uint8Array(size);
  for (const exit of exits) isExit[exit] = 1;
  for (let i = 1; i < order.length; i++) {
    const id = order[i] as BlockId;
    const list: number[] = isExit[id] === 1 ? [0] : [];
    for (const s of fn.blocks[id]?.succs ?? []) {
      const at = place[s] ?? -1;
      if (at >= 0) list.push(at);
    }
    preds.push(list);
  }
  return solve(size, order, preds, 0, observe);
}

/** True when a thread can end at the block: RET, EXIT or KILL among its terminators, guarded or not. */
export function leavesFunction(fn: Func, id: BlockId): boolean {
  const block = fn.blocks[id];
  return block !== undefined && terminatorsOf(block).insts.some((inst) => inst.op === "RET" || inst.op === "EXIT" || inst.op === "KILL");
}

/** `order[i]` is the block at place i (-1: the virtual root), `preds[i]` its predecessors' places. Places are in reverse post-order. */
function solve(
  size: number,
  order: readonly BlockId[],
  preds: readonly number[][],
  root: number,
  observe: IdomObserver | undefined,
): DomTree {
  const n = order.length;
  const dom = new Int32Array(n).fill(-1);
  if (n > 0) dom[root] = root;
  let rounds = 0;
  const most =
    observe === undefined || observe.capped === true
      ? WALK_LIMIT * preds.reduce((sum, list) => sum + list.length + 1, 0)
      : Number.POSITIVE_INFINITY;
  let steps = 0;
  let semi = false;
  for (let changed = n > 0; changed; ) {
    changed = false;
    rounds++;
    observe?.round?.(rounds);
    for (let i = 1; i < n; i++) {
      let best = -1;
      for (const p of preds[i] ?? []) {
        if (dom[p] === -1) continue;
        if (best === -1) {
          best = p;
          continue;
        }
        // Two fingers walk up to where they meet. A single join of thousands of deep paths may use up all steps.
        let x = p;
        let y = best;
        if (observe !== undefined) observe.fingers?.(order[i] as BlockId, order[x] as number, order[y] as number);
        while (x !== y && steps <= most) {
          if (x > y) x = dom[x] as number;
          else y = dom[y] as number;
          steps++;
          if (observe !== undefined) observe.fingers?.(order[i] as BlockId, order[x] as number, order[y] as number);
        }
        if (steps > most) break;
        best = x;
      }
      if (steps > most) break;
      if (best !== -1 && dom[i] !== best) {
        dom[i] = best;
        changed = true;
        observe?.set(order[i] as BlockId, order[best] as number, rounds);
      }
    }
    if (steps > most) {
      dom.set(semiNca(preds, root));
      semi = true;
      break;
    }
  }
  const idom = new Int32Array(size).fill(-1);
  const inTree = new Uint8Array(size);
  for (let i = 0; i < n; i++) {
    const id = order[i] as number;
    if (id < 0) continue;
    inTree[id] = 1;
    if (i !== root) idom[id] = order[dom[i] as number] as number;
  }
  return { idom, inTree, ...number(size, order, dom), rounds, steps, semi };
}

/** Depth-first interval numbers of the tree, without recursion: subtree sizes from the bottom up, then entry numbers from the top down. */
function number(size: number, order: readonly BlockId[], dom: Int32Array): { enter: Int32Array; exit: Int32Array } {
  const n = order.length;
  const subtree = new Int32Array(n).fill(1);
  for (let i = n - 1; i > 0; i--) subtree[dom[i] as number] = (subtree[dom[i] as number] ?? 0) + (subtree[i] ?? 0);
  const start = new Int32Array(n);
  const nextFree = new Int32Array(n);
  if (n > 0) nextFree[0] = 1;
  const enter = new Int32Array(size).fill(-1);
  const exit = new Int32Array(size).fill(-1);
  for (let i = 0; i < n; i++) {
    if (i > 0) {
      const parent = dom[i] as number;
      start[i] = nextFree[parent] as number;
      nextFree[parent] = (start[i] ?? 0) + (subtree[i] ?? 0);
      nextFree[i] = (start[i] ?? 0) + 1;
    }
    const id = order[i] as number;
    if (id < 0) continue;
    enter[id] = start[i] ?? 0;
    exit[id] = (start[i] ?? 0) + (subtree[i] ?? 0) - 1;
  }
  return { enter, exit };
}

/** Children lists of the tree by block id, in reverse post-order of the graph. */
export function domChildren(fn: Func, tree: DomTree): readonly (readonly BlockId[])[] {
  const children: BlockId[][] = Array.from({ length: fn.blocks.length }, () => []);
  for (const id of reversePostOrder(fn).order) {
    const parent = tree.idom[id] ?? -1;
    if (parent >= 0) children[parent]?.push(id);
  }
  return children;
}
