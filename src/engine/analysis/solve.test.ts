import { expect, it } from "vitest";
import { BitSet } from "../../base/bitset.ts";
import type { BlockId } from "../ir/ids.ts";
import { flowGraph, intersection, solve, union } from "./solve.ts";
import { funcOf, randomGraph, randomInts } from "./testing/graphs.ts";

const FACTS = 3;

/** A bit is set by some blocks and cleared by others; which paths carry it to a block's end, by a search from there against the direction. */
function carried(
  neighbours: readonly (readonly number[])[],
  effect: (block: number) => boolean | null,
  block: number,
  all: boolean,
): boolean {
  const seen = new Set<number>();
  const work = [block];
  const found: boolean[] = [];
  for (let b = work.pop(); b !== undefined; b = work.pop()) {
    if (seen.has(b)) continue;
    seen.add(b);
    const here = effect(b);
    if (here !== null) found.push(here);
    else {
      work.push(...(neighbours[b] ?? []));
      // Where paths begin, nothing holds.
      if (b === 0 || neighbours[b]?.length === 0) found.push(false);
    }
  }
  return all ? !found.includes(false) : found.includes(true);
}

it.each([
  ["forward", union],
  ["forward", intersection],
  ["backward", union],
] as const)("finds what paths carry, on random graphs: %s, %o", (direction, meet) => {
  for (let seed = 1; seed <= 200; seed++) {
    const fn = funcOf(randomGraph(seed, 24));
    const graph = flowGraph(fn);
    const reached = new Set<number>(graph.order);
    const below = randomInts(seed);
    const effects = fn.blocks.map(() => Array.from({ length: FACTS }, () => [null, null, true, false][below(4)] ?? null));
    const all = meet === intersection;
    const full = new BitSet(FACTS);
    for (let i = 0; i < FACTS; i++) full.add(i);
    const solution = solve<BlockId, BitSet, BitSet>(graph, {
      direction,
      top: () => (all ? full.clone() : new BitSet(FACTS)),
      start: (id) => (all && id !== graph.order[0] ? full.clone() : new BitSet(FACTS)),
      meet,
      transfer(id, fact) {
        for (const [i, effect] of effects[id]!.entries()) {
          if (effect === true) fact.add(i);
          if (effect === false) fact.delete(i);
        }
      },
    });
    const neighbours = (direction === "forward" ? graph.preds : graph.succs).map((list) => list.filter((b) => reached.has(b)));
    for (const id of graph.order) {
      for (let i = 0; i < FACTS; i++) {
        const expected = carried(neighbours, (b) => effects[b]![i]!, id, all);
        expect(solution.after(id)!.has(i), `seed ${seed}, block ${id}`).toBe(expected);
      }
    }
  }
});
