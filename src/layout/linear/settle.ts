/**
 * Heights. Rows only say what stands above what: every card and crossbar goes as high as what lies over its own stretch of x
 * allows, so that a small card does not wait for a tall one elsewhere in the row above.
 */
import type { FlowGraph } from "../flow-graph.ts";
import type { LoopForest } from "../loop-forest.ts";
import type { Spacing } from "../types.ts";
import type { Layers } from "./layers.ts";
import { itemExtent, itemNode, type Rows } from "./rows.ts";
import { Skyline } from "./skyline.ts";

/** A piece of a line from side to side. */
export interface Crossbar {
  readonly low: number;
  readonly high: number;
  y: number;
}

/** Two verticals of different lines nearer than this would look like one. */
export const near = 5;

/** The frames around loops' cards: what follows a loop stands below all of its frame, and not among its cards where there is room. */
class Frames {
  private readonly loops: LoopForest;
  private readonly frame: { low: number; high: number; bottom: number }[];
  private readonly ending: readonly number[][];

  constructor(loops: LoopForest, layers: Layers) {
    this.loops = loops;
    this.frame = Array.from({ length: loops.count }, () => ({
      low: Number.POSITIVE_INFINITY,
      high: Number.NEGATIVE_INFINITY,
      bottom: 0,
    }));
    const ending: number[][] = Array.from({ length: layers.count }, () => []);
    for (let l = 0; l < loops.count; l++) ending[layers.loopEnd[l] ?? -1]?.push(l);
    this.ending = ending;
  }

  add(n: number, low: number, high: number, bottom: number): void {
    for (let l = this.loops.loopOf[n] ?? -1; l >= 0; l = this.loops.parent[l] ?? -1) {
      const own = this.frame[l];
      if (own === undefined) break;
      own.low = Math.min(own.low, low);
      own.high = Math.max(own.high, high);
      own.bottom = Math.max(own.bottom, bottom);
    }
  }

  /** The frames of the loops whose lowest row this is. */
  *endedBy(row: number): Generator<{ readonly low: number; readonly high: number; readonly bottom: number }> {
    for (const l of this.ending[row] ?? []) {
      const own = this.frame[l];
      if (own !== undefined && own.low <= own.high) yield own;
    }
  }
}

/**
 * Writes the height of every crossbar and returns that of every node's top. `gaps[g]` are the crossbars above row `g`, in the order
 * in which they are stacked. In that order, and row by row, each vertical piece begins and ends at something that covers its
 * place, so nothing that was beside a line or under it can get to the other side of it.
 */
export function settle(
  graph: FlowGraph,
  loops: LoopForest,
  layers: Layers,
  rows: Rows,
  x: Float64Array,
  gaps: readonly (readonly Crossbar[])[],
  spacing: Spacing,
): Float64Array {
  const aside = Math.floor(spacing.node / 2);
  const step = spacing.layer / 2;
  const places: number[] = [];
  for (const bars of gaps) for (const b of bars) places.push(b.low, b.high, b.low - near, b.high + near, b.low - aside, b.high + aside);
  for (let i = 0; i < rows.kind.length; i++) {
    if (rows.kind[i] !== itemNode) continue;
    const { left, right } = itemExtent(graph, rows, i);
    const at = x[i] ?? 0;
    places.push(at - left, at + right, at - left - aside, at + right + aside);
  }
  const cards = new Skyline(places);
  const lines = new Skyline(places);
  const top = new Float64Array(graph.count);
  const frames = new Frames(loops, layers);
  for (let g = 0; g <= rows.count; g++) {
    for (const bar of gaps[g] ?? []) {
      const under = cards.over(bar.low - aside, bar.high + aside) + step;
      bar.y = Math.max(0, under, lines.over(bar.low - near, bar.high + near) + spacing.edge);
      lines.lower(bar.low, bar.high, bar.y);
    }
    if (g === rows.count) break;
    for (let i = rows.start[g] ?? 0; i < (rows.start[g + 1] ?? 0); i++) {
      if (rows.kind[i] !== itemNode) continue;
      const n = rows.ref[i] ?? 0;
      const { left, right } = itemExtent(graph, rows, i);
      const low = (x[i] ?? 0) - left;
      const high = (x[i] ?? 0) + right;
      const under = cards.over(low - aside, high + aside) + spacing.layer;
      top[n] = Math.max(0, under, lines.over(low - aside, high + aside) + step);
      const bottom = (top[n] ?? 0) + (graph.height[n] ?? 0);
      cards.lower(low, high, bottom);
      frames.add(n, low, high, bottom);
    }
    for (const { low, high, bottom } of frames.endedBy(g)) cards.lower(low, high, bottom);
  }
  return top;
}
