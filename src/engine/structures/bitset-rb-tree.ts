/** BitsetRBTree: a sorted set of 32-bit indices as a red-black tree of 64-byte nodes, each with a 256-bit bitmap. */

import { popcount } from "../../base/bitset.ts";
import type { Observe } from "../remark/shown.ts";
import { Observation } from "./observe.ts";
import { LEAF_WORDS, RbLinks } from "./rb-links.ts";
import { pointerOf, putU64, type RecordField } from "./record-bytes.ts";

export const RB_NODE_BYTES = 64;
/** One of two layouts in the reference; the other begins with next/parent, left, right. */
export const RB_NODE_FIELDS: readonly RecordField[] = [
  { name: "left", offset: 0, size: 8 },
  { name: "right", offset: 8, size: 8 },
  { name: "parent", offset: 16, size: 8 },
  { name: "key", offset: 24, size: 4 },
  { name: "bitmap[0]", offset: 32, size: 8 },
  { name: "bitmap[1]", offset: 40, size: 8 },
  { name: "bitmap[2]", offset: 48, size: 8 },
  { name: "bitmap[3]", offset: 56, size: 8 },
];

/** A node as inspectors draw it. Links are node numbers, -1 for none; `words` are 8 unsigned 32-bit halves of the 4 quadwords, low half first. */
export interface RbNodeView {
  readonly left: number;
  readonly right: number;
  readonly parent: number;
  readonly key: number;
  readonly red: boolean;
  readonly words: readonly number[];
}

/**
 * Indices are unsigned 32-bit, 0 to 2^32 - 1, ordered as such; a negative int32 is taken as its 32-bit pattern.
 * An index splits into group key `index >> 8` (24 bits, so bit 31 of the key field is free for the colour), word `(index >> 6) & 3` and bit `index & 63`.
 * Source: branch-and-switch, "Case Sort via BitsetRBTree"; copy-propagation-and-cse, "Scope push", "Scope drain", "Scope pop".
 */
export class BitsetRbTree {
  readonly obs: Observation;
  private readonly links: RbLinks;
  private population = 0;
  private dirty: number[] = [];
  /** Results of `descend`. */
  private descentParent = -1;
  private descentLeft = false;

  constructor(observe?: Observe) {
    this.obs = new Observation("rb-tree", observe);
    this.links = new RbLinks(this.obs.on ? this.listener() : null);
    if (this.obs.on) this.flush();
  }

  /** Number of indices in the set. */
  get size(): number {
    return this.population;
  }
  /** The same number, counted in the words of the nodes' bitmaps. */
  countBits(): number {
    const { words } = this.links;
    let bits = 0;
    for (let node = this.firstNode(); node >= 0; node = this.nextNode(node))
      for (let w = node * LEAF_WORDS; w < (node + 1) * LEAF_WORDS; w++) bits += popcount(words[w] ?? 0);
    return bits;
  }
  get nodeCount(): number {
    return this.links.count;
  }
  /** Nodes on the free list. */
  get freeCount(): number {
    return this.links.freeCount;
  }
  /** Node number of the root, -1 when empty. */
  get root(): number {
    return this.links.root;
  }

  has(index: number): boolean {
    const node = this.descend(index >>> 8);
    return node >= 0 && ((this.links.words[wordAt(node, index)] ?? 0) & (1 << (index & 31))) !== 0;
  }

  /** Adds an index; true when it was not there. Locates or creates its node, rebalances, sets the bit. */
  insert(index: number): boolean {
    const key = index >>> 8;
    let node = this.descend(key);
    if (node < 0) {
      node = this.links.attach(key, this.descentParent, this.descentLeft);
      if (this.obs.on) {
        this.emit("create", "create node {node} for group key {key} under {parent}", { node, key, parent: this.descentParent }, [node]);
      }
      this.links.repairInsert(node);
    }
    const at = wordAt(node, index);
    const before = this.links.words[at] ?? 0;
    const after = (before | (1 << (index & 31))) >>> 0;
    const fresh = before !== after;
    if (fresh) {
      this.links.words[at] = after;
      this.population++;
    }
    if (this.obs.on) {
      this.dirty.push(node);
      const template = fresh
        ? "set bit {bit} of word {word} in node {node} for index {index}"
        : "bit {bit} of word {word} in node {node} is set already (index {index})";
      this.emit("bit-set", template, { node, index: index >>> 0, word: (index >>> 6) & 3, bit: index & 63, fresh }, [node]);
    }
    return fresh;
  }

  /** Removes an index; true when it was there. A node left without bits is removed, and the tree rebalanced. */
  remove(index: number): boolean {
    const node = this.descend(index >>> 8);
    if (node < 0) return false;
    if (!this.clearBit(node, index)) return false;
    if (this.isEmptied(node)) this.removeNode(node);
    return true;
  }

  /** Smallest index, or -1. */
  min(): number {
    for (let node = this.firstNode(); node >= 0; node = this.nextNode(node)) {
      const low = this.lowestBit(node, 0);
      if (low >= 0) return this.indexOf(node, low);
    }
    return -1;
  }

