/** The last combined condition: the 4-bit maps of its two inputs and of the result, and the eight rows of the LUT with its number. */

import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { type CellObject, numberOf, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const ROWS = ["111", "110", "101", "100", "011", "010", "001", "000"];

const INPUTS = [
  ["outer", "a outer"],
  ["inner", "b inner"],
  ["combined", "result"],
] as const;
const MAP_ROWS = ["11", "10", "01", "00"];

export function TruthTableView({ structure }: StructureViewProps) {
  const table = numberOf(structure.cells.get("table"));
  return (
    <div className={structures.canvas}>
      <Maps structure={structure} />
      <table className={styles.table}>
        <caption className="visually-hidden">Truth table; a is the outer condition, b the inner one, c is always true</caption>
        <thead>
          <tr>
            <th scope="col">a outer</th>
            <th scope="col">b inner</th>
            <th scope="col">c</th>
            <th scope="col">result</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map((row) => {
            const result = numberOf(structure.cells.get(row));
            return (
              <tr key={row} className={cx(structure.touched.has(row) && panel.changed)}>
                <td>{row[0]}</td>
                <td>{row[1]}</td>
                <td>{row[2]}</td>
                <td>{result < 0 ? "–" : result}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {table < 0 ? null : (
        <p className={styles.note}>
          As a number: <code>{hex(table)}</code>, the rows from 111 down as bits 7 to 0 (a = 0xF0, b = 0xCC, c = 0xAA).
        </p>
      )}
    </div>
  );
}

/** The 4-bit maps over the two conditions, and where the reference's sub-table of the compare's type begins. */
function Maps({ structure }: Pick<StructureViewProps, "structure">) {
  // An AND is written of the conditions themselves, a NOR of their complements; what leaves is the complement of the result.
  const complemented = objectCell(structure.cells, "combined")?.negated === true;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">4-bit maps of the outer and inner conditions, one column for each pair of values</caption>
      <thead>
        <tr>
          <th scope="col">4-bit map, a b =</th>
          {MAP_ROWS.map((row) => (
            <th key={row} scope="col">
              {row}
            </th>
          ))}
          <th scope="col">condition</th>
        </tr>
      </thead>
      <tbody>
        {INPUTS.map(([key, title]) => {
          const cell = objectCell(structure.cells, key);
          const map = numberOf(cell?.map);
          return (
            <tr key={key} className={cx(structure.touched.has(key) && panel.changed)}>
              <th scope="row">{title}</th>
              {MAP_ROWS.map((row, i) => (
                <td key={row}>{map < 0 ? "–" : (map >> (3 - i)) & 1}</td>
              ))}
              <td>{cell === null ? "–" : condition(cell, complemented)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function condition(cell: CellObject, complemented: boolean): string {
  const literal = showCell(cell.literal).replace(complemented ? /^!/ : /^$/, "");
  if (typeof cell.form === "string") return `${literal}: ${cell.form}; leaves on ${complemented ? "!" : ""}${literal}`;
  return typeof cell.index === "number" ? `${literal}: ${showCell(cell.type)}, index ${hex(cell.index)}` : literal;
}

const hex = (value: number): string => `0x${value.toString(16).toUpperCase().padStart(2, "0")}`;
