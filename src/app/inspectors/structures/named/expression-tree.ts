/** Expression trees from the cells of reassociation: the flattened tree, and the chain it becomes; placed for drawing. No recursion. */

import type { CellValue } from "../../../session/moment.ts";
import { isObject, showCell } from "../cells.ts";

export interface ExpressionNode {
  /** The cell's key; null for an operand without a cell. */
  readonly key: string | null;
  readonly text: string;
  /** What a leaf is ranked by, or what an inner node is as an instruction. */
  readonly note: string;
  readonly children: readonly number[];
}

export interface PlacedTree {
  /** `at` is the place in this list; children are such places. */
  readonly nodes: readonly (ExpressionNode & { readonly at: number; readonly x: number; readonly depth: number })[];
  /** Leaves across. */
  readonly width: number;
  readonly depth: number;
}

type Cells = ReadonlyMap<string, CellValue>;

/** Cells `t<i>` with what is below them, and `l<i>`. null: no tree, or one too large to be linked. */
export function flattenedTree(cells: Cells): PlacedTree | null {
  const nodes: ExpressionNode[] = [];
  const index = new Map<string, number>();
  const below = new Set<string>();
  for (const key of cells.keys()) index.set(key, index.size);
  for (const [key, cell] of cells) {
    if (!isObject(cell)) return null;
    const links = Array.isArray(cell.below) ? cell.below.map((k: CellValue) => showCell(k)).filter((k) => index.has(k)) : [];
    for (const link of links) below.add(link);
    const leaf = key.startsWith("l");
    nodes.push({
      key,
      text: showCell(leaf ? cell.text : cell.op),
      note: leaf ? `#${showCell(cell.number)}` : showCell(cell.inst),
      children: links.map((k) => index.get(k) ?? -1),
    });
  }
  const roots = [...index].filter(([key]) => key.startsWith("t") && !below.has(key));
  const root = roots[0];
  return root === undefined || roots.length > 1 ? null : placed(nodes, root[1]);
}

/** Cells `c<i>`, each the result of two operands; the last one is the root. null: no chain. */
export function chainTree(cells: Cells): PlacedTree | null {
  const nodes: ExpressionNode[] = [];
  const results = new Map<string, number>();
  let root = -1;
  for (let i = 0; cells.has(`c${i}`); i++) {
    const cell = cells.get(`c${i}`);
    if (!isObject(cell)) return null;
    const children = [cell.left, cell.right].map((operand) => {
      const text = showCell(operand);
      const made = results.get(text);
      if (made !== undefined) return made;
      nodes.push({ key: null, text, note: "", children: [] });
      return nodes.length - 1;
    });
    const result = showCell(cell.result);
    const op = showCell(cell.op);
    const text = `${op} ${result}, ${showCell(cell.left)}, ${showCell(cell.right)}`;
    root = nodes.push({ key: `c${i}`, text: op.replace(/^[IFDHU](?=[A-Z]{3})/, ""), note: text, children }) - 1;
    results.set(result, root);
  }
  return root < 0 ? null : placed(nodes, root);
}

/** Whether two trees have the same leaves, in any order. */
export function sameLeaves(a: PlacedTree, b: PlacedTree): boolean {
  const leaves = (tree: PlacedTree): string =>
    tree.nodes
      .filter((n) => n.children.length === 0)
      .map((n) => n.text)
      .sort()
      .join(" ");
  return leaves(a) === leaves(b);
}

/** Leaves side by side in order, inner nodes over the middle of theirs; what is met twice is drawn where it is met first. */
function placed(nodes: readonly ExpressionNode[], root: number): PlacedTree {
  const x = new Map<number, number>();
  const depths = new Map<number, number>();
  const stack: { readonly at: number; readonly depth: number; readonly opened: boolean }[] = [{ at: root, depth: 0, opened: false }];
  let width = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const node = nodes[top.at];
    if (node === undefined) continue;
    if (!top.opened) {
      if (depths.has(top.at)) continue;
      depths.set(top.at, top.depth);
      stack.push({ ...top, opened: true });
      for (const child of node.children.toReversed()) stack.push({ at: child, depth: top.depth + 1, opened: false });
      continue;
    }
    const under = node.children.map((c) => x.get(c)).filter((v) => v !== undefined);
    x.set(top.at, under.length === 0 ? width++ : under.reduce((sum, v) => sum + v, 0) / under.length);
  }
  const order = new Map([...x.keys()].map((at, i) => [at, i]));
  return {
    nodes: [...x].map(([from, place], at) => {
      const { key, text, note, children } = nodes[from] as ExpressionNode;
      const kept = children.flatMap((c) => order.get(c) ?? []);
      return { at, key, text, note, children: kept, x: place, depth: depths.get(from) ?? 0 };
    }),
    width,
    depth: 1 + Math.max(...depths.values()),
  };
}
