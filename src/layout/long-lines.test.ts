import { describe, expect, it } from "vitest";
import { linearLayout } from "./linear.ts";
import { tagLongLines } from "./long-lines.ts";
import { defaultCardMetrics } from "./measure.ts";
import { drawGraph } from "./plan.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { ladderCfg, structuredCfg } from "./testing/random-cfg.ts";
import { defaultSpacing, type GraphInput } from "./types.ts";

const request = { limits: { collapseAbove: 1_000 }, metrics: defaultCardMetrics, spacing: defaultSpacing, opened: new Set<string>() };
const longest = (input: GraphInput): number =>
  Math.max(...linearLayout(input).edges.map((e) => Math.abs((e.points.at(-1)?.[1] ?? 0) - (e.points[0]?.[1] ?? 0))));

describe("long lines into a common exit", () => {
  it("end in tags, and the block keeps its nearest line", () => {
    const input = ladderCfg(1, 100);
    const drawn = drawGraph(input, request);
    expect(drawn.simplified?.summary).toMatch(/^\d+ long lines end in tags$/);
    const { graph, stubs } = drawn.simplified!;
    expect(checkLayout(graph, drawn)).toEqual([]);
    expect(longest(input)).toBeGreaterThan(10_000);
    expect(longest(graph)).toBeLessThan(2_500);
    // Every edge is still there, to its target or to a tag that names it.
    const ends = new Map(input.edges.map((e) => [e.id, e.to]));
    for (const edge of graph.edges) expect(stubs.get(edge.to)?.target ?? edge.to).toBe(ends.get(edge.id));
    expect(graph.edges).toHaveLength(input.edges.length);
    expect(graph.edges.some((e) => e.to === "B100")).toBe(true);
  });

  it("stay lines in small graphs and where few lead to a block", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const input = structuredCfg(seed, 12);
      expect(tagLongLines(input, linearLayout(input), defaultCardMetrics)).toBeNull();
    }
  });
});
