import { describe, expect, it } from "vitest";
import { draws, freshSeed } from "../testing/seed.ts";
import { loopInfo } from "./loops.ts";
import { reversePostOrder } from "./order.ts";
import { funcOf, type Graph, randomGraph } from "./testing/graphs.ts";
import { dominatorSets, reach, reversed } from "./testing/plain.ts";

/** Other graphs on every commit. */
const FIRST = freshSeed(1_000_000);

/** The blocks of the natural loop of a header: what reaches a latch without passing the header. */
function bodyOf(graph: Graph, header: number, latches: readonly number[]): Set<number> {
  const fromEntry = reach(graph, [0]);
  const body = reach(reversed(graph), latches, header);
  return new Set([header, ...[...body].filter((b) => fromEntry.has(b))]);
}

describe("loops", () => {
  it("are what the definitions say, on random graphs", () => {
    for (let seed = FIRST; seed < FIRST + draws(1500); seed++) {
      const graph = randomGraph(seed, 12);
      const fn = funcOf(graph, seed % 2 === 0);
      const at = `seed ${seed}: ${JSON.stringify(graph)}`;
      const info = loopInfo(fn);
      const { order, number } = reversePostOrder(fn);
      const dom = dominatorSets(graph, [0]);
      const retreating = order.flatMap((b) => fn.blocks[b]!.succs.filter((s) => number[s]! <= number[b]!).map((s) => [b, s] as const));
      expect(info.retreating, at).toEqual(retreating);
      expect(info.irreducible, at).toEqual(retreating.filter(([b, s]) => !dom[b]!.has(s)));
      const natural = new Map<number, Set<number>>();
      for (const header of new Set(retreating.map(([, s]) => s))) {
        const latches = retreating.filter(([, s]) => s === header).map(([b]) => b);
        const loop = info.loops.find((l) => l.header === header)!;
        expect(loop.latches, at).toEqual(latches);
        expect(loop.size, at).toBe(loop.blocks.length);
        expect(loop.natural, at).toBe(latches.every((l) => dom[l]!.has(header)));
        if (loop.natural) {
          natural.set(header, bodyOf(graph, header, latches));
          expect(new Set(loop.blocks), at).toEqual(natural.get(header));
        }
      }
      expect(info.loops.length, at).toBe(new Set(retreating.map(([, s]) => s)).size);
      for (const b of order) {
        const around = [...natural].filter(([, body]) => body.has(b));
        expect(info.depth[b], `block ${b}, ${at}`).toBe(around.length);
        // Natural loops with different headers are nested or disjoint: the innermost is the smallest.
        const inner = around.sort(([, x], [, y]) => x.size - y.size)[0]?.[0] ?? -1;
        expect(info.innermost[b], `block ${b}, ${at}`).toBe(inner);
      }
      for (const loop of info.loops) {
        if (!loop.natural) continue;
        const outer = [...natural].filter(([h, body]) => h !== loop.header && body.has(loop.header));
        expect(loop.depth, at).toBe(outer.length + 1);
        if (outer.length === 0) expect(loop.parent, at).toBe(null);
        else expect(natural.get(loop.parent!)!.size, at).toBe(Math.min(...outer.map(([, body]) => body.size)));
      }
    }
  });
});
