import { describe, expect, it } from "vitest";
import { keepInPlace, positions, structureKey, unionGraph } from "./stabilise.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { laidOut } from "./testing/draw.ts";
import { structuredCfg } from "./testing/random-cfg.ts";
import type { EdgeKind, GraphInput } from "./types.ts";

function graph(text: string, kind: EdgeKind = "taken"): GraphInput {
  const edges = text.split(" ").flatMap((part) => {
    const [from = "", to = ""] = part.split(":");
    return to
      .split(",")
      .filter((t) => t !== "")
      .map((t, port) => ({ id: `${from}${port}`, from, to: t, port, kind }));
  });
  const ids = [...new Set(text.split(" ").map((part) => part.split(":")[0] ?? ""))];
  return { entry: ids[0] ?? "", nodes: ids.map((id) => ({ id, kind: "block", width: 80, height: 30 })), edges };
}

describe("keepInPlace", () => {
  it("keeps the anchor where it was", async () => {
    const before = await laidOut(structuredCfg(1, 30));
    const after = keepInPlace(await laidOut(structuredCfg(1, 40)), positions(before), "B7");
    const at = (l: typeof before) => l.nodes.find((n) => n.id === "B7");
    expect([at(after)!.x, at(after)!.y]).toEqual([at(before)!.x, at(before)!.y]);
  });

  it("moves lines and bounds along, and falls back on the median move of shared blocks", async () => {
    const layout = await laidOut(graph("a:b b:c c:"));
    const moved = new Map([...positions(layout)].map(([id, p]) => [id, { x: p.x + 100, y: p.y + (id === "c" ? 900 : 50) }]));
    const kept = keepInPlace(layout, moved, "gone");
    expect(kept.bounds).toEqual({ ...layout.bounds, x: 100, y: 50 });
    expect(kept.edges[0]!.points[0]).toEqual([layout.edges[0]!.points[0]![0] + 100, layout.edges[0]!.points[0]![1] + 50]);
  });
});

describe("unionGraph", () => {
  it("holds the blocks and edges of all states, each listed after what it followed", () => {
    const { graph: union, edges } = unionGraph(graph("a:b b:c,d c:e d:e e:"), graph("a:c c:e e:"), [graph("a:n n:c c:e e:")]);
    expect(union.nodes.map((n) => n.id)).toEqual(["a", "n", "b", "c", "d", "e"]);
    expect(union.edges.map((e) => `${e.from}${e.to}`).sort()).toEqual(["ab", "ac", "an", "bc", "bd", "ce", "de", "nc"]);
    expect(edges).toHaveLength(3);
    expect(edges.map((m) => m.get("c0"))).toEqual(["c0", "c0", "c0"]);
    expect(new Set(union.edges.map((e) => e.id)).size).toBe(union.edges.length);
  });

  it("keeps the order of successors of every state, with a line of its own where two states disagree", async () => {
    const states = [graph("a:b,c b: c:"), graph("a:c,b b: c:"), graph("a:c b: c:")];
    const { graph: union, edges } = unionGraph(states[0]!, states[1]!, [states[2]!]);
    const port = new Map(union.edges.map((e) => [e.id, e]));
    states.forEach((state, s) => {
      const drawn = state.edges.map((e) => port.get(edges[s]!.get(e.id)!)!);
      expect(drawn.map((e) => e.to)).toEqual(state.edges.map((e) => e.to));
      expect(drawn.map((e) => e.port)).toEqual(drawn.map((e) => e.port).sort());
    });
    expect(checkLayout(union, await laidOut(union))).toEqual([]);
  });

  it("takes the largest size seen", () => {
    const wide = { ...graph("a:"), nodes: [{ id: "a", kind: "block" as const, width: 300, height: 10 }] };
    expect(unionGraph(graph("a:"), wide).graph.nodes[0]).toMatchObject({ width: 300, height: 30 });
  });
});

describe("structureKey", () => {
  it("changes with ids, sizes, edges, their kinds and order, not with labels", () => {
    const base = graph("a:b,c b:c c:");
    const key = structureKey(base);
    expect(structureKey({ ...base, edges: base.edges.map((e) => ({ ...e, label: "T" })) })).toBe(key);
    expect(structureKey(graph("a:b,c b:c c:", "fall"))).not.toBe(key);
    const keys = [
      base,
      graph("a:c,b b:c c:"),
      graph("a:b,c b: c:"),
      { ...base, entry: "b" },
      { ...base, nodes: base.nodes.map((n, i) => (i === 1 ? { ...n, width: 81 } : n)) },
      { ...base, nodes: base.nodes.toReversed() },
    ].map(structureKey);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
