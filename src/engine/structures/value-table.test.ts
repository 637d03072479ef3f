import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import type { CellValue } from "../trace/recorder.ts";
import { fnv1a32 } from "./fnv.ts";
import { BUCKET_FIELDS, growthReason, NODE_FIELDS } from "./fnv-table.ts";
import { MirrorRecorder, sorted } from "./testing/mirror-recorder.ts";
import { type InsertResult, ValueTable } from "./value-table.ts";

/** What the mirror must show, read from the table's own views; `last` is what the last insert returned. */
function expected(t: ValueTable, last: InsertResult | null): Record<string, CellValue> {
  const stats = t.stats();
  const cells = new Map<string, CellValue>();
  cells.set("meta", {
    buckets: stats.buckets,
    count: stats.entries,
    occupied: stats.occupied,
    load: stats.load,
    longest: stats.longestChain,
    resizes: stats.resizes,
  });
  for (let b = 0; b < t.capacity; b++) if (t.bucketView(b).count > 0) cells.set(`b${b}`, t.bucketView(b));
  for (let n = 0; n < t.size; n++) cells.set(`n${n}`, t.nodeView(n));
  if (last !== null) cells.set("insert", { bucket: last.bucket, node: last.node, prev: last.prev, isNew: last.isNew });
  return sorted(cells);
}

/** Chains, counts and stored hashes agree with each other. */
function check(t: ValueTable): void {
  let total = 0;
  let occupied = 0;
  let longest = 0;
  for (let b = 0; b < t.capacity; b++) {
    const bucket = t.bucketView(b);
    let last = -1;
    let count = 0;
    for (let n = bucket.head; n >= 0; n = t.nodeView(n).next) {
      const node = t.nodeView(n);
      if (node.hash !== fnv1a32(node.key) || node.hash % t.capacity !== b) expect.fail(`node ${n} is in bucket ${b}`);
      last = n;
      count++;
    }
    if (last !== bucket.tail || count !== bucket.count) expect.fail(`bucket ${b}`);
    total += count;
    if (count > 0) occupied++;
    longest = Math.max(longest, count);
  }
  const stats = t.stats();
  expect([stats.entries, stats.occupied, stats.longestChain]).toEqual([total, occupied, longest]);
}

describe("load rule", () => {
  it("follows the reference while buckets are not too sparse, and the two added conditions", () => {
    expect(growthReason(2, 1, 8)).toBe("collision");
    expect(growthReason(5, 4, 8)).toBe("collision");
    expect(growthReason(6, 5, 8)).toBe("spread");
    expect(growthReason(8, 8, 8)).toBe("none");
    expect(growthReason(9, 8, 8)).toBe("full");
    expect(growthReason(7, 6, 32)).toBe("sparse");
    expect(growthReason(8, 7, 32)).toBe("collision");
  });

  it("grows by 4 at the ninth of the dense keys, which fill the 8 buckets evenly", () => {
    const t = new ValueTable();
    for (let key = 0; key < 8; key++) t.insert(key, key);
    expect(t.stats()).toMatchObject({ buckets: 8, occupied: 8, longestChain: 1, resizes: 0 });
    t.insert(8, 8);
    expect(t.stats()).toMatchObject({ buckets: 32, entries: 9, resizes: 1, moved: 9 });
    check(t);
  });

  it("grows at the first collision while few buckets are occupied", () => {
    const t = new ValueTable();
    t.insert(0, 0);
    t.insert(8, 1);
    expect(t.capacity).toBe(32);
  });

  it("keeps chains short for dense, strided and random keys", () => {
    const next = createPrng(99).u32;
    for (const keyOf of [(i: number) => i, (i: number) => i * 64, (i: number) => i * 65536, () => next()]) {
      const t = new ValueTable();
      for (let i = 0; i < 50_000; i++) t.insert(keyOf(i), i);
      expect(t.stats().longestChain).toBeLessThan(20);
      expect(t.capacity).toBeLessThanOrEqual(16 * t.size);
    }
  });
});

