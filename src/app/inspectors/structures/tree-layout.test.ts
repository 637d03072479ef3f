import { describe, expect, it } from "vitest";
import type { CellValue } from "../../session/moment.ts";
import { layoutTree } from "./tree-layout.ts";

const node = (left: number, right: number, parent: number, key: number): CellValue => ({
  left,
  right,
  parent,
  key,
  red: false,
  words: [1, 0, 0, 0, 0, 0, 0, 0],
});

describe("layoutTree", () => {
  it("goes in order of the keys, with depths", () => {
    const cells = new Map<string, CellValue>([
      ["meta", { root: 1, size: 3, nodes: 3, free: 0 }],
      ["n0", node(-1, -1, 1, 4)],
      ["n1", node(0, 2, -1, 9)],
      ["n2", node(-1, -1, 1, 30)],
    ]);
    const layout = layoutTree(cells);
    expect(layout.nodes.map((n) => [n.key, n.x, n.depth])).toEqual([
      [4, 0, 1],
      [9, 1, 0],
      [30, 2, 1],
    ]);
  });

  it("survives missing nodes and cycles", () => {
    const cells = new Map<string, CellValue>([
      ["meta", { root: 0 }],
      ["n0", node(1, 7, -1, 5)],
      ["n1", node(0, -1, 0, 2)],
    ]);
    expect(layoutTree(cells).nodes.map((n) => n.key)).toEqual([2, 5]);
    expect(layoutTree(new Map()).nodes).toEqual([]);
  });
});
