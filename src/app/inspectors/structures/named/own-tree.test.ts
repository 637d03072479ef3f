import { describe, expect, it } from "vitest";
import { ownTreeRows } from "./own-tree.ts";

const rows = (cells: Readonly<Record<string, string | null>>) =>
  ownTreeRows(new Map(Object.entries(cells).map(([key, parent]) => [key, { parent }]))).map(({ key, depth, lost }) => [key, depth, lost]);

describe("ownTreeRows", () => {
  it("puts each node under its parent, children as they were added", () => {
    expect(rows({ D: "B", A: null, C: "A", B: "A", E: "B" })).toEqual([
      ["A", 0, null],
      ["C", 1, null],
      ["B", 1, null],
      ["D", 2, null],
      ["E", 2, null],
    ]);
  });

  it("shows nodes whose parent is missing, and cycles", () => {
    expect(rows({ A: null, B: "gone", C: "D", D: "C", E: "E" })).toEqual([
      ["A", 0, null],
      ["B", 0, "gone"],
      ["C", 0, "D"],
      ["D", 1, null],
      ["E", 0, "E"],
    ]);
  });

  it("keeps what the pass says of a node", () => {
    expect(ownTreeRows(new Map([["A", { parent: null, value: 7 }]]))).toEqual([{ key: "A", depth: 0, value: 7, lost: null }]);
  });
});
