import { describe, expect, it } from "vitest";
import { checkLayout } from "../testing/check-layout.ts";
import { laidOut } from "../testing/draw.ts";
import { quality } from "../testing/quality.ts";
import type { GraphEdge, GraphInput, GraphNode } from "../types.ts";

/** A ladder: tests one below the other, each with an arm without successors. `swapped`: the arms are on the right. */
function ladder(tests: number, armHeight: number, swapped = false): GraphInput {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  for (let i = 0; i < tests; i++) {
    nodes.push({ id: `t${i}`, kind: "block", width: 200, height: 90 }, { id: `a${i}`, kind: "block", width: 180, height: armHeight });
    const [arm, next] = swapped ? [1, 0] : [0, 1];
    edges.push({ id: `a${i}`, from: `t${i}`, to: `a${i}`, kind: "taken", port: arm });
    edges.push({ id: `n${i}`, from: `t${i}`, to: i + 1 < tests ? `t${i + 1}` : "end", kind: "fall", port: next });
  }
  nodes.push({ id: "end", kind: "block", width: 200, height: 90 });
  return { entry: "t0", nodes, edges };
}

describe("arms of a ladder", () => {
  it.each([false, true])("stand side by side where they are much higher than the tests (arms on the right: %s)", async (swapped) => {
    const input = ladder(40, 280, swapped);
    const layout = await laidOut(input);
    const { tall, crossings, vertical, falls } = quality(input, layout);
    expect(checkLayout(input, layout)).toEqual([]);
    expect([crossings, vertical]).toEqual([0, falls]);
    // With the arms one below the other it would be 2.5 times as tall as its longest path.
    expect(tall).toBeLessThan(1.5);
    const columns = new Set(layout.nodes.filter((n) => n.id.startsWith("a")).map((n) => n.x));
    expect(columns.size).toBeGreaterThan(2);
    expect(columns.size).toBeLessThan(6);
  });

  it("stay in one column where they hardly make the tests wait", async () => {
    const layout = await laidOut(ladder(40, 100));
    expect(new Set(layout.nodes.filter((n) => n.id.startsWith("a")).map((n) => n.x)).size).toBe(1);
  });

  it("stay in one column where lines go on below them", async () => {
    const input = ladder(12, 280);
    const joined = {
      ...input,
      edges: [
        ...input.edges,
        ...Array.from({ length: 12 }, (_, i): GraphEdge => ({ id: `j${i}`, from: `a${i}`, to: "end", kind: "jump", port: 0 })),
      ],
    };
    const layout = await laidOut(joined);
    expect(checkLayout(joined, layout)).toEqual([]);
    expect(layout.bounds.width).toBeLessThan(700);
  });
});
