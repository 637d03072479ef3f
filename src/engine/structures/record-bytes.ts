/** Byte views of the described records, for the inspectors: little-endian, with pool indices shown as 64-bit pointers. */

/** One field of a described record; units are bytes. */
export interface RecordField {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** Address that a byte view gives to the first record of a pool; index -1 is the null pointer. */
export const POOL_BASE = 0x1000;

/** The pointer to record `index` of a pool of records of `recordSize` bytes; 0 for -1. */
export function pointerOf(index: number, recordSize: number): number {
  return index < 0 ? 0 : POOL_BASE + index * recordSize;
}

/** Writes an unsigned number below 2^53 as 8 bytes. */
export function putU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % 0x1_0000_0000, true);
  view.setUint32(offset + 4, Math.floor(value / 0x1_0000_0000), true);
}
