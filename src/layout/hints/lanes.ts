/** Positions, in the left-to-right order, of each loop's back edges and of its left side. */
import { loopContains } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

/** Positions are whole numbers: half a position is next to one. Each of several nested loops is a little farther out than those inside it. */
const [BESIDE, FARTHER] = [0.5, 0.001];

/** Back edges pass to the right of all cards in the loop and of all edges between them. */
export function lanes(hints: Hints): Hints {
  const { graph, order, loops } = hints;
  const right = new Float64Array(loops.count).fill(-1);
  const left = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  for (let n = 0; n < graph.count; n++) {
    const l = loops.loopOf[n] ?? -1;
    if (l < 0) continue;
    right[l] = Math.max(right[l] ?? 0, order.nodeKey[n] ?? 0);
    // A header is above its own loop.
    const inside = loops.header[l] === n ? (loops.parent[l] ?? -1) : l;
    if (inside >= 0) left[inside] = Math.min(left[inside] ?? 0, order.nodeKey[n] ?? 0);
  }
  for (let e = 0; e < graph.edgeCount; e++) {
    let l = order.back[e] === 1 ? -1 : (loops.loopOf[graph.from[e] ?? 0] ?? -1);
    while (l >= 0 && !loopContains(loops, l, graph.to[e] ?? 0)) l = loops.parent[l] ?? -1;
    if (l >= 0) right[l] = Math.max(right[l] ?? 0, order.edgeKey[e] ?? 0);
  }
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around < 0) continue;
    right[around] = Math.max(right[around] ?? 0, (right[l] ?? 0) + FARTHER);
    left[around] = Math.min(left[around] ?? 0, (left[l] ?? 0) - FARTHER);
  }
  return { ...hints, lane: right.map((place) => place + BESIDE), wall: left.map((place) => place - BESIDE) };
}
