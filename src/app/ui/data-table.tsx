/** A table is columns: what all tables of the page have in common is here once. */

import { Fragment, type KeyboardEvent, type ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./data-table.module.css";

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row, index: number) => ReactNode;
  /** Where two columns may have one title, or it is not a text. */
  readonly key?: string;
  /** What the title means, on pointing at it. */
  readonly about?: string;
  /** Its cells head their rows. */
  readonly head?: boolean;
  /** Numbers: to the right, under their title. */
  readonly align?: "end";
  readonly mono?: boolean;
  readonly muted?: boolean;
  /** Words that would not fit break anywhere; without it the last column's do. */
  readonly breaks?: boolean;
  /** In one line, as titles of rows are unless they say otherwise. */
  readonly nowrap?: boolean;
  readonly width?: number;
  /** What a cell means, on pointing at it. */
  readonly tip?: (row: Row) => string | undefined;
  /** A cell that changed by itself, where others of its row did not. */
  readonly changed?: (row: Row) => boolean;
  /** A cell that the step is about. */
  readonly current?: (row: Row) => boolean;
}

/** How a row is marked. */
export interface RowMarks {
  /** This step changed it. */
  readonly changed?: boolean;
  /** The step is about it, or it is what is in use. */
  readonly current?: boolean;
  readonly selected?: boolean;
  readonly muted?: boolean;
  /** The first of a group. */
  readonly first?: boolean;
  /** The handbook's page of what it shows. */
  readonly handbook?: string;
}

export interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string | number;
  readonly marks?: (row: Row, index: number) => RowMarks;
  readonly caption?: ReactNode;
  /** The name of a table without a caption. */
  readonly label?: string | undefined;
  /** In place of a table without rows; without it only the titles are shown. */
  readonly empty?: ReactNode;
  /** Rows drawn; the rest is counted, in these words. */
  readonly most?: number | undefined;
  readonly more?: string | undefined;
  /** Below a row, as wide as the table. */
  readonly detail?: ((row: Row) => ReactNode) | undefined;
  readonly mono?: boolean | undefined;
  /** As wide as its content. */
  readonly fit?: boolean | undefined;
  /** Each link of a column of links is a target of 24 pixels. */
  readonly roomy?: boolean | undefined;
  /** The titles are read out and not drawn. */
  readonly untitled?: boolean | undefined;
  readonly busy?: boolean | undefined;
  readonly testId?: string | undefined;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, marks, caption, label, empty, most = Number.POSITIVE_INFINITY, more = "", detail, busy, testId } = props;
  if (rows.length === 0 && empty !== undefined) return <p className={styles.aside}>{empty}</p>;
  const keyed = columns.map((column) => ({ ...column, key: column.key ?? String(column.title) }));
  return (
    <>
      <table
        className={cx(
          styles.table,
          props.mono === true && "mono",
          props.fit === true && styles.fit,
          props.untitled === true && styles.untitled,
          props.roomy === true && styles.roomy,
        )}
        aria-label={label}
        aria-busy={busy}
        data-testid={testId}
        onKeyDown={moveBetweenRows}
      >
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead className={cx(props.untitled === true && "visually-hidden")}>
          <tr>
            {keyed.map(({ key, title, about, align, width }) => (
              <th key={key} scope="col" title={about} className={cx(align === "end" && styles.end)} style={{ width }}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, i) => {
            const mark = marks?.(row, i) ?? {};
            const below = detail?.(row) ?? null;
            const key = rowKey(row, i);
            const line = (
              <tr
                key={key}
                className={rowClass(mark, below !== null)}
                data-handbook={mark.handbook}
                aria-current={mark.current || undefined}
              >
                {keyed.map((column) => (
                  <Cell key={column.key} column={column} row={row} index={i} />
                ))}
              </tr>
            );
            if (below === null) return line;
            return (
              <Fragment key={key}>
                {line}
                <tr className={rowClass(mark, false)}>
                  <td colSpan={columns.length}>{below}</td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {rows.length > most ? (
        <p className={styles.aside}>
          and {rows.length - most} more{more === "" ? "" : ` ${more}`}
        </p>
      ) : null}
    </>
  );
}

function Cell<Row>({ column, row, index }: { readonly column: Column<Row>; readonly row: Row; readonly index: number }) {
  const { head, align, mono, muted, breaks, nowrap, tip, changed, current, cell } = column;
  const Tag = head === true ? "th" : "td";
  return (
    <Tag
      scope={head === true ? "row" : undefined}
      title={tip?.(row)}
      className={cx(
        align === "end" && styles.end,
        mono === true && "mono",
        muted === true && "muted",
        breaks === true && styles.breaks,
        (nowrap ?? head) === true && styles.nowrap,
        changed?.(row) === true && styles.changed,
        current?.(row) === true && styles.current,
      )}
    >
      {cell(row, index)}
    </Tag>
  );
}

function rowClass({ changed, current, selected, muted, first }: RowMarks, goesOn: boolean): string {
  return cx(
    first === true && styles.first,
    goesOn && styles.goesOn,
    muted === true && "muted",
    changed === true && styles.changed,
    current === true && styles.current,
    selected === true && styles.selected,
  );
}

/** Up and Down, Home and End: from a row's button to that of another row in the same column. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLButtonElement)) return;
  const cell = event.target.closest<HTMLTableCellElement>("th, td");
  if (cell === null || event.target.closest("table") !== event.currentTarget) return;
  const buttons = [...event.currentTarget.rows].flatMap((row) => row.cells[cell.cellIndex]?.querySelector("button") ?? []);
  const at = buttons.findIndex((button) => cell.contains(button));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[to]?.focus();
}
