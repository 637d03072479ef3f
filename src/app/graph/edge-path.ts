/** The line of a card that is drawn less high than there is room for: it leaves that, and not the place where the card's foot may be. */
export function fromFoot(points: readonly Point[], card: Box, height: number): readonly Point[] {
  const [start, next] = points;
  const foot = card.y + height;
  if (start === undefined || next === undefined || start[1] <= foot) return points;
  return next[0] === start[0] ? [[start[0], foot], ...points.slice(1)] : [[start[0], foot], ...points];
}

/** Where a line's mark is, and which line is under a point. */

import type { Box, Point } from "../../layout/types.ts";
import type { DrawnEdge } from "./model/drawing.ts";

/** Where a mark on the line is: the middle of its longest piece. */
export function middleOf(points: readonly Point[]): Point {
  let best: Point = points[0] ?? [0, 0];
  let longest = -1;
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = points[i - 1] ?? best;
    const [bx, by] = points[i] ?? best;
    const length = Math.abs(bx - ax) + Math.abs(by - ay);
    if (length > longest) {
      longest = length;
      best = [(ax + bx) / 2, (ay + by) / 2];
    }
  }
  return best;
}

const CELL = 256;

/** Finds lines by place without a DOM element for each: a grid of cells, each with the pieces that cross it. */
export interface EdgeIndex {
  /** The line nearest to a point within `reach`, or null. */
  nearest(x: number, y: number, reach: number): string | null;
}

export function edgeIndex(edges: Iterable<DrawnEdge>): EdgeIndex {
  const cells = new Map<string, (readonly [id: string, x1: number, y1: number, x2: number, y2: number])[]>();
  for (const edge of edges) {
    for (let i = 1; i < edge.points.length; i++) {
      const [ax, ay] = edge.points[i - 1] ?? [0, 0];
      const [bx, by] = edge.points[i] ?? [0, 0];
      const piece = [edge.id, Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)] as const;
      // Pieces are horizontal or vertical: the cells they cross are one row or one column.
      for (let cx = Math.floor(piece[1] / CELL); cx <= Math.floor(piece[3] / CELL); cx++) {
        for (let cy = Math.floor(piece[2] / CELL); cy <= Math.floor(piece[4] / CELL); cy++) {
          const key = `${cx},${cy}`;
          const list = cells.get(key);
          if (list === undefined) cells.set(key, [piece]);
          else list.push(piece);
        }
      }
    }
  }
  return {
    nearest(x, y, reach) {
      let best: string | null = null;
      let least = reach;
      for (let cx = Math.floor((x - reach) / CELL); cx <= Math.floor((x + reach) / CELL); cx++) {
        for (let cy = Math.floor((y - reach) / CELL); cy <= Math.floor((y + reach) / CELL); cy++) {
          for (const [id, x1, y1, x2, y2] of cells.get(`${cx},${cy}`) ?? []) {
            const distance = Math.max(x1 - x, x - x2, y1 - y, y - y2, 0);
            if (distance < least) {
              least = distance;
              best = id;
            }
          }
        }
      }
      return best;
    },
  };
}
