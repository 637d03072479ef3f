/** GvnCse's scope tree: which blocks wait for the per-block pass within a dominator subtree, in three phases push, drain, pop. */

import type { Observe } from "../remark/shown.ts";
import { BitsetRbTree, type RbNodeView } from "./bitset-rb-tree.ts";
import type { Observation } from "./observe.ts";

/**
 * One round is: `push` while blocks are walked, one `drain` that hands out all indices ascending, then `popAll`, then `release`.
 * Draining clears bits in place and leaves emptied nodes in the tree; popping removes nodes one at a time, leftmost first
 * (the reference calls it the cursor and does not say where it is).
 * Source: copy-propagation-and-cse, "Dominator-tree scoping" and "Scope Tree Bit-Iteration Detail".
 */
export class ScopeTree {
  private readonly tree: BitsetRbTree;

  constructor(observe?: Observe) {
    this.tree = new BitsetRbTree(observe);
  }

  get obs(): Observation {
    return this.tree.obs;
  }
  /** Indices pushed and not yet drained or popped. */
  get size(): number {
    return this.tree.size;
  }
  get nodeCount(): number {
    return this.tree.nodeCount;
  }
  get freeCount(): number {
    return this.tree.freeCount;
  }
  /** The leftmost node, -1 when the tree is empty. */
  get cursor(): number {
    return this.tree.firstNode();
  }

  /** Records a block index; true when it was not recorded. */
  push(index: number): boolean {
    return this.tree.insert(index);
  }

  has(index: number): boolean {
    return this.tree.has(index);
  }

  /** Hands out every recorded index, ascending, clearing its bit first. A visitor must not push. */
  drain(visit: (index: number) => void): void {
    for (let node = this.tree.firstNode(); node >= 0; node = this.tree.nextNode(node)) {
      for (let index = this.tree.takeLowest(node); index >= 0; index = this.tree.takeLowest(node)) visit(index);
    }
  }

  /** Takes the node at the cursor out and puts it on the free list; false when the tree is empty. */
  pop(): boolean {
    const node = this.cursor;
    if (node < 0) return false;
    this.tree.removeNode(node);
    return true;
  }

  /** Pops until the root is null; how many nodes went. */
  popAll(): number {
    let popped = 0;
    while (this.pop()) popped++;
    return popped;
  }

  /** Gives the free list back to the pool; only after `popAll`. How many nodes went. */
  release(): number {
    return this.tree.releaseFree();
  }

  /** Recorded indices, ascending, without events. */
  values(): Generator<number> {
    return this.tree.values();
  }

  nodes(): Generator<number> {
    return this.tree.nodes();
  }

  nodeView(node: number): RbNodeView {
    return this.tree.nodeView(node);
  }
}

/** How a block index is addressed in the tree: group key, quadword 0..3, bit 0..63. */
export function scopeAddress(index: number): { readonly groupKey: number; readonly word: number; readonly bit: number } {
  return { groupKey: index >>> 8, word: (index >>> 6) & 3, bit: index & 63 };
}