  /** Largest index, or -1. */
  max(): number {
    for (let node = this.lastNode(); node >= 0; node = this.links.preceding(node)) {
      const high = this.highestBit(node, 255);
      if (high >= 0) return this.indexOf(node, high);
    }
    return -1;
  }

  /** Removes and returns the largest index, or -1: the bit-scan-reverse step of the descending walk. */
  takeMax(): number {
    for (let node = this.lastNode(); node >= 0; node = this.lastNode()) {
      const high = this.highestBit(node, 255);
      if (high >= 0) {
        const index = this.indexOf(node, high);
        if (this.obs.on) this.emitScan("bsr", node, high);
        this.clearBit(node, index);
        if (this.isEmptied(node)) this.removeNode(node);
        return index;
      }
      this.removeNode(node);
    }
    return -1;
  }

  /** Visits all indices, ascending; the tree must not change meanwhile. */
  forEach(visit: (index: number) => void): void {
    for (let node = this.firstNode(); node >= 0; node = this.nextNode(node)) {
      for (let bit = this.lowestBit(node, 0); bit >= 0; bit = this.lowestBit(node, bit + 1)) {
        if (this.obs.on) this.emitScan("tzcnt", node, bit);
        visit(this.indexOf(node, bit));
      }
    }
  }

  /** Indices, ascending, without events. */
  *values(): Generator<number> {
    for (let node = this.firstNode(); node >= 0; node = this.nextNode(node)) {
      for (let bit = this.lowestBit(node, 0); bit >= 0; bit = this.lowestBit(node, bit + 1)) yield this.indexOf(node, bit);
    }
  }

  /** Indices, descending, without events. */
  *valuesDescending(): Generator<number> {
    for (let node = this.lastNode(); node >= 0; node = this.links.preceding(node)) {
      for (let bit = this.highestBit(node, 255); bit >= 0; bit = this.highestBit(node, bit - 1)) yield this.indexOf(node, bit);
    }
  }

  /** Empties the tree in one step; all nodes return to the pool. */
  clear(): void {
    const links = this.links;
    if (this.obs.on) for (let node = 0; node < links.allocated; node++) this.obs.cell(`n${node}`, undefined);
    links.root = -1;
    links.count = 0;
    links.releaseFree();
    this.population = 0;
    if (this.obs.on) this.emit("clear", "empty the tree", {}, []);
  }

  /** Leftmost node, -1 when empty. */
  firstNode(): number {
    return this.links.leftmost(this.links.root);
  }

  /** Rightmost node, -1 when empty. */
  lastNode(): number {
    return this.links.rightmost(this.links.root);
  }

  /** In-order successor of a node, or -1. */
  nextNode(node: number): number {
    return this.links.following(node);
  }

  /**
   * Finds the lowest set bit of a node by tzcnt and clears it; its index, or -1 when the bitmap is empty. The node stays. Also clears bit 63 of
   * a word, which the described loop leaves.
   */
  takeLowest(node: number): number {
    const bit = this.lowestBit(node, 0);
    if (bit < 0) return -1;
    if (this.obs.on) this.emitScan("tzcnt", node, bit);
    const index = this.indexOf(node, bit);
    this.clearBit(node, index);
    return index;
  }

  /** Removes a node from the tree, even if its bitmap is not empty, and puts it on the free list. */
  removeNode(node: number): void {
    const words = this.links.words;
    for (let w = node * LEAF_WORDS; w < (node + 1) * LEAF_WORDS; w++) this.population -= popcount(words[w] ?? 0);
    const key = this.links.key(node);
    if (this.obs.on) this.emit("remove-node", "take node {node} (group key {key}) out of the tree", { node, key }, [node]);
    this.links.detach(node);
    if (this.obs.on) {
      this.emit("free-node", "node {node} goes to the free list, now {free} long", { node, key, free: this.freeCount }, []);
    }
  }

  /** Gives the free list back to the pool when the tree is empty; how many nodes went. */
  releaseFree(): number {
    const free = this.freeCount;
    if (!this.links.releaseFree()) return 0;
    if (this.obs.on && free > 0) this.emit("release", "give {free} free {free:node|nodes} back to the pool", { free }, []);
    return free;
  }

  nodeView(node: number): RbNodeView {
    const { links } = this;
    return {
      left: links.leftOf(node),
      right: links.rightOf(node),
      parent: links.parentOf(node),
      key: links.key(node),
      red: links.isRed(node),
      words: Array.from(links.words.subarray(node * LEAF_WORDS, (node + 1) * LEAF_WORDS)),
    };
  }

  /** Node numbers in key order. */
  *nodes(): Generator<number> {
    for (let node = this.firstNode(); node >= 0; node = this.nextNode(node)) yield node;
  }

