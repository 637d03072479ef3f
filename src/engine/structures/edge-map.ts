/** The successor map (+648) and back-edge map (+680): block index to a set of block indices kept in its own small hash. */

import type { Observe } from "../remark/shown.ts";
import { fnv1a32 } from "./fnv.ts";
import { FnvHashMap } from "./fnv-hash-map.ts";
import type { Observation } from "./observe.ts";

/** Content of an unused slot of an edge set; a walk over the slots skips it. Source: branch-and-switch, `erase_block`. */
export const EMPTY_SLOT = 0xffff_ffff;

/**
 * A set of block indices: one slot while there is one edge, then a power-of-two array of slots addressed by FNV-1a.
 * The reference gives the sub-hash, its walk in slot order and its sentinel; collision handling (next slot) and growth
 * (by 4, when more than half full) are decided here.
 */
export class EdgeSet {
  private slots = new Uint32Array(1).fill(EMPTY_SLOT);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Slots in order, `EMPTY_SLOT` if nothing is stored. */
  view(): readonly number[] {
    return Array.from(this.slots);
  }

  has(target: number): boolean {
    return this.slots[this.slotOf(target)] === target;
  }

  /** True when the edge is new. The target must not be the sentinel. */
  add(target: number): boolean {
    if (target === EMPTY_SLOT) throw new RangeError("an edge cannot lead to the sentinel 0xFFFFFFFF");
    if (this.has(target)) return false;
    if (this.count > 0 && (this.count + 1) * 2 > this.slots.length) this.grow();
    this.slots[this.slotOf(target)] = target;
    this.count++;
    return true;
  }

  /** Targets in slot order: deterministic, but not the order of insertion. */
  *[Symbol.iterator](): Generator<number> {
    for (const slot of this.slots) if (slot !== EMPTY_SLOT) yield slot;
  }

  /** The slot that contains the target, or the one where it would go. Only a one-slot set can be full. */
  private slotOf(target: number): number {
    const mask = this.slots.length - 1;
    let slot = fnv1a32(target) & mask;
    for (let probes = 0; probes < mask; probes++) {
      const held = this.slots[slot];
      if (held === target || held === EMPTY_SLOT) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Uint32Array(old.length * 4).fill(EMPTY_SLOT);
    for (const target of old) if (target !== EMPTY_SLOT) this.slots[this.slotOf(target)] = target;
  }
}

/** Edges by source block. A mirrored node's `value` is the list of its slots, `null` where one is empty. */
export class EdgeMap {
  private readonly map: FnvHashMap<EdgeSet>;
  private edges = 0;

  constructor(observe?: Observe) {
    this.map = new FnvHashMap<EdgeSet>((set) => set.view().map((slot) => (slot === EMPTY_SLOT ? null : slot)), observe);
  }

  get obs(): Observation {
    return this.map.obs;
  }
  /** The hash map itself, for views. */
  get blocks(): FnvHashMap<EdgeSet> {
    return this.map;
  }
  /** Edges in all sets. */
  get edgeCount(): number {
    return this.edges;
  }

  /** Adds an edge; true when it is new. */
  add(from: number, to: number): boolean {
    const set = this.map.get(from);
    if (set === undefined) {
      const first = new EdgeSet();
      first.add(to);
      this.map.append(from, first);
      this.edges++;
      return true;
    }
    if (!set.add(to)) return false;
    this.edges++;
    this.map.touch(from);
    return true;
  }

  has(from: number, to: number): boolean {
    return this.map.get(from)?.has(to) ?? false;
  }

  /** The edges of a block, or undefined when it has none. */
  get(from: number): EdgeSet | undefined {
    return this.map.get(from);
  }

  /** How `get` finds a block's edges, without events: the bucket, the keys of its chain up to the block's, and the slots of its set. */
  walk(from: number): { readonly bucket: number; readonly chain: readonly number[]; readonly slots: readonly number[] } {
    const bucket = fnv1a32(from) & (this.map.capacity - 1);
    const chain: number[] = [];
    for (let node = this.map.bucketView(bucket).head; node >= 0; ) {
      const { key, next, value } = this.map.nodeView(node);
      chain.push(key);
      if (key === from) return { bucket, chain, slots: value?.view() ?? [] };
      node = next;
    }
    return { bucket, chain, slots: [] };
  }

  clear(): void {
    this.map.clear();
    this.edges = 0;
  }

  /** `[from, to]` in bucket order, chain order, slot order. */
  *entries(): Generator<readonly [number, number]> {
    for (const [from, set] of this.map.entries()) for (const to of set) yield [from, to];
  }
}
