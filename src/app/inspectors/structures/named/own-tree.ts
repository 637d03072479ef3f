/** The rows of a tree that a user's pass shows: each node under its parent. */

import type { CellValue } from "../../../session/moment.ts";
import { isObject } from "../cells.ts";

export interface OwnTreeRow {
  readonly key: string;
  readonly depth: number;
  /** The pass's text for the node; undefined: none. */
  readonly value: CellValue | undefined;
  /** The parent that the pass named and that is not in the tree, or is below the node itself; null: none such. */
  readonly lost: string | null;
}

/** Children in the order in which the pass added them. What has no root, such as a cycle, is there too: a wrong tree should be visible. */
export function ownTreeRows(cells: ReadonlyMap<string, CellValue>): readonly OwnTreeRow[] {
  const children = new Map<string | null, string[]>();
  const parentOf = (key: string): string | null => {
    const cell = cells.get(key);
    return isObject(cell) && typeof cell.parent === "string" ? cell.parent : null;
  };
  for (const key of cells.keys()) {
    const parent = parentOf(key);
    const at = parent !== null && cells.has(parent) ? parent : null;
    children.set(at, [...(children.get(at) ?? []), key]);
  }
  const rows: OwnTreeRow[] = [];
  const seen = new Set<string>();
  const add = (root: string): void => {
    const open: (readonly [key: string, depth: number])[] = [[root, 0]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [key, depth] = next;
      if (seen.has(key)) continue;
      seen.add(key);
      const cell = cells.get(key);
      rows.push({ key, depth, value: isObject(cell) ? cell.value : undefined, lost: depth === 0 ? parentOf(key) : null });
      for (const child of (children.get(key) ?? []).toReversed()) open.push([child, depth + 1]);
    }
  };
  for (const root of children.get(null) ?? []) add(root);
  for (const key of cells.keys()) add(key);
  return rows;
}
