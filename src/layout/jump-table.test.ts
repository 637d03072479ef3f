import { describe, expect, it } from "vitest";
import { groupCases, measureTable, tableEdges } from "./jump-table.ts";
import { defaultCardMetrics } from "./measure.ts";

describe("jump table", () => {
  it("groups cases by target in order of appearance, as ranges", () => {
    expect(groupCases(["a", "a", "b", "a", "b", "c"], 10)).toEqual([
      { target: "a", cases: "10-11, 13", count: 3 },
      { target: "b", cases: "12, 14", count: 2 },
      { target: "c", cases: "15", count: 1 },
    ]);
    expect(groupCases([])).toEqual([]);
  });

  it("has one edge per distinct target and room for all of its ports", () => {
    const groups = groupCases(Array.from({ length: 256 }, (_, i) => `B${i % 32}`));
    const edges = tableEdges("T", groups);
    expect(edges.map((e) => [e.id, e.port]).slice(0, 2)).toEqual([
      ["T:B0", 0],
      ["T:B1", 1],
    ]);
    expect(edges).toHaveLength(32);
    expect(measureTable("table", groups, defaultCardMetrics).width).toBeGreaterThanOrEqual(33 * defaultCardMetrics.portGap);
  });
});
