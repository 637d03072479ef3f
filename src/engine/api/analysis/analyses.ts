/** Analyses of one moment in the viewer's terms. */

import { type DomTree, dominators, postDominators } from "../../analysis/dominators.ts";
import { liveness } from "../../analysis/liveness.ts";
import { listedLoops, loopInfo } from "../../analysis/loops.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { uniformity } from "../../analysis/uniformity.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import type { Analyses, LoopView } from "../types.ts";

/** Names of live registers that are listed; their number grows with blocks times registers. */
const LIVE_LIMIT = 300_000;

export function analysesOf(fn: Func): Analyses {
  const { number } = reversePostOrder(fn);
  const { loops, retreating, irreducible, innermost } = loopInfo(fn);
  const listed = listedLoops(loops);
  const live = liveness(fn);
  const uniform = uniformity(fn);
  const reachable = fn.layout.filter((id) => (number[id] ?? 0) > 0);
  const liveIn: [number, string[]][] = [];
  const liveOut: [number, string[]][] = [];
  let left = LIVE_LIMIT;
  for (const id of reachable) {
    if (left < 0) break;
    const [from, to] = [live.liveIn(id), live.liveOut(id)];
    left -= from.length + to.length;
    liveIn.push([id, from.map(regName)]);
    liveOut.push([id, to.map(regName)]);
  }
  return {
    idom: treeRows(fn, dominators(fn)),
    ipdom: treeRows(fn, postDominators(fn)),
    loops: loops.map((loop): LoopView => {
      const { header, latches, natural, parent } = loop;
      return { header, latches: [...latches], blocks: listed.has(loop) ? [...loop.blocks] : [], natural, parent };
    }),
    loopsCut: listed.size < loops.length ? loops.length - listed.size : null,
    innermost: fn.layout.flatMap((id) => (innermost[id] === -1 ? [] : [[id, innermost[id] as number] as const])),
    retreatingEdges: retreating.map(([from, to]) => [from, to] as const),
    irreducible: irreducible.length > 0,
    liveIn,
    liveOut,
    liveCut: liveIn.length < reachable.length ? liveIn.length : null,
    divergent: reachable.filter((id) => uniform.isDivergent(id)),
    divergenceCapped: uniform.capped,
  };
}

/** Immediate dominator by block; null for roots and for blocks outside the tree. */
function treeRows(fn: Func, tree: DomTree): (readonly [number, number | null])[] {
  return fn.layout.map((id) => {
    const idom = tree.idom[id] ?? -1;
    return [id, idom < 0 ? null : idom] as const;
  });
}
