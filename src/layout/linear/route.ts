/**
 * Lines: down from the block, across in the gap below its row, down again. All lines that enter the same item from the same
 * side share their crossbar. Crossbars of one gap are stacked so that they cross no more than they must.
 */
import type { FlowGraph } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import type { LoopForest } from "../loop-forest.ts";
import type { Point, Spacing } from "../types.ts";
import type { Layers } from "./layers.ts";
import { itemExtent, itemNode, portOffset, type Rows } from "./rows.ts";
import { type Crossbar, near, settle } from "./settle.ts";
import { assignTracks } from "./tracks.ts";

export interface Routed {
  /** Node to the y of its top. */
  readonly top: Float64Array;
  readonly lines: readonly Point[][];
}

/** A crossbar. `turn` is where it sits: 0 both ends above, 1 from above to below, 2 both ends below. */
interface Bar extends Crossbar {
  low: number;
  high: number;
  readonly turn: 0 | 1 | 2;
  /** Where it goes down to the next row (turn 1). */
  readonly exit: number;
  /** Where lines come down into it (turn 1). */
  readonly sources: number[];
}

export function routeEdges(
  graph: FlowGraph,
  order: FlowOrder,
  loops: LoopForest,
  layers: Layers,
  rows: Rows,
  x: Float64Array,
  spacing: Spacing,
): Routed {
  const { edgeCount, from, to, height } = graph;
  const gaps: Map<string, Bar>[] = Array.from({ length: rows.count + 1 }, () => new Map());
  /** Where lines go straight down through each gap. */
  const straight = gaps.map(() => new Set<number>());
  const bar = (gap: number, key: string, turn: 0 | 1 | 2, a: number, b: number): Bar => {
    const bars = gaps[gap] ?? new Map<string, Bar>();
    let found = bars.get(key);
    if (found === undefined) {
      found = { low: Math.min(a, b), high: Math.max(a, b), turn, exit: b, sources: [], y: 0 };
      bars.set(key, found);
    }
    found.low = Math.min(found.low, a, b);
    found.high = Math.max(found.high, a, b);
    found.sources.push(a);
    return found;
  };
  /** The bar by which a line at `px`, coming down out of row `r`, reaches an item of row `r + 1`; none if it is in line. */
  const through = (r: number, px: number, item: number): Bar | null => {
    const at = x[item] ?? 0;
    if (px !== at) return bar(r + 1, `${px < at ? "r" : "l"}${item}`, 1, px, at);
    straight[r + 1]?.add(at);
    return null;
  };

  const sides = sideLanes(graph, order, loops, layers, rows, x, spacing);
  const chainBar: (Bar | null)[] = [];
  for (let i = 0; i < rows.kind.length; i++) {
    const below = rows.next[i] ?? -1;
    const drawn = below >= 0 && rows.kind[i] !== itemNode;
    chainBar.push(drawn ? through(rows.row[i] ?? 0, x[i] ?? 0, below) : null);
  }
  const port = new Float64Array(edgeCount);
  const leave: (Bar | null)[] = [];
  const enter: (Bar | null)[] = [];
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const target = to[e] ?? 0;
    const r = layers.of[source] ?? 0;
    const px = (x[rows.itemOf[source] ?? 0] ?? 0) + portOffset(graph, e);
    port[e] = px;
    const lane = sides.x[e] ?? Number.NaN;
    if (Number.isNaN(lane)) {
      leave.push(through(r, px, rows.first[e] ?? 0));
      enter.push(null);
      continue;
    }
    const goal = x[rows.itemOf[target] ?? 0] ?? 0;
    leave.push(bar(r + 1, `u${target}`, 0, px, lane));
    enter.push(bar(layers.of[target] ?? 0, `b${target}`, 2, lane, goal));
  }

  const stacked = gaps.map((bars, g) => fewerCrossings(stackingOrder([...bars.values()]), straight[g] ?? new Set()));
  const top = settle(graph, loops, layers, rows, x, stacked, spacing);
  const lines: Point[][] = [];
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const target = to[e] ?? 0;
    const px = port[e] ?? 0;
    const points: Point[] = [[px, (top[source] ?? 0) + (height[source] ?? 0)]];
    const goal = x[rows.itemOf[target] ?? 0] ?? 0;
    const lane = sides.x[e] ?? Number.NaN;
    if (Number.isNaN(lane)) {
      let at = px;
      let item = rows.first[e] ?? -1;
      let by = leave[e] ?? null;
      while (item >= 0) {
        const to = x[item] ?? 0;
        if (by !== null) points.push([at, by.y], [to, by.y]);
        at = to;
        if (rows.kind[item] === itemNode) break;
        by = chainBar[item] ?? null;
        item = rows.next[item] ?? -1;
      }
    } else {
      const down = leave[e]?.y ?? 0;
      const up = enter[e]?.y ?? 0;
      points.push([px, down], [lane, down], [lane, up], [goal, up]);
    }
    points.push([goal, top[target] ?? 0]);
    lines.push(straightened(points));
  }
  return { top, lines };
}

