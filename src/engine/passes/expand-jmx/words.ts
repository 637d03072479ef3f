/** Words of jump tables and of the record that names them, as bytes. */

import type { PlacedTable } from "../../analysis/text-layout.ts";

/** The four bytes of a word, low one first, as `f0 00 00 00`. */
export function wordBytes(value: number): string {
  return [0, 8, 16, 24].map((shift) => ((value >>> shift) & 0xff).toString(16).padStart(2, "0")).join(" ");
}

/**
 * The EIATTR_JUMPTABLE_RELOCS record of `.nv.info.<function>`: attribute 0x03, then a 32-bit text offset for each table. The reference gives the code and the
 * payload; the format byte (0x04, sized value) and the 16-bit size are those of all such records.
 */
export function jumpTableRelocs(tables: readonly PlacedTable[]): { readonly offsets: readonly number[]; readonly bytes: string } {
  const offsets = tables.map((table) => table.address);
  const size = 4 * offsets.length;
  const head = `04 03 ${(size & 0xff).toString(16).padStart(2, "0")} ${((size >> 8) & 0xff).toString(16).padStart(2, "0")}`;
  return { offsets, bytes: [head, ...offsets.map(wordBytes)].join(" ") };
}
