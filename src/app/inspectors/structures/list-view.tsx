/** Worklists, rings, matrices and tables: cells as items, as a grid, or as rows of key and value. */

import type { CellValue } from "../../session/moment.ts";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
import { isObject, numberOf, objectCell, showCell } from "./cells.ts";
import { columnTitle, compareKeys, keyTitle } from "./columns.ts";
import styles from "./structures.module.css";
import type { StructureViewProps } from "./view.ts";

const MAX_ROWS = 1_000;

function sorted(cells: ReadonlyMap<string, CellValue>): readonly (readonly [string, CellValue])[] {
  return [...cells].filter(([key]) => key !== "meta").sort((a, b) => compareKeys(a[0], b[0]));
}

/** The items in order, the front first; a ring marks its next slot. */
export function WorklistView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const rows = sorted(structure.cells);
  const next = structure.type === "ring" ? numberOf(objectCell(structure.cells, "meta")?.next) : -1;
  return (
    <div className={styles.canvas}>
      {rows.length === 0 ? <p className="muted">Empty.</p> : null}
      <div className={styles.items}>
        {rows.slice(0, MAX_ROWS).map(([key, value], i) => (
          <button
            key={key}
            type="button"
            className={cx(
              styles.cell,
              focused.has(key) && styles.focused,
              structure.touched.has(key) && styles.touched,
              selected === key && styles.selected,
            )}
            onClick={() => onSelect(key)}
          >
            <small>
              {key}
              {i === next ? " ← next" : ""}
            </small>
            <span>{showCell(value)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Rows of key and value; values that are records become columns. */
export function TableView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const rows = sorted(structure.cells);
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap(([, value]) => (isObject(value) ? Object.keys(value) : [])))];
  return (
    <div className={panel.scroll}>
      <table className={cx(panel.table, styles.cells)}>
        <thead>
          <tr>
            <th scope="col">{keyTitle(rows.map(([key]) => key))}</th>
            {columns.length === 0 ? (
              <th scope="col">Value</th>
            ) : (
              columns.map((c) => (
                <th key={c} scope="col">
                  {columnTitle(c)}
                </th>
              ))
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map(([key, value]) => (
            <tr key={key} className={cx(structure.touched.has(key) && panel.changed, focused.has(key) && panel.current)}>
              <th scope="row">
                <button type="button" className={cx(styles.cell, selected === key && styles.selected)} onClick={() => onSelect(key)}>
                  {key}
                </button>
              </th>
              {columns.length === 0 ? (
                <td className="mono">{tableCell(value)}</td>
              ) : (
                columns.map((c) => (
                  <td key={c} className="mono">
                    {isObject(value) ? tableCell(value[c], c) : c === columns[0] ? tableCell(value) : ""}
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS ? <p className={cx(panel.pad, "muted")}>and {rows.length - MAX_ROWS} more</p> : null}
    </div>
  );
}

/** An empty set, and an index that names no record, in words. */
function tableCell(value: CellValue | undefined, column?: string): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : showCell(value);
  return column === "before" && value === -1 ? "none" : showCell(value);
}

/** Cells keyed `row,column` or `row/column` (or a row's list of values) as a grid. */
export function MatrixView(props: StructureViewProps) {
  const { structure, focused } = props;
  const rows = new Map<string, Map<string, CellValue>>();
  for (const [key, value] of sorted(structure.cells)) {
    const comma = key.indexOf(",");
    const between = comma > 0 ? comma : key.lastIndexOf("/");
    if (between > 0) {
      const row = key.slice(0, between);
      rows.set(row, (rows.get(row) ?? new Map<string, CellValue>()).set(key.slice(between + 1), value));
    } else if (Array.isArray(value)) {
      rows.set(key, new Map(value.map((v: CellValue, i: number) => [String(i), v] as const)));
    } else return <TableView {...props} />;
  }
  const columns = [...new Set([...rows.values()].flatMap((r) => [...r.keys()]))].sort(compareKeys);
  return (
    <div className={styles.canvas}>
      <table className={styles.matrix} style={{ width: "auto" }}>
        <thead>
          <tr>
            <th />
            {columns.map((c) => (
              <th key={c} scope="col">
                {c}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows].slice(0, MAX_ROWS).map(([row, values]) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {columns.map((c) => (
                <td
                  key={c}
                  className={cx(
                    (hasCell(focused, row, c) || focused.has(row)) && styles.focused,
                    hasCell(structure.touched, row, c) && styles.touched,
                  )}
                >
                  {showCell(values.get(c))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function hasCell(keys: ReadonlySet<string>, row: string, column: string): boolean {
  return keys.has(`${row},${column}`) || keys.has(`${row}/${column}`);
}
