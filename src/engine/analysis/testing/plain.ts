/** The same analyses as plain definitions: reachability after deleting a block. Slow and obvious, to check the real ones against. */

import type { Graph } from "./graphs.ts";

/** Blocks reachable from `from` without entering `without`. */
export function reach(graph: Graph, from: readonly number[], without = -1): Set<number> {
  const seen = new Set<number>();
  const work = from.filter((f) => f !== without);
  for (let b = work.pop(); b !== undefined; b = work.pop()) {
    if (seen.has(b)) continue;
    seen.add(b);
    for (const s of graph[b]!) if (s !== without) work.push(s);
  }
  return seen;
}

export function reversed(graph: Graph): number[][] {
  const preds: number[][] = graph.map(() => []);
  graph.forEach((succs, b) => {
    for (const s of succs) preds[s]!.push(b);
  });
  return preds;
}

/** dom[b]: all blocks that every path from the roots to b passes; undefined where b is not reached. */
export function dominatorSets(graph: Graph, roots: readonly number[]): (Set<number> | undefined)[] {
  const all = reach(graph, roots);
  const sets = graph.map((_, b) => (all.has(b) ? new Set([b]) : undefined));
  for (const a of all) {
    const still = reach(graph, roots, a);
    for (const b of all) if (b !== a && !still.has(b)) sets[b]!.add(a);
  }
  return sets;
}

/** The closest strict dominator: the one that all the others dominate; -1 for none. */
export function closest(sets: readonly (Set<number> | undefined)[], b: number): number {
  const strict = [...(sets[b] ?? [])].filter((d) => d !== b);
  return strict.find((d) => strict.every((other) => sets[d]!.has(other))) ?? -1;
}
