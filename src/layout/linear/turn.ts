/**
 * Branches that are drawn the other way around. T leaves on the left of F; but the ways out of a short-circuit condition, or of a
 * search tree whose leaves share a default, cannot all keep that order without crossing, and a crossing is worse to read: the line has
 * its letter and its colour on either side. So branches turn where that means fewer crossings in the whole drawing, and nowhere else:
 * first those that the graph's shape asks for (`strands.ts`), then those with a small arm, as the drawing shows.
 */
import { type Crossing, crossings } from "../crossings.ts";
import type { FlowGraph } from "../flow-graph.ts";
import { type FlowOrder, parting } from "../flow-order.ts";
import type { LoopForest } from "../loop-forest.ts";
import type { PlacedNode, RoutedEdge } from "../types.ts";
import { turnsByStrands } from "./strands.ts";

export interface Drawing {
  readonly graph: FlowGraph;
  readonly order: FlowOrder;
  readonly loops: LoopForest;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly RoutedEdge[];
}

/** Cards drawn anew, all tries together, for each drawing: past that the branches stay as they are. */
const WORK = 1_200;
/** Crossings past which turning a few branches does not help to read the drawing. */
const MANY = 24;

/**
 * Blocks of the smaller arm. What crosses in a drawing comes and goes from one phase to the next: were branches with two large arms turned
 * for it, half of the drawing would change sides each time.
 */
const SMALL = 4;

/** The drawing with the fewest crossings that turning one branch after the other finds. */
export function turnBranches(draw: (turned: ReadonlySet<number>) => Drawing): Drawing {
  let best = draw(new Set());
  let found = crossings(best.graph, best.edges);
  if (places(found) > MANY) return best;
  let turned = new Set<number>();
  const wanted = found.length === 0 ? turned : turnsByStrands(best.graph, best.loops);
  if (wanted.size > 0) {
    const drawing = draw(wanted);
    const left = crossings(drawing.graph, drawing.edges);
    if (sameLoops(best, drawing) && places(left) < places(found)) {
      best = drawing;
      found = left;
      turned = wanted;
    }
  }
  const tried = new Set<number>();
  let work = WORK;
  for (let next = candidate(best, found, tried); next >= 0; next = candidate(best, found, tried)) {
    work -= best.graph.count;
    if (work < 0) break;
    tried.add(next);
    const other = new Set(turned);
    if (!other.delete(next)) other.add(next);
    const drawing = draw(other);
    if (!sameLoops(best, drawing)) continue;
    const left = crossings(drawing.graph, drawing.edges);
    if (places(left) >= places(found)) continue;
    best = drawing;
    found = left;
    turned = other;
    tried.clear();
    tried.add(next);
  }
  return best;
}

/** In an irreducible graph another walk may find other loops, and other edges that run back. */
function sameLoops(a: Drawing, b: Drawing): boolean {
  const headerOf = ({ loops }: Drawing, n: number): number => loops.header[loops.loopOf[n] ?? -1] ?? -1;
  return a.order.back.every((back, e) => back === b.order.back[e]) && a.graph.ids.every((_, n) => headerOf(a, n) === headerOf(b, n));
}

function places(found: readonly Crossing[]): number {
  return new Set(found.map((c) => c.place)).size;
}

/** A branch that has to do with a crossing and was not tried, or -1: one that a line leaves, or from which on their ways part. */
function candidate({ graph, order }: Drawing, found: readonly Crossing[], tried: ReadonlySet<number>): number {
  for (const { across, down } of found) {
    const [a, b, c, d] = [graph.from[across] ?? 0, graph.from[down] ?? 0, graph.to[across] ?? 0, graph.to[down] ?? 0];
    for (const n of [a, b, parting(order, a, b), parting(order, c, d), parting(order, a, d), parting(order, b, c)]) {
      if (n >= 0 && !tried.has(n) && branches(graph, order, n)) return n;
    }
  }
  return -1;
}

/** Whether a node has two ways on, neither of them back, one of which leads to few blocks that are found no other way. */
function branches(graph: FlowGraph, order: FlowOrder, n: number): boolean {
  const own = Array.from(graph.succ.subarray(graph.succStart[n], graph.succStart[n + 1]));
  if (own.length !== 2 || own.some((e) => order.back[e] === 1)) return false;
  const size = (e: number): number => {
    const target = graph.to[e] ?? 0;
    return order.above[target] === n ? ((order.left[target] ?? 0) - (order.found[target] ?? 0) + 1) / 2 : 0;
  };
  return Math.min(...own.map(size)) <= SMALL;
}