describe("value table", () => {
  it("reports what the described result record holds", () => {
    const t = new ValueTable();
    const b = fnv1a32(5) & 7;
    expect(t.insert(5, 50)).toEqual({ bucket: b, node: 0, prev: -1, isNew: true, value: 50 });
    expect(t.insert(5, 51)).toEqual({ bucket: b, node: 0, prev: -1, isNew: false, value: 50 });
    t.replace(0, 52);
    expect(t.lookup(5)).toBe(52);
    expect(t.lookup(6)).toBe(-1);
    expect(t.stats()).toMatchObject({ lookups: 4, hits: 2, inserts: 1, compared: 2 });
  });

  it("gives the bucket and predecessor after growth", () => {
    const t = new ValueTable();
    for (let i = 0; i < 3000; i++) {
      const r = t.insert(Math.imul(i, 0x9e3779b1), i);
      expect(r.bucket).toBe(t.nodeView(r.node).hash % t.capacity);
      expect(t.bucketView(r.bucket).tail).toBe(r.node);
      if (r.prev < 0) expect(t.bucketView(r.bucket).head).toBe(r.node);
      else expect(t.nodeView(r.prev).next).toBe(r.node);
    }
  });

  it("shows records in the described byte layout", () => {
    expect(BUCKET_FIELDS.map((f) => f.offset)).toEqual([0, 8, 16]);
    expect(NODE_FIELDS.map((f) => f.offset)).toEqual([0, 8, 16, 24]);
    const t = new ValueTable();
    for (let i = 0; i < 9; i++) t.insert(i * 7 + 0x01020304, 300 + i);
    for (let n = 0; n < t.size; n++) {
      const bytes = t.nodeBytes(n);
      const view = new DataView(bytes.buffer);
      const node = t.nodeView(n);
      expect(bytes.length).toBe(32);
      expect(view.getBigUint64(0, true)).toBe(node.next < 0 ? 0n : BigInt(0x1000 + 32 * node.next));
      expect(view.getUint32(8, true)).toBe(node.key);
      expect(view.getBigUint64(16, true)).toBe(BigInt(node.value));
      expect(view.getUint32(24, true)).toBe(node.hash);
    }
    const first = t.nodeView(0);
    const bucket = t.bucketBytes(first.hash % t.capacity);
    expect(bucket.length).toBe(24);
    expect(new DataView(bucket.buffer).getBigUint64(0, true)).toBe(0x1000n);
    expect(new DataView(bucket.buffer).getUint32(16, true)).toBe(t.bucketView(first.hash % t.capacity).count);
  });

  it("agrees with a Map over 300,000 random operations (seed 0x5eed01)", () => {
    const next = createPrng(0x5eed01).u32;
    const t = new ValueTable();
    const model = new Map<number, number>();
    for (let i = 0; i < 300_000; i++) {
      const wide = next() % 4 === 0;
      const key = wide ? next() : next() % 20_000;
      const what = next() % 5;
      if (what < 3) {
        if (t.lookup(key) !== (model.get(key) ?? -1)) expect.fail(`lookup of ${key} at operation ${i}`);
      } else {
        const r = t.insert(key, i);
        if (r.isNew === model.has(key)) expect.fail(`insert of ${key} at operation ${i}`);
        if (r.isNew) model.set(key, i);
        else if (what === 4) {
          t.replace(r.node, i);
          model.set(key, i);
        }
      }
      if (i % 60_000 === 0) check(t);
    }
    check(t);
    expect(t.size).toBe(model.size);
    expect(new Map(t.entries())).toEqual(model);
    expect([...t.entries()].length).toBe(model.size);
    t.clear();
    expect([t.size, t.capacity, t.lookup(1)]).toEqual([0, 8, -1]);
  });
});

describe("observed value table", () => {
  it("tells every step of a probe", () => {
    const rec = new MirrorRecorder();
    const t = new ValueTable({ rec, name: "values", title: "Value table" });
    expect(rec.types).toEqual(["value-table"]);
    const bytes = ["fnv-byte", "fnv-byte", "fnv-byte", "fnv-byte"];
    t.obs.at(12);
    t.insert(0, 70);
    expect(rec.ops()).toEqual([...bytes, "bucket", "miss", "insert", "load"]);
    expect(rec.events.every((e) => e.line === 12)).toBe(true);
    const from = rec.events.length;
    t.insert(8, 71);
    expect(rec.ops(from)).toEqual([...bytes, "bucket", "compare", "miss", "insert", "load", "resize-start", "move", "move", "resize-end"]);
    const after = rec.events.length;
    expect(t.lookup(8)).toBe(71);
    expect(rec.ops(after)).toEqual([...bytes, "bucket", "compare"]);
    expect(rec.events.at(-1)!.focus.nodes).toEqual([`values/b${fnv1a32(8) & 31}`, "values/n1"]);
    expect(rec.events.filter((e) => /\{\w+\}/.test(e.sentence))).toEqual([]);
  });

  it("mirrors the table after every operation, and cells undo to every earlier state (seed 0x0b5e4)", () => {
    const next = createPrng(0x0b5e4).u32;
    const rec = new MirrorRecorder();
    const t = new ValueTable({ rec, name: "values", title: "Value table" });
    const plain = new ValueTable();
    const states = [{ position: rec.position, state: expected(t, null) }];
    let last: InsertResult | null = null;
    for (let i = 0; i < 300; i++) {
      const key = next() % 3 === 0 ? next() : (next() % 50) * 8;
      if (next() % 40 === 0) {
        t.clear();
        plain.clear();
        last = null;
      } else {
        const r = t.insert(key, i);
        last = r;
        expect(plain.insert(key, i)).toEqual(r);
        if (!r.isNew) {
          t.replace(r.node, i);
          plain.replace(r.node, i);
        }
      }
      states.push({ position: rec.position, state: expected(t, last) });
      expect(rec.state()).toEqual(states.at(-1)!.state);
      expect(expected(plain, last)).toEqual(states.at(-1)!.state);
    }
    expect(plain.stats()).toEqual(t.stats());
    for (const { position, state } of states.reverse()) {
      rec.undoTo(position);
      expect(rec.state()).toEqual(state);
    }
  });
});
