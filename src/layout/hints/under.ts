/**
 * What follows a loop that is left at its header stands under the loop's body. Its only line comes from the header, down the loop's left side: were it
 * aligned with that, each loop of a program would be a column further to the left than the one before, and loops would go down like stairs.
 */
import { outOf } from "../flow-graph.ts";
import { loopContains } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

export function underLoops(hints: Hints): Hints {
  const under = new Int32Array(hints.graph.count).fill(-1);
  // From the inside out: the body of a loop goes on below the loops in it.
  for (let l = hints.loops.count - 1; l >= 0; l--) {
    const exit = exitOf(hints, l);
    if (exit >= 0) under[lastOf(hints, l, under)] = exit;
  }
  return { ...hints, under };
}

/** Where the header leaves the loop for a card below it that nothing comes straight into; -1: nowhere. */
function exitOf({ graph, order, loops, row, loopEnd, straight }: Hints, loop: number): number {
  const ways = outOf(graph, loops.header[loop] ?? 0);
  const exit = ways.find((e) => order.back[e] !== 1 && !loopContains(loops, loop, graph.to[e] ?? 0));
  const to = exit === undefined ? -1 : (graph.to[exit] ?? 0);
  return to >= 0 && (straight[to] ?? -1) < 0 && (row[to] ?? 0) > (loopEnd[loop] ?? 0) ? to : -1;
}

/** The last card straight below the header. */
function lastOf({ graph, loops, straight }: Hints, loop: number, under: Int32Array): number {
  const below = (n: number): number | undefined => {
    const next = outOf(graph, n).find((e) => straight[graph.to[e] ?? 0] === e);
    const to = next === undefined ? (under[n] ?? -1) : (graph.to[next] ?? 0);
    return to >= 0 && loopContains(loops, loop, to) ? to : undefined;
  };
  let last = loops.header[loop] ?? 0;
  for (let next = below(last); next !== undefined; next = below(last)) last = next;
  return last;
}
