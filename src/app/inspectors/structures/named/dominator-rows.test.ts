import { describe, expect, it } from "vitest";
import { dominatorRows, indexFormula } from "./dominator-rows.ts";

describe("dominator rows", () => {
  const labels = new Map([
    [0, "BB0"],
    [1, "BB1"],
    [2, "BB2"],
    [3, "BB3"],
  ]);
  const idom = [
    [0, null],
    [3, 0],
    [1, 0],
    [2, 1],
  ] as const;

  it("stand in preorder, children by place, and say who waits in the tree", () => {
    const places = new Map([
      ["BB0", 0],
      ["BB1", 1],
      ["BB2", 2],
      ["BB3", 300],
    ]);
    const leaves = new Map([
      [0, [0b100, 0, 0, 0, 0, 0, 0, 0]],
      [1, [0, 1 << 12, 0, 0, 0, 0, 0, 0]],
    ]);
    expect(dominatorRows(idom, labels, places, leaves).map((r) => `${" ".repeat(r.depth)}${r.label} ${r.index} ${r.waits}`)).toEqual([
      "BB0 0 false",
      " BB1 1 false",
      "  BB2 2 true",
      " BB3 300 true",
    ]);
  });

  it("leave out blocks that are gone, and places that are not known", () => {
    const some = new Map([...labels].filter(([id]) => id !== 3));
    expect(dominatorRows(idom, some, new Map(), new Map()).map((r) => [r.label, r.index])).toEqual([
      ["BB0", null],
      ["BB1", null],
      ["BB2", null],
    ]);
  });

  it("take an index apart", () => {
    expect(indexFormula(300)).toBe("index 300 = bit 44 | word 0 << 6 | key 1 << 8");
    expect(indexFormula(67)).toBe("index 67 = bit 3 | word 1 << 6 | key 0 << 8");
  });
});
