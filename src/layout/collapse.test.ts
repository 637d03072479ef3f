import { describe, expect, it } from "vitest";
import { collapseLoops, collapseToLimit, neighbourhood, straightLines } from "./collapse.ts";
import { structuredCfg } from "./testing/random-cfg.ts";
import type { GraphInput } from "./types.ts";

const edge = (id: string, from: string, to: string, port = 0) => ({ id, from, to, port, kind: "taken" as const });
const input: GraphInput = {
  entry: "a",
  nodes: ["a", "b", "h", "x", "y", "z"].map((id) => ({ id, kind: "block", width: 100, height: 40 })),
  edges: [
    edge("ab", "a", "b"),
    edge("bh", "b", "h"),
    edge("hx", "h", "x"),
    edge("hz", "h", "z", 1),
    edge("xy", "x", "y"),
    edge("yh", "y", "h"),
  ],
};

describe("collapse", () => {
  it("finds straight lines and draws each as one region", () => {
    expect(straightLines(input)).toEqual([
      ["a", "b"],
      ["x", "y"],
    ]);
    const { graph, shownAs } = collapseToLimit(input, 4);
    expect(graph.nodes.map((n) => [n.id, n.kind])).toEqual([
      ["line:a", "region"],
      ["h", "block"],
      ["line:x", "region"],
      ["z", "block"],
    ]);
    expect(graph.edges.map((e) => [e.id, e.from, e.to, e.port])).toEqual([
      ["bh", "line:a", "h", 0],
      ["hx", "h", "line:x", 0],
      ["hz", "h", "z", 1],
      ["yh", "line:x", "h", 0],
    ]);
    expect(graph.entry).toBe("line:a");
    expect(shownAs.get("y")).toBe("line:x");
    expect(shownAs.has("h")).toBe(false);
  });

  it("collapses a loop to its header's region, keeps its exits, drops what is inside", () => {
    const { graph } = collapseLoops(input, [{ header: "h", members: ["h", "x", "y"] }]);
    expect(graph.nodes.map((n) => n.id)).toEqual(["a", "b", "loop:h", "z"]);
    expect(graph.edges.map((e) => [e.from, e.to])).toEqual([
      ["a", "b"],
      ["b", "loop:h"],
      ["loop:h", "z"],
    ]);
  });

  it("keeps the neighbours of a block and ends other edges in stubs", () => {
    const { graph, stubs } = neighbourhood(input, "x", 1);
    expect(graph.nodes.map((n) => [n.id, n.kind])).toEqual([
      ["h", "block"],
      ["x", "block"],
      ["y", "block"],
      ["stub:hz", "stub"],
    ]);
    expect(stubs.get("stub:hz")).toEqual({ edge: "hz", target: "z" });
    expect(graph.edges.find((e) => e.id === "hz")).toMatchObject({ from: "h", to: "stub:hz", port: 1 });
    expect(graph.entry).toBe("x");
  });

  it("collapses large graphs under a limit: every block is drawn or stands in a drawn region, every edge joins drawn nodes", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const big = structuredCfg(seed, 3000);
      const { graph, shownAs } = collapseToLimit(big, 800);
      expect(graph.nodes.length, `seed ${seed}`).toBeLessThanOrEqual(800);
      expect(new Set(graph.nodes.map((n) => n.id)).size).toBe(graph.nodes.length);
      const drawn = new Set(graph.nodes.map((n) => n.id));
      for (const n of big.nodes) expect(drawn.has(shownAs.get(n.id) ?? n.id), `seed ${seed}, ${n.id}`).toBe(true);
      for (const e of graph.edges) expect(drawn.has(e.from) && drawn.has(e.to)).toBe(true);
      expect(drawn.has(graph.entry)).toBe(true);
    }
  });
});
