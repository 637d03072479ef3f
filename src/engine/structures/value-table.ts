/** GvnCse's value table: from the 32-bit expression index of an instruction (+144) to its leader. */

import type { Observe } from "../remark/shown.ts";
import { FnvTable, type TableCounters, widened } from "./fnv-table.ts";
import { Observation } from "./observe.ts";

/** What an insert reports; the fields of the described 33-byte result record. Node and prev are pool indices, -1 for none. */
export interface InsertResult {
  readonly bucket: number;
  readonly node: number;
  readonly prev: number;
  readonly isNew: boolean;
  /** The leader now stored for the key: the given one when new, the earlier one otherwise. */
  readonly value: number;
}

export interface TableStats extends Readonly<TableCounters> {
  readonly buckets: number;
  readonly entries: number;
  readonly occupied: number;
  /** Entries per bucket. */
  readonly load: number;
  readonly longestChain: number;
}

/**
 * FNV-1a over the key's four bytes, power-of-two array of 24-byte buckets (head, tail, count), 32-byte chain nodes with the stored hash,
 * growth by 4 with redistribution by stored hash; the load rule is `growthReason`. Nothing is ever unlinked: the reference takes
 * nodes from an arena and describes no removal.
 * Source: copy-propagation-and-cse, "Value table structure".
 */
export class ValueTable {
  readonly obs: Observation;
  private readonly table: FnvTable;
  private values = new Int32Array(16);

  constructor(observe?: Observe) {
    this.obs = new Observation("value-table", observe);
    this.table = new FnvTable(this.obs, (node) => this.nodeValue(node), true);
  }

  get size(): number {
    return this.table.size;
  }
  get capacity(): number {
    return this.table.capacity;
  }

  /** The leader of a key, or -1. */
  lookup(key: number): number {
    const node = this.table.locate(key);
    return node < 0 ? -1 : this.nodeValue(node);
  }

  /** Finds or adds: an existing entry keeps its leader. One hash and one chain walk, so no `lookup` is needed before. `value` is an int32, 0 or more. */
  insert(key: number, value: number): InsertResult {
    const found = this.table.locate(key, true);
    if (found >= 0) return { bucket: this.table.bucket, node: found, prev: this.table.prev, isNew: false, value: this.nodeValue(found) };
    const node = this.table.append(key, (n) => this.store(n, value));
    return { bucket: this.table.bucket, node, prev: this.table.prev, isNew: true, value };
  }

  /** Gives a node, as returned by `insert`, a new leader. */
  replace(node: number, value: number): void {
    const before = this.nodeValue(node);
    this.store(node, value);
    if (!this.obs.on) return;
    this.table.mirrorNode(node);
    const facts = { op: "replace", node, key: this.table.nodeKey(node), before, value };
    this.obs.emit("hash", "node {node} (key {key}): leader {before} becomes {value}", facts, [`n${node}`]);
  }

  clear(): void {
    this.table.clear();
  }

  stats(): TableStats {
    const { capacity, size, occupied, load, longestChain, counters } = this.table;
    return { ...counters, buckets: capacity, entries: size, occupied, load, longestChain };
  }

  /** `[key, leader]` in bucket order, then chain order. */
  *entries(): Generator<readonly [number, number]> {
    for (const node of this.table.nodes()) yield [this.table.nodeKey(node), this.nodeValue(node)];
  }

  /** Head and tail are node indices, -1 when empty. */
  bucketView(bucket: number): { readonly head: number; readonly tail: number; readonly count: number } {
    return { head: this.table.bucketHead(bucket), tail: this.table.bucketTail(bucket), count: this.table.bucketCount(bucket) };
  }

  nodeView(node: number): { readonly key: number; readonly hash: number; readonly next: number; readonly value: number } {
    return { key: this.table.nodeKey(node), hash: this.table.nodeHash(node), next: this.table.nodeNext(node), value: this.nodeValue(node) };
  }

  /** 24 bytes in the layout of `BUCKET_FIELDS`. */
  bucketBytes(bucket: number): Uint8Array {
    return this.table.bucketBytes(bucket);
  }

  /** 32 bytes in the layout of `NODE_FIELDS`. */
  nodeBytes(node: number): Uint8Array {
    return this.table.nodeBytes(node, this.nodeValue(node));
  }

  private nodeValue(node: number): number {
    return this.values[node] ?? -1;
  }

  private store(node: number, value: number): void {
    if (node >= this.values.length) this.values = widened(this.values);
    this.values[node] = value;
  }
}
