/** A jump table's card: one row for each target with the cases that lead there, in columns. */

import { cx } from "../../ui/cx.ts";
import { plural } from "../../ui/plural.ts";
import type { NodeFace } from "../face/faces.ts";
import type { DrawnNode } from "../model/drawing.ts";
import { TABLE } from "../model/metrics.ts";
import { tableRows } from "../model/table-rows.ts";
import styles from "./card.module.css";

export interface TableCardProps {
  readonly node: DrawnNode;
  readonly face: NodeFace;
  readonly labels: ReadonlyMap<number, string>;
}

export function TableCard({ node, face, labels }: TableCardProps) {
  const { table } = face;
  if (table === null) {
    return (
      <div className={styles.tableHead}>
        <span aria-hidden="true">⋮</span> no table at this step
      </div>
    );
  }
  const rows = tableRows(table, (id) => labels.get(id) ?? `#${id}`);
  const room = Math.floor((node.height - TABLE.headerHeight - TABLE.paddingY) / TABLE.rowHeight);
  const columns = Math.max(1, Math.ceil(rows.length / Math.max(1, room)));
  return (
    <>
      <div className={styles.tableHead} title={`${plural(table.entries.length, "entry", "entries")} from case ${table.base}`}>
        <span aria-hidden="true">⋮</span> {table.name}: {plural(table.entries.length, "case")}, {plural(rows.length, "target")}
      </div>
      <div
        className={styles.tableRows}
        style={{ gridTemplateRows: `repeat(${room}, ${TABLE.rowHeight}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
      >
        {rows.map((row) => (
          <div
            key={row.target ?? "none"}
            className={cx(styles.tableRow, row.isDefault && styles.tableDefault)}
            data-target={row.target ?? undefined}
            title={`${row.cases} → ${row.label}`}
          >
            <span className={styles.cases}>{row.cases}</span>
            <span aria-hidden="true">→</span>
            <span className={styles.label}>{row.label}</span>
          </div>
        ))}
      </div>
    </>
  );
}