/** Where edges that leave the rows run: a loop's lane, or a line around the drawing (forward left, backward right). */
function sideLanes(
  graph: FlowGraph,
  order: FlowOrder,
  loops: LoopForest,
  layers: Layers,
  rows: Rows,
  x: Float64Array,
  spacing: Spacing,
): { x: Float64Array } {
  const lane = new Float64Array(graph.edgeCount).fill(Number.NaN);
  const loopAt = new Map<number, number>();
  for (let l = 0; l < loops.count; l++) loopAt.set(loops.header[l] ?? 0, l);
  let left = 0;
  let right = 0;
  for (let i = 0; i < rows.kind.length; i++) {
    const extent = itemExtent(graph, rows, i);
    left = Math.min(left, (x[i] ?? 0) - extent.left);
    right = Math.max(right, (x[i] ?? 0) + extent.right);
  }
  /** Rows each target's line around the drawing covers. */
  const spans = new Map<number, { low: number; high: number; edges: number[]; back: boolean }>();
  for (let e = 0; e < graph.edgeCount; e++) {
    const target = graph.to[e] ?? 0;
    const back = order.back[e] === 1;
    if (back) {
      const item = rows.laneTop[loopAt.get(target) ?? -1] ?? -1;
      if (item >= 0) {
        lane[e] = x[item] ?? 0;
        continue;
      }
    } else if (rows.around[e] !== 1) continue;
    const a = layers.of[graph.from[e] ?? 0] ?? 0;
    const b = layers.of[target] ?? 0;
    const key = back ? -target - 1 : target;
    const span = spans.get(key) ?? { low: a, high: a, edges: [], back };
    span.low = Math.min(span.low, a, b);
    span.high = Math.max(span.high, a, b);
    span.edges.push(e);
    spans.set(key, span);
  }
  for (const back of [false, true]) {
    // Short ones nearest to the drawing.
    const own = [...spans.values()].filter((s) => s.back === back).sort((p, q) => p.high - p.low - (q.high - q.low));
    const { track } = assignTracks(own);
    own.forEach((span, i) => {
      const out = spacing.edgeNode + (track[i] ?? 0) * spacing.edge;
      for (const e of span.edges) lane[e] = back ? right + out : left - out;
    });
  }
  return { x: lane };
}

/**
 * Top to bottom: turns back up (inner ones first), bars to the right (the rightmost first), bars to the left (the leftmost
 * first), turns from below (outer ones first). Where a line comes down in the column in which another bar's line goes on
 * down, the former bar must be above the latter.
 */
