import { describe, expect, it } from "vitest";
import { BitsetRbTree } from "../../../engine/structures/bitset-rb-tree.ts";
import { CLASS_BITS as ENGINE_CLASS_BITS } from "../../../engine/structures/class-mask.ts";
import { BUCKET_FIELDS, NODE_FIELDS } from "../../../engine/structures/fnv-table.ts";
import { ValueTable } from "../../../engine/structures/value-table.ts";
import { CLASS_BITS } from "./named/class-table.tsx";
import {
  type ByteRecord,
  bucketRecord,
  bytesOf,
  nodeRecord,
  resultRecord,
  SLOT_BYTES,
  slotRecord,
  treeNodeRecord,
} from "./record-layouts.ts";

const flat = (record: ByteRecord): readonly number[] => record.fields.flatMap(({ bytes }) => bytes);
const named = (record: ByteRecord) =>
  record.fields.filter(({ name }) => name !== "padding").map(({ name, offset, bytes }) => ({ name, offset, size: bytes.length }));

describe("record layouts", () => {
  it("are the engine's own bytes of buckets and nodes, growth included", () => {
    const table = new ValueTable();
    for (let i = 0; i < 200; i++) table.insert(i * 7919, i);
    for (let b = 0; b < table.capacity; b++) {
      const record = bucketRecord(b, { ...table.bucketView(b) });
      expect(flat(record)).toEqual([...table.bucketBytes(b)]);
      expect(named(record)).toEqual(BUCKET_FIELDS);
    }
    for (let n = 0; n < table.size; n++) {
      const record = nodeRecord(n, { ...table.nodeView(n) }, "");
      expect(flat(record)).toEqual([...table.nodeBytes(n)]);
      expect(named(record)).toEqual(NODE_FIELDS);
    }
  });

  it("are the engine's own bytes of tree nodes, both colours and the high bits", () => {
    const tree = new BitsetRbTree();
    for (const index of [0, 31, 32, 63, 64, 255, 256, 1000, 70_000, 0xffff_ffff, 5_000, 9_999, 123_456]) tree.insert(index);
    const colours = new Set<boolean>();
    for (const n of tree.nodes()) {
      const view = tree.nodeView(n);
      colours.add(view.red);
      expect(flat(treeNodeRecord(n, { ...view, words: [...view.words] }))).toEqual([...tree.nodeBytes(n)]);
    }
    expect(colours.size).toBe(2);
  });

  it("give an insert's result its 33 bytes", () => {
    const record = resultRecord({ bucket: 3, node: 2, prev: -1, isNew: true });
    expect(flat(record)).toHaveLength(33);
    expect(record.fields.map(({ offset }) => offset)).toEqual([0, 8, 16, 24, 32]);
    expect(flat(record).at(-1)).toBe(1);
  });

  it("put the six slots of phase 58 at their offsets, 56 bytes each", () => {
    const record = slotRecord(3, { count: 2, changed: true, first: 4, second: null });
    expect(record.title).toBe("Slot 3 at +0xb8, 56 bytes");
    expect(flat(record)).toHaveLength(SLOT_BYTES);
    expect(record.fields.map(({ offset }) => offset)).toEqual([0, 4, 8, 16, 24]);
    expect(flat(slotRecord(0, null)).every((byte) => byte === 0)).toBe(true);
  });

  it("write the low byte first", () => {
    expect(bytesOf(0x1_0000_0203, 8)).toEqual([3, 2, 0, 0, 1, 0, 0, 0]);
  });
});

it("names class bits as the engine does", () => {
  expect(CLASS_BITS).toEqual(ENGINE_CLASS_BITS);
});
