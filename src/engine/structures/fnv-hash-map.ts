/** The CFG hash map: any value, keyed by block index, in the bucket-chained FNV-1a table. */

import type { Observe } from "../remark/shown.ts";
import type { CellValue } from "../trace/recorder.ts";
import { FnvTable } from "./fnv-table.ts";
import { Observation } from "./observe.ts";

/**
 * The shape of the maps at +648 (successors) and +680 (back edges); `EdgeMap` is the one whose values are edge sets.
 * Buckets are found by `fnv1a(key) & (buckets - 1)`. Entries are never unlinked: erasing a block leaves its entry in the chain and
 * marks the block dead elsewhere; a rebuild starts with `clear`.
 * Source: branch-and-switch, "Transformation 2: Unreachable Block Elimination". Growth and stored hash as in the value table.
 */
export class FnvHashMap<V> {
  readonly obs: Observation;
  private readonly table: FnvTable;
  private readonly values: V[] = [];

  /** `describe` turns a value into what the mirror shows. */
  constructor(describe: (value: V) => CellValue, observe?: Observe) {
    this.obs = new Observation("hash-map", observe);
    this.table = new FnvTable(this.obs, (node) => {
      const value = this.values[node];
      return value === undefined ? null : describe(value);
    });
  }

  get size(): number {
    return this.table.size;
  }
  /** Number of buckets. */
  get capacity(): number {
    return this.table.capacity;
  }
  /** Entries per bucket. */
  get load(): number {
    return this.table.load;
  }
  get longestChain(): number {
    return this.table.longestChain;
  }

  get(key: number): V | undefined {
    const node = this.table.locate(key);
    return node < 0 ? undefined : this.values[node];
  }

  has(key: number): boolean {
    return this.table.locate(key) >= 0;
  }

  /** Adds or replaces. True when the key is new. */
  insert(key: number, value: V): boolean {
    const node = this.table.locate(key);
    if (node < 0) {
      this.append(key, value);
      return true;
    }
    this.values[node] = value;
    this.changed(node);
    return false;
  }

  /** Inserts a key that the call just before (`get` or `has`) did not find: no second hash and walk. */
  append(key: number, value: V): void {
    this.table.append(key, (n) => {
      this.values[n] = value;
    });
  }

  /** Notifies the mirror that the value of a key was changed in place. */
  touch(key: number): void {
    if (!this.obs.on) return;
    const node = this.table.peek(key);
    if (node >= 0) this.changed(node);
  }

  clear(): void {
    this.values.length = 0;
    this.table.clear();
  }

  /** `[key, value]` in bucket order, then chain order. */
  *entries(): Generator<readonly [number, V]> {
    for (const node of this.table.nodes()) {
      const value = this.values[node];
      if (value !== undefined) yield [this.table.nodeKey(node), value];
    }
  }

  bucketView(bucket: number): { readonly head: number; readonly tail: number; readonly count: number } {
    return { head: this.table.bucketHead(bucket), tail: this.table.bucketTail(bucket), count: this.table.bucketCount(bucket) };
  }

  nodeView(node: number): { readonly key: number; readonly hash: number; readonly next: number; readonly value: V | undefined } {
    return { key: this.table.nodeKey(node), hash: this.table.nodeHash(node), next: this.table.nodeNext(node), value: this.values[node] };
  }

  private changed(node: number): void {
    if (!this.obs.on) return;
    this.table.mirrorNode(node);
    this.obs.emit("hash", "node {node} (key {key}): value changed", { op: "replace", node, key: this.table.nodeKey(node) }, [`n${node}`]);
  }
}
