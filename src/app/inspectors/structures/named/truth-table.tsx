/** The eight rows of the last combined condition, with the table as a number. */

import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { numberOf } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const ROWS = ["111", "110", "101", "100", "011", "010", "001", "000"];

export function TruthTableView({ structure }: StructureViewProps) {
  const table = numberOf(structure.cells.get("table"));
  return (
    <div className={structures.canvas}>
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
          As a number: <code>0x{table.toString(16).toUpperCase().padStart(2, "0")}</code>, the rows from 111 down as bits 7 to 0 (a = 0xF0,
          b = 0xCC, c = 0xAA).
        </p>
      )}
    </div>
  );
}