function stackingOrder(bars: readonly Bar[]): Bar[] {
  const group = (b: Bar): number => (b.turn === 0 ? 0 : b.turn === 2 ? 3 : b.exit >= b.high ? 1 : 2);
  const sorted = [...bars].sort((p, q) => {
    const g = group(p);
    if (g !== group(q)) return g - group(q);
    if (g === 0) return p.high - p.low - (q.high - q.low) || p.low - q.low;
    if (g === 3) return q.high - q.low - (p.high - p.low) || p.low - q.low;
    return g === 1 ? q.exit - p.exit : p.exit - q.exit;
  });
  const comesDown = sorted
    .filter((b) => b.turn === 1)
    .flatMap((b) => b.sources.map((source) => ({ source, bar: b })))
    .sort((p, q) => p.source - q.source);
  const result: Bar[] = [];
  const state = new Map<Bar, 1 | 2>();
  const stack: Bar[] = [];
  for (const root of sorted) {
    stack.push(root);
    for (let b = stack.at(-1); b !== undefined; b = stack.at(-1)) {
      if (state.get(b) === undefined) {
        state.set(b, 1);
        if (b.turn === 1) {
          for (const above of inColumn(comesDown, b.exit)) if (above !== b && state.get(above) === undefined) stack.push(above);
        }
        continue;
      }
      stack.pop();
      if (state.get(b) === 2) continue;
      state.set(b, 2);
      result.push(b);
    }
  }
  return result;
}

/** Passes over the bars of a gap that exchange neighbours. */
const PASSES = 4;

/** The same bars, neighbours exchanged where lines cross less: so lines run together before another line crosses them. */
function fewerCrossings(bars: Bar[], straight: ReadonlySet<number>): Bar[] {
  for (let pass = 0, moved = true; moved && pass < PASSES; pass++) {
    moved = false;
    for (let i = 1; i < bars.length; i++) {
      const [upper, lower] = [bars[i - 1], bars[i]];
      if (upper === undefined || lower === undefined || upper.high <= lower.low || lower.high <= upper.low) continue;
      if (crossingsOf(lower, upper, straight) >= crossingsOf(upper, lower, straight) || mustBeAbove(upper, lower)) continue;
      bars[i - 1] = lower;
      bars[i] = upper;
      moved = true;
    }
  }
  return bars;
}

/** How often the lines of two bars cross, one above the other. */
function crossingsOf(upper: Bar, lower: Bar, straight: ReadonlySet<number>): number {
  const over = (x: number, bar: Bar): number => (x > bar.low && x < bar.high ? 1 : 0);
  let sum = 0;
  for (const x of comeDown(lower)) sum += over(x, upper);
  // A line that comes straight down where the upper one goes on crosses the lower one anyway.
  if (upper.turn === 1) sum += straight.has(upper.exit) ? 0 : over(upper.exit, lower);
  else if (upper.turn === 2) sum += over(upper.low, lower) + over(upper.high, lower);
  return sum;
}

/** Where lines reach a bar from above. */
function comeDown(bar: Bar): Iterable<number> {
  return bar.turn === 0 ? [bar.low, bar.high] : bar.turn === 1 ? new Set(bar.sources) : [];
}

/** Whether a line comes down into one bar in the column in which the other's goes on down. */
function mustBeAbove(bar: Bar, other: Bar): boolean {
  return other.turn === 1 && bar.turn === 1 && bar.sources.some((x) => Math.abs(x - other.exit) <= near);
}

function inColumn(sorted: readonly { source: number; bar: Bar }[], column: number): Bar[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.source ?? 0) < column - near) low = middle + 1;
    else high = middle;
  }
  const result: Bar[] = [];
  for (let i = low; i < sorted.length; i++) {
    const entry = sorted[i];
    if (entry === undefined || entry.source > column + near) break;
    result.push(entry.bar);
  }
  return result;
}

/** Without points that repeat or lie on a straight run. */
function straightened(points: readonly Point[]): Point[] {
  const result: Point[] = [];
  for (const p of points) {
    const b = result.at(-1);
    if (b !== undefined && b[0] === p[0] && b[1] === p[1]) continue;
    const a = result.at(-2);
    if (a !== undefined && b !== undefined && ((a[0] === b[0] && b[0] === p[0]) || (a[1] === b[1] && b[1] === p[1]))) result.pop();
    result.push(p);
  }
  return result;
}
