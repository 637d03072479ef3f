import { describe, expect, it } from "vitest";
import { blockId } from "../ir/ids.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { computeDominators, computePostDominators, type DomTree, domChildren, dominates, WALK_LIMIT } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";
import { semiNca } from "./semi-nca.ts";
import { funcOf, randomGraph } from "./testing/graphs.ts";
import { closest, dominatorSets, reach, reversed } from "./testing/plain.ts";

/** Other graphs on every commit. */
const FIRST = freshSeed(1_000_000);
const SEEDS = draws(1500);

/** One comparison a graph: thousands of times twelve assertions would take longer than the algorithm. */
function expectSame(tree: DomTree, idom: readonly number[], sets: readonly (Set<number> | undefined)[], at: string): void {
  expect([...tree.idom], at).toEqual(idom);
  const pairs = (has: (a: number, b: number) => boolean): string =>
    idom.map((_, b) => idom.map((__, a) => (has(a, b) ? "1" : "0")).join("")).join(" ");
  expect(
    pairs((a, b) => dominates(tree, a, b)),
    at,
  ).toBe(pairs((a, b) => sets[b]?.has(a) ?? false));
}

describe("dominators", () => {
  it("agree with reachability after deleting a block, on random graphs", () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const graph = randomGraph(seed, 12);
      const tree = computeDominators(funcOf(graph, seed % 2 === 0));
      const sets = dominatorSets(graph, [0]);
      const idom = graph.map((_, b) => closest(sets, b));
      expectSame(tree, idom, sets, `seed ${seed}: ${JSON.stringify(graph)}`);
    }
  });

  it("of the reverse graph agree too, from all blocks that end the thread", () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const graph = randomGraph(seed, 12);
      const tree = computePostDominators(funcOf(graph, seed % 2 === 0));
      // The virtual exit is node `n`.
      const n = graph.length;
      const back = [...reversed(graph), graph.flatMap((succs, b) => (succs.length === 0 ? [b] : []))];
      const sets = dominatorSets(back, [n]);
      const idom = graph.map((_, b) => closest(sets, b)).map((d) => (d === n ? -1 : d));
      expectSame(tree, idom, sets, `seed ${seed}: ${JSON.stringify(graph)}`);
    }
  });

  it("report each change of an immediate dominator, the last one right", () => {
    const graph = [[1, 2], [3], [3], [1, 4], []];
    const seen = new Map<number, number>();
    const tree = computeDominators(funcOf(graph), { set: (block, idom) => seen.set(block, idom) });
    for (const [block, idom] of seen) expect(tree.idom[block]).toBe(idom);
    expect([...tree.idom]).toEqual([-1, 0, 0, 0, 3]);
    expect(domChildren(funcOf(graph), tree)[0]).toEqual([2, 1, 3]);
  });

  it("take long chains and deep nests without recursion", () => {
    const n = 20_000;
    const chain = Array.from({ length: n }, (_, i) => (i + 1 < n ? [i + 1] : []));
    const tree = computeDominators(funcOf(chain, true));
    expect(tree.idom[n - 1]).toBe(n - 2);
    expect(dominates(tree, 0, n - 1)).toBe(true);
    expect(computePostDominators(funcOf(chain, true)).idom[0]).toBe(1);
  });
});

describe("semidominators", () => {
  it("give the same tree as deletion, on random graphs", () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const graph = randomGraph(seed, 14);
      const reached = [...reach(graph, [0])].sort((a, b) => a - b);
      const preds = reached.map((b) => reached.flatMap((p, i) => (graph[p]!.includes(b) ? [i] : [])));
      const sets = dominatorSets(graph, [0]);
      const idom = reached.map((b) => (b === 0 ? 0 : reached.indexOf(closest(sets, b))));
      expect([...semiNca(preds, 0)], `seed ${seed}: ${JSON.stringify(graph)}`).toEqual(idom);
    }
  });

  it("take over where the iterative scheme would walk too far, with the same tree", () => {
    // A chain of conditions, each with a way to a random place of a second chain: the dominator tree is as deep as the first one.
    const n = 3000;
    const graph = Array.from({ length: 2 * n }, (_, i) => (i < n ? [i + 1, n + ((i * 7919) % n)] : i + 1 < 2 * n ? [i + 1] : []));
    const fn = funcOf(graph);
    const fast = computeDominators(fn);
    const observed = computeDominators(fn, { set: () => {} });
    expect(fast.rounds).toBeLessThan(observed.rounds);
    expect([...fast.idom]).toEqual([...observed.idom]);
  });

  it("take over inside one join, where thousands of deep ways meet", () => {
    // A chain of conditions, each with a way to the same end: that one block would take a step for every pair of them.
    const n = 4000;
    const graph = Array.from({ length: n + 1 }, (_, i) => (i < n - 1 ? [i + 1, n] : i === n - 1 ? [n] : []));
    const tree = computeDominators(funcOf(graph));
    expect(tree.steps).toBeLessThanOrEqual(WALK_LIMIT * (3 * n + 1) + 1);
    expect(tree.idom[n]).toBe(0);
    expect(tree.idom[n - 1]).toBe(n - 2);
  });
});

describe("reverse post-order", () => {
  it("numbers reachable blocks from 1, and every edge forward but the retreating ones of a depth-first search", () => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const graph = randomGraph(seed, 12);
      const fn = funcOf(graph);
      const { order, number } = reversePostOrder(fn);
      expect(order.map((b) => number[b])).toEqual(order.map((_, i) => i + 1));
      // Without retreating edges the graph has no cycle: deleting them must leave a topological order.
      const dom = computeDominators(fn);
      for (const b of order) {
        for (const s of graph[b]!) {
          // A block never precedes what dominates it.
          if (dominates(dom, s, b)) expect(number[s]! <= number[b]!, `seed ${seed}`).toBe(true);
          else if (dominates(dom, b, s)) expect(number[b]! < number[s]!, `seed ${seed}`).toBe(true);
        }
      }
    }
  });

  it("follows the layout where two orders are possible: the else edge before the taken edge", () => {
    // 0: @P0 BRA 2, else 1; both go to 3.
    const fn = funcOf([[2, 1], [3], [3], []], true);
    expect(reversePostOrder(fn).order).toEqual([0, 1, 2, 3].map(blockId));
  });
});
