/** The bucket-chained FNV-1a table that the value table and the CFG hash maps share: buckets, chains, growth. */

import type { CellValue } from "../trace/recorder.ts";
import { fnv1a32, fnv1aObserved, hex } from "./fnv.ts";
import type { Observation } from "./observe.ts";
import { pointerOf, putU64, type RecordField } from "./record-bytes.ts";

/** Number of buckets of a new table. Source: copy-propagation-and-cse, "Value table structure". */
export const INITIAL_BUCKETS = 8;
/** Factor between two sizes of the bucket array. Same source. */
export const GROWTH_FACTOR = 4;
/** Not stated in the reference: the described rule applies while there are at most this many buckets per entry. */
export const MAX_SPARSENESS = 4;

export const BUCKET_BYTES = 24;
export const NODE_BYTES = 32;
export const BUCKET_FIELDS: readonly RecordField[] = [
  { name: "head", offset: 0, size: 8 },
  { name: "tail", offset: 8, size: 8 },
  { name: "count", offset: 16, size: 4 },
];
export const NODE_FIELDS: readonly RecordField[] = [
  { name: "next", offset: 0, size: 8 },
  { name: "key", offset: 8, size: 4 },
  { name: "value", offset: 16, size: 8 },
  { name: "stored_hash", offset: 24, size: 4 },
];

/** Why a table grows, or does not, after an insert; see `growthReason`. */
export type GrowthReason = "collision" | "full" | "none" | "sparse" | "spread";

/**
 * The load rule. With `occupied` = non-empty buckets:
 * - `collision` (the reference): entries > occupied and occupied <= capacity / 2, so grow;
 * - `full` (not stated): entries > capacity, so grow: dense keys can occupy more than half of the buckets before the first
 *   collision, and the described rule alone would then never grow the table again;
 * - `sparse` (not stated): the described rule holds but there are already more than 4 buckets per entry: without this bound a few
 *   collisions would multiply the array without end;
 * - `spread`: entries collide but more than half of the buckets are occupied; `none`: nothing collides.
 */
export function growthReason(entries: number, occupied: number, capacity: number): GrowthReason {
  if (entries > capacity) return "full";
  if (entries <= occupied) return "none";
  if (occupied * 2 > capacity) return "spread";
  return capacity <= MAX_SPARSENESS * entries ? "collision" : "sparse";
}

const GROWTH_TEXT: Readonly<Record<GrowthReason, string>> = {
  collision: "{entries} {entries:entry|entries} > {occupied} occupied {occupied:bucket|buckets}, {occupied} <= {capacity} / 2: grow",
  full: "{entries} {entries:entry|entries} > {capacity} {capacity:bucket|buckets}: grow (condition not stated in the reference)",
  none: "{entries} {entries:entry|entries} in {occupied} occupied {occupied:bucket|buckets}: no collision, no growth",
  sparse:
    "entries collide, but {capacity} {capacity:bucket|buckets} for {entries} {entries:entry|entries} {capacity:is|are} enough: no growth (bound not stated in the reference)",
  spread: "{occupied} occupied {occupied:bucket|buckets} > {capacity} / 2: no growth",
};

/** Counters since the table was made; `compared` counts examined chain nodes, `moved` redistributed nodes. */
export interface TableCounters {
  lookups: number;
  hits: number;
  inserts: number;
  compared: number;
  resizes: number;
  moved: number;
}

/** Keys are 32-bit; nodes live in a pool and keep their index for good; -1 is 'none'. */
export class FnvTable {
  readonly counters: TableCounters = { lookups: 0, hits: 0, inserts: 0, compared: 0, resizes: 0, moved: 0 };
  /** Results of the last `locate`: hash, bucket, and the node before the found one (or the tail, when not found). */
  hash = 0;
  bucket = 0;
  prev = -1;

  private readonly obs: Observation;
  private readonly describe: (node: number) => CellValue;
  private readonly showsResults: boolean;
  private buckets = new Int32Array(INITIAL_BUCKETS * 3).fill(-1);
  private next = new Int32Array(16);
  private keys = new Int32Array(16);
  private hashes = new Int32Array(16);
  private cap = INITIAL_BUCKETS;
  private entryCount = 0;
  private occupiedCount = 0;
  private longest = 0;

