/** The text around jump tables, byte by byte: the branches, each table's words with what they lead to, and the list of relocations. */

import type { CodeRow, EntryRow, RelocsRow, TableRow } from "../../../../engine/passes/expand-jmx/rows.ts";
import { cx } from "../../../ui/cx.ts";
import { plural } from "../../../ui/plural.ts";
import panel from "../../shared/panel.module.css";
import { Bytes } from "../bytes.tsx";
import { type CellObject, isObject, numberOf, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

/** Rows drawn; the rest is counted. */
const MOST = 1_000;

const hex = (value: number): string => `0x${value.toString(16)}`;

export function JumpTableView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const rows = [...structure.cells]
    .flatMap(([key, cell]) => (isObject(cell) && typeof cell.address === "number" ? [{ key, cell, address: cell.address }] : []))
    // A table's own row comes before its first word, which has the same address.
    .sort((a, b) => a.address - b.address || a.key.length - b.key.length);
  const relocs = objectCell(structure.cells, "relocs") as Partial<RelocsRow> | null;
  const baseOf = (key: string): number => {
    const table = structure.cells.get(key.slice(0, key.lastIndexOf("/")));
    return isObject(table) ? numberOf(table.address, 0) : 0;
  };
  return (
    <div className={panel.scroll}>
      <table className={cx(panel.table, "mono")}>
        <thead>
          <tr>
            <th scope="col">Offset</th>
            <th scope="col">Bytes</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map(({ key, cell, address }) => (
            <tr key={key} className={cx(structure.touched.has(key) && panel.changed, focused.has(key) && panel.current)}>
              <th scope="row" className={styles.still}>
                <button
                  type="button"
                  className={cx(structures.cell, selected === key && structures.selected)}
                  onClick={() => onSelect(key)}
                >
                  {hex(address)}
                </button>
              </th>
              <td>{typeof cell.bytes === "string" ? <Bytes text={cell.bytes} /> : null}</td>
              <td>{describe(key, cell, baseOf(key))}</td>
            </tr>
          ))}
          {relocs !== null ? (
            <tr className={cx(structure.touched.has("relocs") && panel.changed, focused.has("relocs") && panel.current)}>
              <th scope="row" className={styles.still}>
                {showCell(relocs.section)}
              </th>
              <td>
                <Bytes text={showCell(relocs.bytes)} />
              </td>
              <td>
                {showCell(relocs.attribute)}: {(relocs.offsets ?? []).map(hex).join(", ")}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {rows.length > MOST ? <p className={cx(panel.pad, "muted")}>and {rows.length - MOST} more rows</p> : null}
    </div>
  );
}

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
