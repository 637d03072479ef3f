/** Where the lines back of a loop pass, and where its left side is: their places in the one order from left to right. */
import { loopContains } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

/** Positions are whole numbers: an element next to one is half a position away, and each of several loops is a little farther out than those inside it. */
const [BESIDE, FARTHER] = [0.5, 0.001];

/** Lines back pass on the right of all that is in the loop and of what leaves a block in it. */
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
