/** Lines as SVG paths: orthogonal polylines with rounded corners and an arrow head, and the position of a line's label. */

import type { Point } from "./types.ts";

const RADIUS = 6;

/** The line with an open arrow head at its end, as one path. */
export function edgePath(points: readonly Point[]): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return "";
  let d = `M${first[0]} ${first[1]}`;
  for (let i = 1; i < points.length - 1; i++) {
    const [ax, ay] = points[i - 1] ?? first;
    const [bx, by] = points[i] ?? first;
    const [cx, cy] = points[i + 1] ?? last;
    const r = Math.min(RADIUS, (Math.abs(bx - ax) + Math.abs(by - ay)) / 2, (Math.abs(cx - bx) + Math.abs(cy - by)) / 2);
    const sx = bx - Math.sign(bx - ax) * r;
    const sy = by - Math.sign(by - ay) * r;
    const ex = bx + Math.sign(cx - bx) * r;
    const ey = by + Math.sign(cy - by) * r;
    d += `L${sx} ${sy}Q${bx} ${by} ${ex} ${ey}`;
  }
  const [x, y] = last;
  return `${d}L${x} ${y}M${x - 4} ${y - 7}L${x} ${y - 1}L${x + 4} ${y - 7}`;
}

/** The position of the line's label: next to its start, on the side away from its turn. */
export function labelPlace(points: readonly Point[]): { readonly x: number; readonly y: number; readonly anchor: "start" | "end" } {
  const [x, y] = points[0] ?? [0, 0];
  const turn = points.find((p) => p[0] !== x)?.[0] ?? x;
  return turn > x ? { x: x - 4, y: y + 11, anchor: "end" } : { x: x + 4, y: y + 11, anchor: "start" };
}
