/** The described records as bytes, from their cells: little-endian, pointers as the addresses of records in pools. The engine's own bytes are compared by a test. */

import type { CellValue } from "../../session/moment.ts";
import { type CellObject, isObject, numberOf } from "./cells.ts";

export interface ByteField {
  readonly offset: number;
  readonly name: string;
  readonly bytes: readonly number[];
  /** What the bytes say. */
  readonly means: string;
}

export interface ByteRecord {
  readonly title: string;
  readonly fields: readonly ByteField[];
}

/** Made-up addresses of the table and of the first record of a pool, as in the engine's byte views. */
const TABLE_BASE = 0x800;
const POOL_BASE = 0x1000;
const CHAIN_NODE = 32;
const TREE_NODE = 64;
const BLACK = 0x8000_0000;

const hex = (value: number): string => `0x${value.toString(16)}`;
const pointer = (index: number, size: number): number => (index < 0 ? 0 : POOL_BASE + index * size);
const nodeText = (index: number): string => (index < 0 ? "null" : `node ${index}`);

/** An unsigned number below 2^53 as `size` bytes. */
export function bytesOf(value: number, size: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (let i = 0; i < size; i++) {
    bytes.push(rest % 256);
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

class Layout {
  readonly fields: ByteField[] = [];
  private at = 0;

  add(name: string, size: number, value: number, means: string = hex(value)): this {
    this.fields.push({ offset: this.at, name, bytes: bytesOf(value, size), means });
    this.at += size;
    return this;
  }

  pad(size: number): this {
    return this.add("padding", size, 0, "");
  }
}

/** 24 bytes: an entry of the bucket array. */
export function bucketRecord(bucket: number, cell: CellObject | null): ByteRecord {
  const [head, tail, count] = [numberOf(cell?.head), numberOf(cell?.tail), numberOf(cell?.count, 0)];
  const { fields } = new Layout()
    .add("head", 8, pointer(head, CHAIN_NODE), nodeText(head))
    .add("tail", 8, pointer(tail, CHAIN_NODE), nodeText(tail))
    .add("count", 4, count, String(count))
    .pad(4);
  return { title: `Bucket ${bucket}, 24 bytes`, fields };
}

/** 32 bytes: a node of a chain. `value`: what its value means. */
export function nodeRecord(node: number, cell: CellObject, value: string): ByteRecord {
  const [next, key] = [numberOf(cell.next), numberOf(cell.key, 0)];
  const { fields } = new Layout()
    .add("next", 8, pointer(next, CHAIN_NODE), nodeText(next))
    .add("key", 4, key, String(key))
    .pad(4)
    .add("value", 8, numberOf(cell.value, 0), value)
    .add("stored_hash", 4, numberOf(cell.hash, 0))
    .pad(4);
  return { title: `Node ${node}, 32 bytes`, fields };
}

/** 33 bytes: what the last insert returned. */
export function resultRecord(cell: CellObject): ByteRecord {
  const [bucket, node, prev] = [numberOf(cell.bucket, 0), numberOf(cell.node), numberOf(cell.prev)];
  const { fields } = new Layout()
    .add("table", 8, TABLE_BASE, "this table")
    .add("bucket", 8, bucket, String(bucket))
    .add("node", 8, pointer(node, CHAIN_NODE), nodeText(node))
    .add("prev", 8, pointer(prev, CHAIN_NODE), nodeText(prev))
    .add("is_new", 1, Number(cell.isNew === true), cell.isNew === true ? "the key was added" : "the key was there");
  return { title: "Result of the last insert, 33 bytes", fields };
}

/** 64 bytes: a node of the red-black tree; bit 31 of its key is the colour. */
export function treeNodeRecord(node: number, cell: CellObject): ByteRecord {
  const link = (name: "left" | "right" | "parent"): number => numberOf(cell[name]);
  const words: readonly CellValue[] = Array.isArray(cell.words) ? cell.words : [];
  const [key, red] = [numberOf(cell.key, 0), cell.red === true];
  const layout = new Layout();
  for (const name of ["left", "right", "parent"] as const) layout.add(name, 8, pointer(link(name), TREE_NODE), nodeText(link(name)));
  layout.add("key", 4, red ? key : key + BLACK, `${key}, bit 31 ${red ? "clear: red" : "set: black"}`).pad(4);
  for (let i = 0; i < 4; i++) {
    const [lo, hi] = [numberOf(words[2 * i], 0), numberOf(words[2 * i + 1], 0)];
    layout.fields.push({
      offset: 32 + 8 * i,
      name: `bitmap[${i}]`,
      bytes: [...bytesOf(lo, 4), ...bytesOf(hi, 4)],
      means: `bits ${64 * i} to ${64 * i + 63}`,
    });
  }
  return { title: `Node ${node}, 64 bytes`, fields: layout.fields };
}

/** Where phase 58's context of 0x168 bytes has its first slot, and a slot's bytes. */
export const SLOT_BASE = 0x10;
export const SLOT_BYTES = 56;
/** The two pointers are modelled by a pool of instructions. */
const INSTRUCTION = 0x100;

/** 56 bytes: a slot of phase 58's ring. */
export function slotRecord(slot: number, cell: CellObject | null): ByteRecord {
  const [first, second] = [numberOf(cell?.first), numberOf(cell?.second)];
  const inst = (id: number): string => (id < 0 ? "null" : `instruction ${id}`);
  const count = numberOf(cell?.count, 0);
  const changed = cell?.changed === true;
  const { fields } = new Layout()
    .add("count", 4, count, String(count))
    .add("changed", 4, Number(changed), changed ? "a pair fired" : "no pair fired")
    .add("first", 8, pointer(first, INSTRUCTION), inst(first))
    .add("second", 8, pointer(second, INSTRUCTION), inst(second))
    .pad(32);
  return { title: `Slot ${slot} at +0x${(SLOT_BASE + SLOT_BYTES * slot).toString(16)}, ${SLOT_BYTES} bytes`, fields };
}

/** The value of a node where it is the index of a leader's record. */
export function leaderText(value: CellValue | undefined, leaders: ReadonlyMap<string, CellValue> | undefined): string {
  const row = leaders?.get(String(value));
  if (!isObject(row)) return `record ${String(value ?? "–")}`;
  return `record ${String(value)}: ${String(row.reg)} of '${String(row.inst)}' in ${String(row.block)}`;
}
