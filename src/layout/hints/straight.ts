/** Chooses at most one incoming edge per card that comes straight down; ELK aligns cards along these edges. */
import { outOf } from "../flow-graph.ts";
import type { Hints } from "./hints.ts";

/**
 * The fall-through, or else the last of the edges with which their sources continue. With the first, joins would be under the left arms of
 * their branches, and the program would descend to the left like stairs. Of a table's successors, the middle one.
 */
export function straightLines(hints: Hints): Hints {
  const { graph, order } = hints;
  const { count, edgeCount, to, main } = graph;
  const straight = new Int32Array(count).fill(-1);
  for (let e = 0; e < edgeCount; e++) {
    if (order.back[e] === 1) continue;
    const target = to[e] ?? 0;
    const [own, before] = [main[e] ?? 0, main[straight[target] ?? -1] ?? 0];
    if (own > before || (own === 1 && before === 1)) straight[target] = e;
  }
  for (let n = 0; n < count; n++) {
    const all = outOf(graph, n);
    const ahead = all.filter((e) => order.back[e] !== 1);
    const middle = ahead[ahead.length >> 1];
    if (middle === undefined || ahead.length < 3 || all.some((e) => main[e] !== 0)) continue;
    const target = to[middle] ?? 0;
    if ((straight[target] ?? -1) < 0) straight[target] = middle;
  }
  return { ...hints, straight };
}