  /** `describe` gives the mirrored value of a node; it is called only when observed. `showsResults`: what inserts return is mirrored, too. */
  constructor(obs: Observation, describe: (node: number) => CellValue, showsResults = false) {
    this.obs = obs;
    this.showsResults = showsResults;
    this.describe = describe;
    this.emptyBuckets();
    if (obs.on) this.mirrorMeta();
  }

  get capacity(): number {
    return this.cap;
  }
  get size(): number {
    return this.entryCount;
  }
  get occupied(): number {
    return this.occupiedCount;
  }
  /** Entries per bucket. */
  get load(): number {
    return this.entryCount / this.cap;
  }
  /** Nodes in the fullest bucket. */
  get longestChain(): number {
    return this.longest;
  }

  bucketHead(b: number): number {
    return this.buckets[b * 3] ?? -1;
  }
  bucketTail(b: number): number {
    return this.buckets[b * 3 + 1] ?? -1;
  }
  bucketCount(b: number): number {
    return this.buckets[b * 3 + 2] ?? 0;
  }
  nodeNext(node: number): number {
    return this.next[node] ?? -1;
  }
  /** Unsigned. */
  nodeKey(node: number): number {
    return (this.keys[node] ?? 0) >>> 0;
  }
  /** Unsigned. */
  nodeHash(node: number): number {
    return (this.hashes[node] ?? 0) >>> 0;
  }

  /** The node of a key or -1; leaves hash, bucket and prev for `append`. `inserts`: what is found is an insert's result. */
  locate(key: number, inserts = false): number {
    const found = this.obs.on ? this.locateObserved(key, inserts) : this.locateFast(key);
    this.counters.lookups++;
    if (found >= 0) this.counters.hits++;
    return found;
  }

  /** The node of a key or -1, without events, counters or results. */
  peek(key: number): number {
    const wanted = key >>> 0;
    let node = this.bucketHead(fnv1a32(key) & (this.cap - 1));
    while (node >= 0 && this.nodeKey(node) !== wanted) node = this.nodeNext(node);
    return node;
  }

  /** Appends a node for a key that the last `locate` did not find, then grows if the load rule requires it. `store` puts the value in place. */
  append(key: number, store: (node: number) => void): number {
    const node = this.entryCount++;
    this.reserve(node);
    this.keys[node] = key;
    this.hashes[node] = this.hash;
    store(node);
    this.counters.inserts++;
    this.link(node, this.bucket);
    if (this.obs.on) {
      this.mirrorMeta();
      this.mirrorResult(this.bucket, node, this.prev, true);
      this.obs.emit(
        "hash",
        "insert key {key} as node {node} at the tail of bucket {bucket}, now {count} long",
        { op: "insert", key: key >>> 0, node, bucket: this.bucket, count: this.bucketCount(this.bucket) },
        [`b${this.bucket}`, `n${node}`],
      );
    }
    this.checkLoad(node);
    return node;
  }

  /** Mirrors a node after its value changed. */
  mirrorNode(node: number): void {
    this.obs.cell(`n${node}`, {
      key: this.nodeKey(node),
      hash: this.nodeHash(node),
      next: this.nodeNext(node),
      value: this.describe(node),
    });
  }

  /** Drops all entries and returns to the initial number of buckets; counters stay. */
  clear(): void {
    if (this.obs.on) {
      for (let b = 0; b < this.cap; b++) if (this.bucketCount(b) > 0) this.obs.cell(`b${b}`, undefined);
      for (let n = 0; n < this.entryCount; n++) this.obs.cell(`n${n}`, undefined);
      if (this.showsResults) this.obs.cell("insert", undefined);
    }
    this.cap = INITIAL_BUCKETS;
    this.buckets = new Int32Array(INITIAL_BUCKETS * 3);
    this.entryCount = 0;
    this.emptyBuckets();
    if (this.obs.on) {
      this.mirrorMeta();
      this.obs.emit("hash", "empty the table: {buckets} {buckets:bucket|buckets}", { op: "clear", buckets: this.cap }, ["meta"]);
    }
  }

