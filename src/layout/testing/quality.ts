/** Numbers that say how good a drawing is, to compare engines and to notice when a change makes pictures worse. */
import type { GraphLayout, Point } from "../types.ts";

export interface Quality {
  /** Places where lines of edges with different ends cross. */
  readonly crossings: number;
  readonly bends: number;
  /** Edges that run without a bend. */
  readonly straight: number;
  /** Forward edges that go up, back edges that go down. */
  readonly wrongWay: number;
  readonly width: number;
  readonly height: number;
  /** Sum of all lines, in pixels. */
  readonly length: number;
}

interface Segment {
  readonly edge: number;
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** Counts over the whole drawing. Quadratic in places where many lines lie side by side: for tests and benchmarks. */
export function quality(layout: GraphLayout, ends: ReadonlyMap<string, { readonly from: string; readonly to: string }>): Quality {
  const across: Segment[] = [];
  const down: Segment[] = [];
  let bends = 0;
  let straight = 0;
  let wrongWay = 0;
  let length = 0;
  layout.edges.forEach((edge, index) => {
    const { points } = edge;
    bends += Math.max(0, points.length - 2);
    if (points.length === 2) straight++;
    const first = points[0];
    const last = points.at(-1);
    if (first !== undefined && last !== undefined && edge.back !== last[1] <= first[1]) wrongWay++;
    for (let i = 0; i + 1 < points.length; i++) {
      const a = points[i] ?? origin;
      const b = points[i + 1] ?? origin;
      length += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
      if (a[0] === b[0]) down.push({ edge: index, at: a[0], low: Math.min(a[1], b[1]), high: Math.max(a[1], b[1]) });
      else across.push({ edge: index, at: a[1], low: Math.min(a[0], b[0]), high: Math.max(a[0], b[0]) });
    }
  });
  down.sort((p, q) => p.at - q.at);
  const seen = new Set<string>();
  for (const h of across) {
    for (let i = lowerBound(down, h.low); i < down.length; i++) {
      const v = down[i];
      if (v === undefined || v.at >= h.high) break;
      if (v.at <= h.low || h.at <= v.low || h.at >= v.high) continue;
      const p = ends.get(layout.edges[h.edge]?.id ?? "");
      const q = ends.get(layout.edges[v.edge]?.id ?? "");
      if (p === undefined || q === undefined || p.to === q.to || p.from === q.from) continue;
      // Lines that share a trunk cross others together: one crossing.
      seen.add(`${v.at},${h.at}`);
    }
  }
  return { crossings: seen.size, bends, straight, wrongWay, width: layout.bounds.width, height: layout.bounds.height, length };
}

const origin: Point = [0, 0];

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
