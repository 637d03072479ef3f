/** The text around jump tables, byte by byte: the branches, each table's words with what they lead to, and the list of relocations. */

import type { CodeRow, EntryRow, RelocsRow, TableRow } from "../../../../engine/passes/expand-jmx/rows.ts";
import type { CellValue } from "../../../session/moment.ts";
import { plural } from "../../../ui/plural.ts";
import { Bytes } from "../bytes.tsx";
import { type CellObject, numberOf, objectCell, showCell } from "../cells.ts";
import { keyColumn, records, view } from "../table.tsx";

const RELOCS = "relocs";

const hex = (value: number): string => `0x${value.toString(16)}`;

interface ByteRow {
  readonly key: string;
  readonly title: string;
  readonly bytes: string | null;
  readonly means: string;
}

/** By address, then the list of relocations. */
function byteRows(cells: ReadonlyMap<string, CellValue>): readonly ByteRow[] {
  const baseOf = (key: string): number => numberOf(objectCell(cells, key.slice(0, key.lastIndexOf("/")))?.address, 0);
  const rows = records<CellObject>(cells)
    .flatMap(({ key, cell }) => (typeof cell.address === "number" ? [{ key, cell: cell as CellObject, address: cell.address }] : []))
    // A table's own row comes before its first word, which has the same address.
    .sort((a, b) => a.address - b.address || a.key.length - b.key.length)
    .map(({ key, cell, address }) => ({
      key,
      title: hex(address),
      bytes: typeof cell.bytes === "string" ? cell.bytes : null,
      means: describe(key, cell, baseOf(key)),
    }));
  const relocs = objectCell(cells, RELOCS) as Partial<RelocsRow> | null;
  if (relocs === null) return rows;
  const means = `${showCell(relocs.attribute)}: ${(relocs.offsets ?? []).map(hex).join(", ")}`;
  return [...rows, { key: RELOCS, title: showCell(relocs.section), bytes: showCell(relocs.bytes), means }];
}

export const JumpTableView = view(byteRows, {
  mono: true,
  most: 1_000,
  more: "rows",
  columns: (props) => [
    keyColumn(props, "Offset", ({ title }) => title),
    { title: "Bytes", cell: ({ bytes }) => (bytes === null ? null : <Bytes text={bytes} />) },
    { title: "What it is", cell: ({ means }) => means },
  ],
});

function describe(key: string, cell: CellObject, base: number): string {
  if (key.startsWith("inst/")) {
    const { op, table, block } = cell as Partial<CodeRow>;
    return `${showCell(op)} ${showCell(table)}, in ${showCell(block)}`;
  }
  if (cell.target === undefined) {
    const { entries, bytes, inline } = cell as Partial<TableRow>;
    return `${key}: ${plural(numberOf(entries, 0), "word")}, ${plural(numberOf(bytes, 0), "byte")}${inline === true ? "" : ", at the end of the text"}`;
  }
  const { value, target, fill, offset: given } = cell as Partial<EntryRow>;
  const offset = numberOf(given, 0);
  const filled = fill === "default" ? " (default)" : "";
  return `${showCell(value)} → ${showCell(target)}${filled}: ${hex(base + offset)} − ${hex(base)} = ${offset}`;
}
