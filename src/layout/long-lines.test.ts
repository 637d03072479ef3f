import { describe, expect, it } from "vitest";
import { estimate } from "./estimate.ts";
import { withHungTags } from "./hung-tags.ts";
import { tagLongLines } from "./long-lines.ts";
import { defaultCardMetrics } from "./measure.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { drawn, laidOut } from "./testing/draw.ts";
import { ladderCfg, structuredCfg } from "./testing/random-cfg.ts";
import { defaultSpacing, type GraphInput } from "./types.ts";

const longest = async (input: GraphInput): Promise<number> =>
  Math.max(...(await laidOut(input)).edges.map((e) => Math.abs((e.points.at(-1)?.[1] ?? 0) - (e.points[0]?.[1] ?? 0))));

describe("long lines into a common exit", () => {
  it("end in tags, and the block keeps its nearest line", async () => {
    const input = ladderCfg(1, 100);
    const layout = await drawn(input);
    expect(layout.simplified?.summary).toMatch(/^\d+ long lines end in tags$/);
    const { graph, stubs } = layout.simplified!;
    expect(checkLayout(graph, layout)).toEqual([]);
    expect(await longest(input)).toBeGreaterThan(10_000);
    expect(await longest(graph)).toBeLessThan(2_500);
    // Every edge is still there, to its target or to a tag that names it.
    const ends = new Map(input.edges.map((e) => [e.id, e.to]));
    for (const edge of graph.edges) expect(stubs.get(edge.to)?.target ?? edge.to).toBe(ends.get(edge.id));
    expect(graph.edges).toHaveLength(input.edges.length);
    expect(graph.edges.some((e) => e.to === "B100")).toBe(true);
  });

  it("hang under blocks that only lead to them, and stand among the blocks of the loop that they leave", async () => {
    const node = (id: string, kind: "block" | "stub" = "block") => ({ id, kind, width: kind === "stub" ? 60 : 120, height: 50 });
    const edge = (id: string, from: string, to: string, port: number, kind: "taken" | "fall" | "jump") => ({ id, from, to, port, kind });
    const input: GraphInput = {
      entry: "a",
      nodes: [node("a"), node("h"), node("t", "stub"), node("body"), node("end"), node("u", "stub")],
      edges: [
        edge("e0", "a", "h", 0, "fall"),
        edge("e1", "h", "t", 0, "taken"),
        edge("e2", "h", "body", 1, "fall"),
        edge("e3", "body", "h", 0, "taken"),
        edge("e4", "body", "end", 1, "fall"),
        edge("e5", "end", "u", 0, "jump"),
      ],
    };
    const layout = await withHungTags(input, defaultSpacing, (graph) => {
      expect(graph.nodes.map((n) => n.id)).toEqual(["a", "h", "t", "body", "end"]);
      return laidOut(graph);
    });
    expect(checkLayout(input, layout)).toEqual([]);
    const at = new Map(layout.nodes.map((n) => [n.id, n]));
    const [end, u, t, body] = [at.get("end")!, at.get("u")!, at.get("t")!, at.get("body")!];
    expect(u.y - end.y - end.height).toBe(defaultSpacing.layer / 2);
    expect(u.x + u.width / 2).toBe(end.x + end.width / 2);
    expect(t.y).toBeLessThan(body.y + body.height);
  });

  it("stay lines in small graphs and where few lead to a block", async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const input = structuredCfg(seed, 12);
      expect(tagLongLines(input, estimate(input, defaultSpacing).lengths, defaultCardMetrics)).toBeNull();
    }
  });
});
