import { describe, expect, it } from "vitest";
import { type FlowGraph, flowGraph } from "./flow-graph.ts";
import { type FlowOrder, flowOrder } from "./flow-order.ts";
import { loopContains, loopForest } from "./loop-forest.ts";
import { irreducibleCfg, randomCfg, structuredCfg } from "./testing/random-cfg.ts";

/** The definition, computed naively: the nodes, from `head` on in reverse postorder, that `head` reaches and that reach it. */
function slowLoop(graph: FlowGraph, order: FlowOrder, head: number): Set<number> {
  const reach = (forward: boolean): Set<number> => {
    const seen = new Set([head]);
    const work = [head];
    for (let n = work.pop(); n !== undefined; n = work.pop()) {
      for (let e = 0; e < graph.edgeCount; e++) {
        const [a, b] = forward ? [graph.from[e]!, graph.to[e]!] : [graph.to[e]!, graph.from[e]!];
        if (a !== n || seen.has(b) || order.number[b]! < order.number[head]!) continue;
        seen.add(b);
        work.push(b);
      }
    }
    return seen;
  };
  const back = reach(false);
  return new Set([...reach(true)].filter((n) => back.has(n)));
}

describe("loop forest", () => {
  it("holds exactly the members the definition gives, nested as ranges, on any graph", () => {
    for (let seed = 1; seed <= 120; seed++) {
      const input = [structuredCfg(seed, 25), irreducibleCfg(seed, 20), randomCfg(seed, 12, 22)][seed % 3]!;
      const graph = flowGraph(input);
      const order = flowOrder(graph);
      const forest = loopForest(graph, order);
      const headers = new Set<number>();
      for (let e = 0; e < graph.edgeCount; e++) if (order.back[e] === 1) headers.add(graph.to[e]!);
      expect(new Set(forest.header), `seed ${seed}`).toEqual(headers);
      for (let l = 0; l < forest.count; l++) {
        const members = [...Array(graph.count).keys()].filter((n) => loopContains(forest, l, n));
        expect(new Set(members), `seed ${seed}, loop ${l}`).toEqual(slowLoop(graph, order, forest.header[l]!));
        if (forest.parent[l]! >= 0) expect(loopContains(forest, forest.parent[l]!, forest.header[l]!)).toBe(true);
      }
    }
  });
});

describe("flow order", () => {
  it("lists every edge that is no back edge forwards, and back edges to ancestors", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const graph = flowGraph(randomCfg(seed, 15, 30));
      const order = flowOrder(graph);
      for (let e = 0; e < graph.edgeCount; e++) {
        const a = graph.from[e]!;
        const b = graph.to[e]!;
        if (order.back[e] !== 1) expect(order.number[a]!, `seed ${seed}`).toBeLessThan(order.number[b]!);
        else expect(order.found[b]! <= order.found[a]! && order.left[b]! >= order.left[a]!, `seed ${seed}`).toBe(true);
      }
      expect(new Set([...order.nodeKey, ...order.edgeKey]).size).toBe(graph.count + graph.edgeCount);
    }
  });
});
