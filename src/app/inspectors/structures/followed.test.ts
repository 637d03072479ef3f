import { describe, expect, it } from "vitest";
import { followed } from "./structures.tsx";

type Row = readonly [name: string, type: "rb-tree" | "value-table" | "hash-map" | "worklist", touched: readonly string[]];
const of = (...rows: readonly Row[]) => new Map(rows.map(([name, type, touched]) => [name, { name, type, touched: new Set(touched) }]));

describe("the structure that follows the step", () => {
  it("is the one that the step writes, of the kind that the step speaks of", () => {
    const both = of(["values", "value-table", ["R1"]], ["scope-tree", "rb-tree", ["n0"]]);
    expect(followed(both, "tree", undefined)).toBe("scope-tree");
    expect(followed(both, "value-number", undefined)).toBe("values");
  });

  it("is the only one of its kind where the step reads it", () => {
    const untouched = of(["values", "value-table", []], ["scope-tree", "rb-tree", []]);
    expect(followed(untouched, "tree", "values/R1")).toBe("scope-tree");
  });

  it("is what a step of no such kind points at, else what it writes, else none", () => {
    const some = of(["values", "value-table", ["R1"]], ["list", "worklist", []]);
    expect(followed(some, "match", "list")).toBe("list");
    expect(followed(some, "match", undefined)).toBe("values");
    expect(followed(of(["list", "worklist", []]), "match", undefined)).toBeNull();
  });
});
