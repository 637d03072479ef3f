/** The text around jump tables, byte by byte: the branches, each table's words with what they lead to, and the list of relocations. */

import { cx } from "../../../ui/cx.ts";
import { plural } from "../../../ui/plural.ts";
import panel from "../../shared/panel.module.css";
import { type CellObject, isObject, numberOf, showCell } from "../cells.ts";
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
  const relocs = structure.cells.get("relocs");
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
          {isObject(relocs) ? (
            <tr className={cx(structure.touched.has("relocs") && panel.changed, focused.has("relocs") && panel.current)}>
              <th scope="row" className={styles.still}>
                {showCell(relocs.section)}
              </th>
              <td>
                <Bytes text={showCell(relocs.bytes)} />
              </td>
              <td>
                {showCell(relocs.attribute)}:{" "}
                {Array.isArray(relocs.offsets) ? relocs.offsets.map((o: unknown) => (typeof o === "number" ? hex(o) : "")).join(", ") : ""}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {rows.length > MOST ? <p className={cx(panel.pad, "muted")}>and {rows.length - MOST} more rows</p> : null}
    </div>
  );
}

function Bytes({ text }: { readonly text: string }) {
  return (
    <span className={styles.bytes}>
      {text.split(" ").map((byte, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bytes at their places
        <span key={i} className={cx(styles.byte, byte === "00" && styles.zero)}>
          {byte}
        </span>
      ))}
    </span>
  );
}

function describe(key: string, cell: CellObject, base: number): string {
  if (key.startsWith("inst/")) return `${showCell(cell.op)} ${showCell(cell.table)}, in ${showCell(cell.block)}`;
  if (cell.target === undefined) {
    return `${key}: ${plural(numberOf(cell.entries, 0), "word")}, ${plural(numberOf(cell.bytes, 0), "byte")}${cell.inline === true ? "" : ", at the end of the text"}`;
  }
  const offset = numberOf(cell.offset, 0);
  const filled = cell.fill === "default" ? " (default)" : "";
  return `${showCell(cell.value)} → ${showCell(cell.target)}${filled}: ${hex(base + offset)} − ${hex(base)} = ${offset}`;
}
