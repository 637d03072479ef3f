/** A structure drawn as a table: what its rows are, and a column for each thing that they say. */

import type { ComponentType, ReactNode } from "react";
import type { CellValue, MirroredStructure } from "../../session/moment.ts";
import { cx } from "../../ui/cx.ts";
import { type Column, DataTable, type RowMarks } from "../../ui/data-table.tsx";
import { Panel } from "../../ui/layout.tsx";
import { isObject } from "./cells.ts";
import styles from "./structures.module.css";
import type { StructureViewProps } from "./view.ts";

type Cells = ReadonlyMap<string, CellValue>;

interface TableSpec<Row> {
  readonly columns: readonly Column<Row>[] | ((props: StructureViewProps, rows: readonly Row[]) => readonly Column<Row>[]);
  readonly caption?: (structure: MirroredStructure) => ReactNode;
  readonly label?: string;
  readonly empty?: string | ((structure: MirroredStructure) => string);
  readonly most?: number;
  readonly more?: string;
  readonly mono?: boolean;
  readonly fit?: boolean;
  /** The cells that a row is made from; without it, the one of its key. */
  readonly cells?: (row: Row) => readonly string[];
  readonly marks?: (row: Row, before: Row | undefined) => RowMarks;
  readonly detail?: (row: Row) => ReactNode;
  readonly above?: (props: StructureViewProps) => ReactNode;
  readonly below?: (props: StructureViewProps, rows: readonly Row[]) => ReactNode;
}

/** `rowsOf` reads the cells; a row that holds changed cells, or what the step is about, is marked. */
export function view<Row extends { readonly key: string }>(
  rowsOf: (cells: Cells) => readonly Row[],
  spec: TableSpec<Row>,
): ComponentType<StructureViewProps> {
  return function StructureTable(props) {
    const { structure, focused } = props;
    const rows = rowsOf(structure.cells);
    const columns = typeof spec.columns === "function" ? spec.columns(props, rows) : spec.columns;
    const empty = typeof spec.empty === "function" ? spec.empty(structure) : spec.empty;
    return (
      <Panel>
        {spec.above?.(props)}
        <DataTable
          columns={columns}
          rows={rows}
          rowKey={(row) => row.key}
          caption={spec.caption?.(structure)}
          label={spec.label}
          empty={empty}
          most={spec.most}
          more={spec.more}
          mono={spec.mono}
          fit={spec.fit}
          detail={spec.detail}
          marks={(row, i) => {
            const keys = spec.cells?.(row) ?? [row.key];
            return {
              changed: keys.some((key) => structure.touched.has(key)),
              current: keys.some((key) => focused.has(key)),
              ...spec.marks?.(row, rows[i - 1]),
            };
          }}
        />
        {spec.below?.(props, rows)}
      </Panel>
    );
  };
}

/** A sentence above or below the table. */
export function Note({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

export interface CellRow<Cell> {
  readonly key: string;
  /** As the phase describes it; half-written ones lack fields. */
  readonly cell: Partial<Cell>;
}

/** Cells that are records, a row each. */
export function records<Cell>(cells: Cells): readonly CellRow<Cell>[] {
  return [...cells].flatMap(([key, cell]) => (isObject(cell) ? [{ key, cell: cell as Partial<Cell> }] : []));
}

/** The column of the keys; one selects its cell. */
export function keyColumn<Row extends { readonly key: string }>(
  { selected, onSelect }: Pick<StructureViewProps, "selected" | "onSelect">,
  title: string,
  text: (row: Row) => ReactNode = (row) => row.key,
): Column<Row> {
  return {
    title,
    head: true,
    cell: (row) => (
      <button
        type="button"
        className={cx(styles.cell, selected === row.key && styles.selected)}
        aria-pressed={selected === row.key}
        onClick={() => onSelect(row.key)}
      >
        {text(row)}
      </button>
    ),
  };
}