  /** 64 bytes in the layout of `RB_NODE_FIELDS`; pointers per `pointerOf`. */
  nodeBytes(node: number): Uint8Array {
    const { links } = this;
    const bytes = new Uint8Array(RB_NODE_BYTES);
    const view = new DataView(bytes.buffer);
    putU64(view, 0, pointerOf(links.leftOf(node), RB_NODE_BYTES));
    putU64(view, 8, pointerOf(links.rightOf(node), RB_NODE_BYTES));
    putU64(view, 16, pointerOf(links.parentOf(node), RB_NODE_BYTES));
    view.setUint32(24, links.keyWord[node] ?? 0, true);
    for (let w = 0; w < LEAF_WORDS; w++) view.setUint32(32 + 4 * w, links.words[node * LEAF_WORDS + w] ?? 0, true);
    return bytes;
  }

  /** Walks down to the node of a group key; -1 leaves where it would hang. */
  private descend(key: number): number {
    const { links } = this;
    let node = links.root;
    this.descentParent = -1;
    while (node >= 0) {
      const at = links.key(node);
      if (this.obs.on) {
        const goes = key === at ? "found" : key < at ? "left" : "right";
        this.emit("compare", "group key {key} against {nodeKey} of node {node}: {goes}", { node, key, nodeKey: at, goes }, [node]);
      }
      if (key === at) return node;
      this.descentParent = node;
      this.descentLeft = key < at;
      node = this.descentLeft ? links.leftOf(node) : links.rightOf(node);
    }
    return -1;
  }

  private clearBit(node: number, index: number): boolean {
    const at = wordAt(node, index);
    const before = this.links.words[at] ?? 0;
    const after = (before & ~(1 << (index & 31))) >>> 0;
    if (after === before) return false;
    this.links.words[at] = after;
    this.population--;
    if (this.obs.on) {
      this.dirty.push(node);
      const facts = { node, index: index >>> 0, word: (index >>> 6) & 3, bit: index & 63 };
      this.emit("bit-clear", "clear bit {bit} of word {word} in node {node} (index {index})", facts, [node]);
    }
    return true;
  }

  private isEmptied(node: number): boolean {
    return this.lowestBit(node, 0) < 0;
  }

  /** Lowest set bit of a node's 256 at or above `from`, or -1. */
  private lowestBit(node: number, from: number): number {
    if (from > 255) return -1;
    const base = node * LEAF_WORDS;
    let w = from >>> 5;
    let word = (this.links.words[base + w] ?? 0) & (-1 << (from & 31));
    while (word === 0) {
      if (++w === LEAF_WORDS) return -1;
      word = this.links.words[base + w] ?? 0;
    }
    return w * 32 + (31 - Math.clz32(word & -word));
  }

  /** Highest set bit of a node's 256 at or below `from`, or -1. */
  private highestBit(node: number, from: number): number {
    if (from < 0) return -1;
    const base = node * LEAF_WORDS;
    let w = from >>> 5;
    let word = (this.links.words[base + w] ?? 0) & (-1 >>> (31 - (from & 31)));
    while (word === 0) {
      if (--w < 0) return -1;
      word = this.links.words[base + w] ?? 0;
    }
    return w * 32 + 31 - Math.clz32(word);
  }

  /** The index of bit 0..255 of a node: `bit | (word << 6) | (key << 8)`, unsigned. */
  private indexOf(node: number, bit: number): number {
    return ((this.links.key(node) << 8) | bit) >>> 0;
  }

  private listener() {
    return {
      touched: (node: number): void => {
        this.dirty.push(node);
      },
      rotated: (direction: "left" | "right", pivot: number, risen: number): void => {
        this.emit(`rotate-${direction}`, `rotate ${direction} at node {pivot}: node {risen} rises above it`, { pivot, risen }, [
          pivot,
          risen,
        ]);
      },
      recolored: (why: string, nodes: readonly number[]): void => {
        this.emit("recolor", "recolour: {why}", { why, nodes }, nodes);
      },
    };
  }

  private emitScan(scan: "tzcnt" | "bsr", node: number, bit: number): void {
    const facts = { node, word: bit >>> 6, bit: bit & 63, index: this.indexOf(node, bit), key: this.links.key(node) };
    this.emit(scan, `${scan} of word {word} of node {node} = {bit}: index {bit} | {word} << 6 | {key} << 8 = {index}`, facts, [node]);
  }

  private emit(
    op: string,
    template: string,
    facts: Readonly<Record<string, string | number | boolean | readonly number[]>>,
    nodes: readonly number[],
  ): void {
    this.flush();
    this.obs.emit(
      "tree",
      template,
      { op, ...facts },
      nodes.map((n) => `n${n}`),
    );
  }

  private flush(): void {
    const { links } = this;
    for (const node of new Set(this.dirty)) {
      const live = node === links.root || links.parentOf(node) >= 0;
      this.obs.cell(`n${node}`, live ? { ...this.nodeView(node) } : undefined);
    }
    this.dirty.length = 0;
    this.obs.cell("meta", { root: links.root, size: this.population, nodes: links.count, free: links.freeCount });
  }
}

function wordAt(node: number, index: number): number {
  return node * LEAF_WORDS + ((index >>> 5) & 7);
}
