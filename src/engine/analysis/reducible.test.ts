import { describe, expect, it } from "vitest";
import { draws, freshSeed } from "../testing/seed.ts";
import { loopInfo } from "./loops.ts";
import { intervalTest } from "./reducible.ts";
import { funcOf, type Graph, randomGraph } from "./testing/graphs.ts";

/** Other graphs on every commit. */
const FIRST = freshSeed(1_000_000);
const COUNT = draws(1500);

const test = (graph: Graph) => intervalTest(funcOf(graph));

describe("the interval test", () => {
  it("counts what it did and names what is left", () => {
    expect(test([[1], [1, 2], []])).toEqual({ reducible: true, t1: 1, t2: 2, left: [0] });
    // Two entries into one cycle: nothing has a single predecessor but the entry's own region.
    expect(test([[1, 2], [2, 3], [1], []])).toMatchObject({ reducible: false, left: [0, 1, 2] });
    expect(test([[0]])).toEqual({ reducible: true, t1: 1, t2: 0, left: [0] });
    // An unreachable block is ignored.
    expect(test([[], [0, 2], [1]])).toMatchObject({ reducible: true, left: [0] });
  });

  it("agrees with dominators on random graphs", () => {
    let irreducible = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const graph = randomGraph(seed, 12);
      const fn = funcOf(graph, seed % 2 === 0);
      const { reducible } = intervalTest(fn);
      expect(reducible, `seed ${seed}: ${JSON.stringify(graph)}`).toBe(loopInfo(fn).irreducible.length === 0);
      if (!reducible) irreducible++;
    }
    expect(irreducible).toBeGreaterThan(COUNT / 100);
    expect(irreducible).toBeLessThan((COUNT * 99) / 100);
  });

  it("takes long chains, deep nests and wide joins", () => {
    const count = 40_000;
    const chain = Array.from({ length: count }, (_, i) => (i + 1 < count ? [i + 1] : []));
    expect(test(chain)).toMatchObject({ reducible: true, t2: count - 1 });
    // Block i continues or leaves for the join; the second half closes loops around the first.
    const deep = 4_000;
    const nest = Array.from({ length: 2 * deep }, (_, i) => (i < deep ? [i + 1] : i + 1 < 2 * deep ? [i + 1, 2 * deep - 1 - i] : []));
    expect(test(nest)).toMatchObject({ reducible: true, left: [0] });
    const wide = Array.from({ length: 5_000 }, (_, i) => (i < 4_998 ? [i + 1, 4_999] : i === 4_998 ? [4_999] : []));
    expect(test(wide)).toMatchObject({ reducible: true, left: [0] });
  });
});