  /** Node indices in bucket order, then chain order: the table's order of iteration. */
  *nodes(): Generator<number> {
    for (let b = 0; b < this.cap; b++) {
      for (let node = this.bucketHead(b); node >= 0; node = this.nodeNext(node)) yield node;
    }
  }

  /** The 24 bytes of a bucket; pointers per `pointerOf`. */
  bucketBytes(b: number): Uint8Array {
    const bytes = new Uint8Array(BUCKET_BYTES);
    const view = new DataView(bytes.buffer);
    putU64(view, 0, pointerOf(this.bucketHead(b), NODE_BYTES));
    putU64(view, 8, pointerOf(this.bucketTail(b), NODE_BYTES));
    view.setUint32(16, this.bucketCount(b), true);
    return bytes;
  }

  /** The 32 bytes of a node, whose 8-byte value field contains `value` (below 2^53). */
  nodeBytes(node: number, value: number): Uint8Array {
    const bytes = new Uint8Array(NODE_BYTES);
    const view = new DataView(bytes.buffer);
    putU64(view, 0, pointerOf(this.nodeNext(node), NODE_BYTES));
    view.setUint32(8, this.nodeKey(node), true);
    putU64(view, 16, value);
    view.setUint32(24, this.nodeHash(node), true);
    return bytes;
  }

  private locateFast(key: number): number {
    const hash = fnv1a32(key);
    const bucket = hash & (this.cap - 1);
    const { keys, next } = this;
    const wanted = key | 0;
    let prev = -1;
    let node = this.buckets[bucket * 3] ?? -1;
    let compared = 0;
    while (node >= 0) {
      compared++;
      if (keys[node] === wanted) break;
      prev = node;
      node = next[node] ?? -1;
    }
    this.counters.compared += compared;
    this.hash = hash;
    this.bucket = bucket;
    this.prev = prev;
    return node;
  }

  private locateObserved(key: number, inserts: boolean): number {
    const wanted = key >>> 0;
    const hash = fnv1aObserved(key, this.obs);
    const bucket = hash & (this.cap - 1);
    this.obs.emit(
      "hash",
      "key {key} belongs in bucket {bucket} of {buckets}, which holds {count} {count:entry|entries}",
      {
        op: "bucket",
        key: wanted,
        hash,
        hashHex: hex(hash, 8),
        mask: this.cap - 1,
        buckets: this.cap,
        bucket,
        count: this.bucketCount(bucket),
      },
      [`b${bucket}`],
    );
    let prev = -1;
    let node = this.bucketHead(bucket);
    for (let position = 0; node >= 0; position++) {
      const found = this.nodeKey(node) === wanted;
      this.counters.compared++;
      if (found && inserts) this.mirrorResult(bucket, node, prev, false);
      this.obs.emit(
        "hash",
        found
          ? "entry {position} of the chain: node {node} has key {nodeKey}, a hit"
          : "entry {position} of the chain: node {node} has key {nodeKey}, not {key}",
        { op: "compare", key: wanted, node, nodeKey: this.nodeKey(node), bucket, position, equal: found },
        [`b${bucket}`, `n${node}`],
      );
      if (found) break;
      prev = node;
      node = this.nodeNext(node);
    }
    if (node < 0) this.obs.emit("hash", "key {key} is not in bucket {bucket}: miss", { op: "miss", key: wanted, bucket }, [`b${bucket}`]);
    this.hash = hash;
    this.bucket = bucket;
    this.prev = prev;
    return node;
  }

  private checkLoad(node: number): void {
    const reason = growthReason(this.entryCount, this.occupiedCount, this.cap);
    const grows = reason === "collision" || reason === "full";
    if (this.obs.on) {
      const facts = { op: "load", entries: this.entryCount, occupied: this.occupiedCount, capacity: this.cap, reason, grows };
      this.obs.emit("hash", GROWTH_TEXT[reason], facts, ["meta"]);
    }
    if (grows) this.grow(node);
  }

