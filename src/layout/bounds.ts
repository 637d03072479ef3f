/** Moves a drawing to the origin and computes its bounds. */
import type { GraphLayout, PlacedNode, Point, RoutedEdge } from "./types.ts";

/** Moves `layout` so that its bounds begin at (0, 0), with `margin` left free on every side. */
export function withBounds(layout: Omit<GraphLayout, "bounds">, margin: number): GraphLayout {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const n of layout.nodes) {
    left = Math.min(left, n.x);
    top = Math.min(top, n.y);
    right = Math.max(right, n.x + n.width);
    bottom = Math.max(bottom, n.y + n.height);
  }
  for (const e of layout.edges) {
    for (const [x, y] of e.points) {
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x);
      bottom = Math.max(bottom, y);
    }
  }
  if (left > right) return { ...layout, bounds: { x: 0, y: 0, width: 2 * margin, height: 2 * margin } };
  const bounds = { x: 0, y: 0, width: Math.ceil(right - left) + 2 * margin, height: Math.ceil(bottom - top) + 2 * margin };
  return { ...translate({ ...layout, bounds }, margin - left, margin - top), bounds };
}

/** Moves every position by (dx, dy), bounds included. */
export function translate(layout: GraphLayout, dx: number, dy: number): GraphLayout {
  if (dx === 0 && dy === 0) return layout;
  const nodes: PlacedNode[] = layout.nodes.map((n) => ({ ...n, x: n.x + dx, y: n.y + dy }));
  const edges: RoutedEdge[] = layout.edges.map((e) => ({ ...e, points: e.points.map(([x, y]): Point => [x + dx, y + dy]) }));
  return { ...layout, nodes, edges, bounds: { ...layout.bounds, x: layout.bounds.x + dx, y: layout.bounds.y + dy } };
}
