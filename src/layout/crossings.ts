/** Where lines of a drawing cross or overlap. */
import type { FlowGraph } from "./flow-graph.ts";
import type { Point, RoutedEdge } from "./types.ts";

export interface Crossing {
  /** The lines, by their index in the list. */
  readonly across: number;
  readonly down: number;
  /** Equal for lines that run together: they count as one crossing of another line. */
  readonly place: string;
}

interface Segment {
  readonly edge: number;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

const origin: Point = [0, 0];

/** Crossings of lines without a common end; `from` and `to` are the ends of the lines. Quadratic where many lines run side by side. */
export function crossings({ from, to }: Pick<FlowGraph, "from" | "to">, lines: readonly RoutedEdge[]): Crossing[] {
  const { across, down } = segmentsOf(lines);
  const found: Crossing[] = [];
  for (const h of across) {
    for (let i = lowerBound(down, h.low); i < down.length; i++) {
      const v = down[i];
      if (v === undefined || v.at >= h.high) break;
      if (v.at <= h.low || h.at <= v.low || h.at >= v.high) continue;
      if (from[h.edge] === from[v.edge] || to[h.edge] === to[v.edge]) continue;
      found.push({ across: h.edge, down: v.edge, place: `${v.at},${h.at}` });
    }
  }
  return found;
}

/** Pairs of lines, by index, that overlap though they share no end: a reader would take the two for one line. */
export function onEachOther(
  { from, to }: Pick<FlowGraph, "from" | "to">,
  lines: readonly RoutedEdge[],
): (readonly [a: number, b: number, at: number])[] {
  const { across, down } = segmentsOf(lines);
  const found: (readonly [number, number, number])[] = [];
  for (const pieces of [across, down]) {
    pieces.forEach((p, i) => {
      for (let k = i + 1; k < pieces.length; k++) {
        const q = pieces[k];
        if (q === undefined || q.at !== p.at || q.low >= p.high) break;
        if (from[p.edge] !== from[q.edge] && to[p.edge] !== to[q.edge]) found.push([p.edge, q.edge, p.at]);
      }
    });
  }
  return found;
}

/** Horizontal and vertical pieces of all lines, each sorted by position. */
export function segmentsOf(lines: readonly RoutedEdge[]): { readonly across: readonly Segment[]; readonly down: readonly Segment[] } {
  const across: Segment[] = [];
  const down: Segment[] = [];
  lines.forEach(({ points }, edge) => {
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i] ?? origin;
      const b = points[i + 1] ?? origin;
      if (a[0] === b[0]) down.push({ edge, at: a[0], low: Math.min(a[1], b[1]), high: Math.max(a[1], b[1]) });
      else across.push({ edge, at: a[1], low: Math.min(a[0], b[0]), high: Math.max(a[0], b[0]) });
    }
  });
  const byPlace = (p: Segment, q: Segment): number => p.at - q.at || p.low - q.low;
  return { across: across.sort(byPlace), down: down.sort(byPlace) };
}

function lowerBound(sorted: readonly Segment[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