  /** Four times the buckets; nodes move in bucket and chain order by their stored hash, so chains keep their order. `inserted` gets its new place. */
  private grow(inserted: number): void {
    const old = this.buckets;
    const oldCap = this.cap;
    this.counters.resizes++;
    this.cap = oldCap * GROWTH_FACTOR;
    this.buckets = new Int32Array(this.cap * 3);
    this.emptyBuckets();
    if (this.obs.on) {
      for (let b = 0; b < oldCap; b++) if ((old[b * 3 + 2] ?? 0) > 0) this.obs.cell(`b${b}`, undefined);
      this.mirrorMeta();
      this.obs.emit(
        "hash",
        "resize from {from} to {to} {to:bucket|buckets}",
        { op: "resize-start", from: oldCap, to: this.cap, entries: this.entryCount },
        ["meta"],
      );
    }
    for (let b = 0; b < oldCap; b++) {
      let node = old[b * 3] ?? -1;
      while (node >= 0) {
        const following = this.next[node] ?? -1;
        const bucket = this.nodeHash(node) & (this.cap - 1);
        this.link(node, bucket);
        this.counters.moved++;
        if (this.obs.on) {
          this.obs.emit(
            "hash",
            "node {node} (key {key}) goes from bucket {from} to bucket {bucket} of {to}",
            { op: "move", node, key: this.nodeKey(node), hashHex: hex(this.nodeHash(node), 8), from: b, bucket, to: this.cap },
            [`b${bucket}`, `n${node}`],
          );
        }
        node = following;
      }
    }
    this.bucket = this.hash & (this.cap - 1);
    this.prev = -1;
    for (let n = this.bucketHead(this.bucket); n >= 0 && n !== inserted; n = this.nodeNext(n)) this.prev = n;
    if (this.obs.on) {
      this.mirrorMeta();
      this.mirrorResult(this.bucket, inserted, this.prev, true);
      this.obs.emit(
        "hash",
        "resized: {entries} {entries:entry|entries} in {to} {to:bucket|buckets}, longest chain {longest}",
        { op: "resize-end", entries: this.entryCount, to: this.cap, longest: this.longest, occupied: this.occupiedCount },
        ["meta"],
      );
    }
  }

  private link(node: number, bucket: number): void {
    const at = bucket * 3;
    const tail = this.buckets[at + 1] ?? -1;
    const count = (this.buckets[at + 2] ?? 0) + 1;
    this.next[node] = -1;
    if (tail >= 0) this.next[tail] = node;
    else {
      this.buckets[at] = node;
      this.occupiedCount++;
    }
    this.buckets[at + 1] = node;
    this.buckets[at + 2] = count;
    if (count > this.longest) this.longest = count;
    if (this.obs.on) {
      if (tail >= 0) this.mirrorNode(tail);
      this.mirrorNode(node);
      this.obs.cell(`b${bucket}`, { head: this.bucketHead(bucket), tail: node, count });
    }
  }

  private emptyBuckets(): void {
    for (let b = 0; b < this.cap; b++) {
      this.buckets[b * 3] = -1;
      this.buckets[b * 3 + 1] = -1;
      this.buckets[b * 3 + 2] = 0;
    }
    this.occupiedCount = 0;
    this.longest = 0;
  }

  private reserve(node: number): void {
    if (node < this.keys.length) return;
    this.next = widened(this.next);
    this.keys = widened(this.keys);
    this.hashes = widened(this.hashes);
  }

  private mirrorResult(bucket: number, node: number, prev: number, isNew: boolean): void {
    if (this.showsResults) this.obs.cell("insert", { bucket, node, prev, isNew });
  }

  private mirrorMeta(): void {
    this.obs.cell("meta", {
      buckets: this.cap,
      count: this.entryCount,
      occupied: this.occupiedCount,
      load: this.load,
      longest: this.longest,
      resizes: this.counters.resizes,
    });
  }
}

/** A copy of twice the length; the new half is zero. */
export function widened(array: Int32Array): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(array.length * 2);
  wide.set(array);
  return wide;
}
