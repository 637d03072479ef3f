/**
 * The block after a loop that exits at its header is placed under the loop's body. Its only edge comes from the header, down the left side of the loop.
 * Aligned with that edge, each loop of a sequence would be one column further to the left than the loop before it.
 */
import { outOf } from "../flow-graph.ts";
import { loopContains } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

export function underLoops(hints: Hints): Hints {
  const under = new Map<number, { readonly card: number; readonly loop: number }>();
  // From the inside out: the body of a loop continues below the loops in it.
  for (let loop = hints.loops.count - 1; loop >= 0; loop--) {
    const card = exitOf(hints, loop);
    if (card >= 0) under.set(lastOf(hints, loop, under), { card, loop });
  }
  return { ...hints, under };
}

/** The target of the header's exit, if it is below the loop and no edge comes straight down into it; -1: none. */
function exitOf({ graph, order, loops, row, loopEnd, straight }: Hints, loop: number): number {
  const ways = outOf(graph, loops.header[loop] ?? 0);
  const exit = ways.find((e) => order.back[e] !== 1 && !loopContains(loops, loop, graph.to[e] ?? 0));
  const to = exit === undefined ? -1 : (graph.to[exit] ?? 0);
  return to >= 0 && (straight[to] ?? -1) < 0 && (row[to] ?? 0) > (loopEnd[loop] ?? 0) ? to : -1;
}

/** The last card straight below the header. */
function lastOf({ graph, loops, straight }: Hints, loop: number, under: Hints["under"]): number {
  const below = (n: number): number | undefined => {
    const next = outOf(graph, n).find((e) => straight[graph.to[e] ?? 0] === e);
    const to = next === undefined ? (under.get(n)?.card ?? -1) : (graph.to[next] ?? 0);
    return to >= 0 && loopContains(loops, loop, to) ? to : undefined;
  };
  let last = loops.header[loop] ?? 0;
  for (let next = below(last); next !== undefined; next = below(last)) last = next;
  return last;
}
