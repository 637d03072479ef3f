/** Worklists, rings, matrices and tables: cells as items, as a grid, or as rows of key and value. */

import type { CellValue } from "../../session/moment.ts";
import { Panel, Row } from "../../ui/layout.tsx";
import { isObject, numberOf, objectCell, showCell } from "./cells.ts";
import { columnTitle, compareKeys, keyTitle } from "./columns.ts";
import styles from "./structures.module.css";
import { keyColumn, view } from "./table.tsx";
import { cellClass, type StructureViewProps } from "./view.ts";

const MAX_ROWS = 1_000;

function sorted(cells: ReadonlyMap<string, CellValue>): readonly (readonly [string, CellValue])[] {
  return [...cells].filter(([key]) => key !== "meta").sort((a, b) => compareKeys(a[0], b[0]));
}

/** The items in order, the front first; a ring marks its next slot. */
export function WorklistView(props: StructureViewProps) {
  const { structure, onSelect } = props;
  const rows = sorted(structure.cells);
  const next = structure.type === "ring" ? numberOf(objectCell(structure.cells, "meta")?.next) : -1;
  return (
    <Panel pad={2}>
      {rows.length === 0 ? <p className="muted">Empty.</p> : null}
      <Row wrap gap={1} className="mono">
        {rows.slice(0, MAX_ROWS).map(([key, value], i) => (
          <button key={key} type="button" className={cellClass(props, key, styles.cell)} onClick={() => onSelect(key)}>
            <small>
              {key}
              {i === next ? " ← next" : ""}
            </small>
            <span>{showCell(value)}</span>
          </button>
        ))}
      </Row>
    </Panel>
  );
}

/** Rows of key and value; values that are records become columns. */
export const TableView = view((cells) => sorted(cells).map(([key, value]) => ({ key, value })), {
  most: MAX_ROWS,
  columns: (props, rows) => {
    const names = [...new Set(rows.slice(0, MAX_ROWS).flatMap(({ value }) => (isObject(value) ? Object.keys(value) : [])))];
    const field = (value: CellValue, name: string): string =>
      isObject(value) ? tableCell(value[name], name) : name === names[0] ? tableCell(value) : "";
    return [
      keyColumn(props, keyTitle(rows.map(({ key }) => key))),
      ...(names.length === 0
        ? [{ title: "Value", mono: true, cell: ({ value }: { readonly value: CellValue }) => tableCell(value) }]
        : names.map((name) => ({
            key: name,
            title: columnTitle(name),
            mono: true,
            cell: ({ value }: { readonly value: CellValue }) => field(value, name),
          }))),
    ];
  },
});

/** An empty set, and an index that names no record, in words. */
function tableCell(value: CellValue | undefined, column?: string): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : showCell(value);
  return column === "before" && value === -1 ? "none" : showCell(value);
}

/** A row of a matrix: its cells by column. */
interface MatrixRow {
  readonly key: string;
  readonly cells: ReadonlyMap<string, CellValue>;
}

/** Cells keyed `row,column` or `row/column`, or a row's list of values; null: some are neither. */
function matrixRows(cells: ReadonlyMap<string, CellValue>): readonly MatrixRow[] | null {
  const rows = new Map<string, Map<string, CellValue>>();
  for (const [key, value] of sorted(cells)) {
    const comma = key.indexOf(",");
    const between = comma > 0 ? comma : key.lastIndexOf("/");
    if (between > 0) {
      const row = key.slice(0, between);
      rows.set(row, (rows.get(row) ?? new Map<string, CellValue>()).set(key.slice(between + 1), value));
    } else if (Array.isArray(value)) {
      rows.set(key, new Map(value.map((v: CellValue, i: number) => [String(i), v] as const)));
    } else return null;
  }
  return [...rows].map(([key, row]) => ({ key, cells: row }));
}

const Grid = view((cells) => matrixRows(cells) ?? [], {
  most: MAX_ROWS,
  mono: true,
  fit: true,
  cells: () => [],
  columns: ({ structure, focused }, rows) => {
    const names = [...new Set(rows.flatMap((row) => [...row.cells.keys()]))].sort(compareKeys);
    const has = (keys: ReadonlySet<string>, row: string, column: string): boolean =>
      keys.has(`${row},${column}`) || keys.has(`${row}/${column}`);
    return [
      { key: "row", title: <span className="visually-hidden">Row</span>, head: true, cell: ({ key }) => key },
      ...names.map((name) => ({
        key: `column ${name}`,
        title: name,
        changed: ({ key }: MatrixRow) => has(structure.touched, key, name),
        current: ({ key }: MatrixRow) => has(focused, key, name) || focused.has(key),
        cell: ({ cells }: MatrixRow) => showCell(cells.get(name)),
      })),
    ];
  },
});

/** A grid, where the cells are one. */
export function MatrixView(props: StructureViewProps) {
  return matrixRows(props.structure.cells) === null ? <TableView {...props} /> : <Grid {...props} />;
}
