import { describe, expect, it } from "vitest";
import { flowGraph } from "../flow-graph.ts";
import { flowOrder } from "../flow-order.ts";
import { loopForest } from "../loop-forest.ts";
import { checkLayout } from "../testing/check-layout.ts";
import { laidOut } from "../testing/draw.ts";
import { quality } from "../testing/quality.ts";
import { structuredCfg } from "../testing/random-cfg.ts";
import type { GraphInput } from "../types.ts";
import { branchesToTurn } from "./turns.ts";

/** Blocks by name, each with its successors from left to right: `a: b c` is T to b, F to c. */
function graphOf(text: string, height = 60): GraphInput {
  const lines = text.split("; ").map((line) => line.split(": ") as [string, string | undefined]);
  return {
    entry: lines[0]?.[0] ?? "",
    nodes: lines.map(([id]) => ({ id, kind: "block", width: 100, height })),
    edges: lines.flatMap(([from, to]) =>
      (to ?? "").split(" ").flatMap((target, port, all) =>
        target === ""
          ? []
          : [
              {
                id: `${from}>${target}.${port}`,
                from,
                to: target,
                kind: all.length === 1 ? "jump" : port === 0 ? "taken" : "else",
                port,
              },
            ],
      ),
    ),
  };
}

function turned(input: GraphInput): string[] {
  const graph = flowGraph(input);
  return [...branchesToTurn(graph, loopForest(graph, flowOrder(graph)))].map((n) => graph.ids[n] ?? "").sort();
}

// Two trees of tests; the last leaf of each leads to `s`, all others to the end.
const SHARED = "r: a e; a: b c; b: end; c: d s; d: end; e: f g; f: end; g: h i; h: end; i: j s; j: end; s: end; end: ";

describe("turns that the graph's shape asks for", () => {
  it("bring the ways into a join of two trees of tests together", async () => {
    expect(turned(graphOf(SHARED))).toEqual(["e", "g", "i"]);
    expect(quality(graphOf(SHARED), await laidOut(graphOf(SHARED))).crossings).toBe(0);
  });

  it("are the same whatever the blocks' sizes", () => {
    const sized = graphOf(SHARED);
    const nodes = sized.nodes.map((n, i) => ({ ...n, width: 60 + 37 * ((i * 7) % 5), height: 40 + 90 * ((i * 5) % 4) }));
    expect(turned({ ...sized, nodes })).toEqual(turned(graphOf(SHARED)));
  });

  it("lead out of a loop on the side away from its line back", () => {
    expect(turned(graphOf("h: b; b: c out; c: h done; out: ; done: "))).toEqual(["b"]);
    expect(turned(graphOf("h: b; b: out c; c: h done; out: ; done: "))).toEqual([]);
  });

  it("leave what need not cross, and tables, as they are", () => {
    expect(turned(graphOf("a: b c; b: d; c: d; d: e f; e: g; f: g; g: "))).toEqual([]);
    const table = graphOf("t: x y z; x: e; y: s; z: p q; p: e; q: s; s: e; e: ");
    expect(turned({ ...table, edges: table.edges.map((e) => (e.from === "t" ? { ...e, kind: "table" } : e)) })).not.toContain("t");
  });

  it("take a branch with what it becomes for a branch, and keep its ways in opposite order", async () => {
    const input = graphOf(SHARED.replace("i: j s", "i: j k s").replace("s: end", "k: s; s: end"));
    expect(turned(input)).toEqual(["e", "g", "i"]);
    expect(checkLayout(input, await laidOut(input))).toEqual([]);
  });

  it("end on any graph, and are none past the work they may take", () => {
    for (let seed = 1; seed <= 20; seed++) turned(structuredCfg(seed, 150));
    expect(turned(structuredCfg(1, 1_000))).toEqual([]);
  });
});

describe("blocks whose lines end in tags", () => {
  it("stay in the loops of those lines, and above the block that is named", async () => {
    const input = graphOf("h: a b; a: c d; c: ; d: j; b: j; j: h out; out: ");
    const tagged = { ...input, nodes: input.nodes.map((n) => (n.id === "c" ? { ...n, leadsTo: "j" } : n)) };
    const graph = flowGraph(tagged);
    const { loopOf } = loopForest(graph, flowOrder(graph));
    expect(loopOf[graph.ids.indexOf("c")]).toBe(loopOf[graph.ids.indexOf("j")]);
    const place = new Map((await laidOut(tagged)).nodes.map((n) => [n.id, n]));
    expect(place.get("c")?.y).toBeLessThan(place.get("j")?.y ?? 0);
    expect(checkLayout(tagged, await laidOut(tagged))).toEqual([]);
  });
});
