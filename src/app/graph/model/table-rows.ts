/** The rows of a jump table's card. */

import type { TableView } from "../../../engine/api/types.ts";
import { groupCases } from "../../../layout/jump-table.ts";

export interface TableRow {
  readonly target: number | null;
  readonly label: string;
  /** `0-3, 7`, or `default`, or both. */
  readonly cases: string;
  readonly isDefault: boolean;
}

/** One row for each distinct target, in order of first appearance; the default last. */
export function tableRows(table: TableView, label: (id: number) => string): readonly TableRow[] {
  const groups = groupCases(table.entries.map(String), table.base);
  const rows = groups.map(
    (g): TableRow => ({ target: Number(g.target), label: label(Number(g.target)), cases: g.cases, isDefault: false }),
  );
  const otherwise = table.default;
  if (otherwise === null) return rows;
  const own = rows.find((r) => r.target === otherwise);
  const others = rows.filter((r) => r !== own);
  const cases = own === undefined ? "default" : `default, ${own.cases}`;
  return [...others, { target: otherwise, label: label(otherwise), cases, isDefault: true }];
}
