/** Places the nodes of a binary tree: in-order position across, depth down. No recursion, cycles in bad data are cut. */

import type { CellValue } from "../../session/moment.ts";
import { numberOf, objectCell } from "./cells.ts";

export interface TreeNode {
  readonly id: number;
  readonly left: number;
  readonly right: number;
  readonly parent: number;
  readonly key: number;
  readonly red: boolean;
  readonly words: readonly number[];
  /** In-order position from 0, and depth from 0. */
  readonly x: number;
  readonly depth: number;
}

export interface TreeLayout {
  readonly nodes: readonly TreeNode[];
  readonly width: number;
  readonly depth: number;
}

export function layoutTree(cells: ReadonlyMap<string, CellValue>): TreeLayout {
  const root = numberOf(objectCell(cells, "meta")?.root);
  const nodes: TreeNode[] = [];
  const seen = new Set<number>();
  const stack: { id: number; depth: number; opened: boolean }[] = root < 0 ? [] : [{ id: root, depth: 0, opened: false }];
  let deepest = -1;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const cell = objectCell(cells, `n${top.id}`);
    if (cell === null) continue;
    const left = numberOf(cell.left);
    const right = numberOf(cell.right);
    if (!top.opened) {
      if (seen.has(top.id)) continue;
      seen.add(top.id);
      if (right >= 0) stack.push({ id: right, depth: top.depth + 1, opened: false });
      stack.push({ ...top, opened: true });
      if (left >= 0) stack.push({ id: left, depth: top.depth + 1, opened: false });
      continue;
    }
    const words = Array.isArray(cell.words) ? cell.words.map((w: CellValue) => numberOf(w, 0)) : [];
    nodes.push({
      id: top.id,
      left,
      right,
      parent: numberOf(cell.parent),
      key: numberOf(cell.key, 0),
      red: cell.red === true,
      words,
      x: nodes.length,
      depth: top.depth,
    });
    deepest = Math.max(deepest, top.depth);
  }
  return { nodes, width: nodes.length, depth: deepest + 1 };
}
