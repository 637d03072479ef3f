/** ELK's answer as a drawing. */

import type { Hints } from "../hints/hints.ts";
import type { PlacedNode, Point, RoutedEdge } from "../types.ts";
import type { ElkExtendedEdge, ElkNode, ElkPoint } from "./elk.ts";
import { type ElkGraph, nameOf } from "./graph.ts";
import { PAD } from "./options.ts";

export interface Drawn {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly RoutedEdge[];
}

export function readDrawing({ graph, order }: Hints, { given }: ElkGraph, { children = [], edges = [] }: ElkNode): Drawn {
  const placed = new Map(children.map((child) => [child.id, child]));
  const lines = new Map(edges.map((edge) => [edge.id, pointsOf(edge, given.get(edge.id))]));
  const nodes = graph.ids.map((id, n): PlacedNode => {
    const { x = 0, y = 0 } = placed.get(nameOf.card(n)) ?? {};
    return { id, x: Math.round(x) + PAD, y: Math.round(y), width: graph.width[n] ?? 0, height: graph.height[n] ?? 0 };
  });
  const routed = graph.edgeIds.map((id, e): RoutedEdge => {
    const points = [...(lines.get(nameOf.start(e)) ?? []), ...(lines.get(nameOf.line(e)) ?? [])];
    return { id, points: withoutStraightBends(points), back: order.back[e] === 1 };
  });
  return { nodes, edges: routed };
}

function pointsOf({ sections }: ElkExtendedEdge, given: ElkPoint | undefined): Point[] {
  const [section] = sections ?? [];
  if (section === undefined) return [];
  const { startPoint, endPoint, bendPoints = [] } = section;
  const [first] = bendPoints;
  const bends = first !== undefined && first.x === given?.x && first.y === given.y ? [] : bendPoints;
  return [startPoint, ...bends, endPoint].map(({ x, y }): Point => [Math.round(x), Math.round(y)]);
}

function withoutStraightBends(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const [before, last] = [kept.at(-2), kept.at(-1)];
    if (last !== undefined && last[0] === point[0] && last[1] === point[1]) continue;
    const straight = (axis: 0 | 1): boolean => before?.[axis] === last?.[axis] && last?.[axis] === point[axis];
    if (straight(0) || straight(1)) kept.pop();
    kept.push(point);
  }
  return kept;
}
