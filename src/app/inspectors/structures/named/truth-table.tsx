/** The last combined condition: the 4-bit maps of its two inputs and of the result, and the eight rows of the LUT with its number. */

import type { CellValue } from "../../../session/moment.ts";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { type CellObject, numberOf, objectCell, showCell } from "../cells.ts";
import { Note, view } from "../table.tsx";
import type { StructureViewProps } from "../view.ts";

const INPUTS = [
  { key: "outer", title: "a outer" },
  { key: "inner", title: "b inner" },
  { key: "combined", title: "result" },
] as const;
const MAP_ROWS = ["11", "10", "01", "00"];

const hex = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, "0")}`;

interface TruthRow {
  readonly key: string;
  readonly result: number;
}

const truthRows = (cells: ReadonlyMap<string, CellValue>): readonly TruthRow[] =>
  ["111", "110", "101", "100", "011", "010", "001", "000"].map((key) => ({ key, result: numberOf(cells.get(key)) }));

export const TruthTableView = view(truthRows, {
  label: "Truth table; a is the outer condition, b the inner one, c is always true",
  mono: true,
  fit: true,
  columns: [
    ...["a outer", "b inner", "c"].map((title, i): Column<TruthRow> => ({ title, cell: ({ key }) => key[i] })),
    { title: "result", cell: ({ result }) => (result < 0 ? "–" : result) },
  ],
  above: (props) => <Maps {...props} />,
  below: ({ structure }) => {
    const table = numberOf(structure.cells.get("table"));
    if (table < 0) return null;
    return (
      <Note>
        As a number: <code>{hex(table)}</code>, the rows from 111 down as bits 7 to 0 (a = 0xF0, b = 0xCC, c = 0xAA).
      </Note>
    );
  },
});

/** The 4-bit maps over the two conditions, and where the reference's sub-table of the compare's type begins. */
function Maps({ structure: { cells, touched } }: Pick<StructureViewProps, "structure">) {
  // An AND is written of the conditions themselves, a NOR of their complements; what leaves is the complement of the result.
  const complemented = objectCell(cells, "combined")?.negated === true;
  const rows = INPUTS.map(({ key, title }) => {
    const cell = objectCell(cells, key);
    return { key, title, map: numberOf(cell?.map), said: cell === null ? "–" : condition(cell, complemented) };
  });
  return (
    <DataTable
      label="4-bit maps of the outer and inner conditions, one column for each pair of values"
      mono
      fit
      rows={rows}
      rowKey={({ key }) => key}
      marks={({ key }) => ({ changed: touched.has(key) })}
      columns={[
        { title: "4-bit map, a b =", head: true, cell: ({ title }) => title },
        ...MAP_ROWS.map(
          (title, i): Column<(typeof rows)[number]> => ({ title, cell: ({ map }) => (map < 0 ? "–" : (map >> (3 - i)) & 1) }),
        ),
        { title: "condition", cell: ({ said }) => said },
      ]}
    />
  );
}

function condition(cell: CellObject, complemented: boolean): string {
  const literal = showCell(cell.literal).replace(complemented ? /^!/ : /^$/, "");
  if (typeof cell.form === "string") return `${literal}: ${cell.form}; leaves on ${complemented ? "!" : ""}${literal}`;
  return typeof cell.index === "number" ? `${literal}: ${showCell(cell.type)}, index ${hex(cell.index)}` : literal;
}
