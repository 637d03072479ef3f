/** ELK's answer as a GraphLayout. */
import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import { withBounds } from "./bounds.ts";
import { flowGraph } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type PlacedNode, type Point, type RoutedEdge, type Spacing } from "./types.ts";

/** `answer` is what ELK returned for `toElk(input)`. */
export function fromElk(input: GraphInput, answer: ElkNode, spacing: Spacing = defaultSpacing): GraphLayout {
  const graph = flowGraph(input);
  const order = flowOrder(graph);
  const placed = new Map((answer.children ?? []).map((n) => [n.id, n]));
  const routed = new Map((answer.edges ?? []).map((e) => [e.id, e]));
  const nodes: PlacedNode[] = graph.ids.map((id, n) => {
    const node = placed.get(`n${n}`);
    return { id, x: Math.round(node?.x ?? 0), y: Math.round(node?.y ?? 0), width: graph.width[n] ?? 0, height: graph.height[n] ?? 0 };
  });
  const edges: RoutedEdge[] = graph.edgeIds.map((id, e) => ({ id, points: polyline(routed.get(`e${e}`)), back: order.back[e] === 1 }));
  return withBounds({ nodes, edges, engine: "elk", simplified: null, ms: 0 }, spacing.margin);
}

function polyline(edge: ElkExtendedEdge | undefined): Point[] {
  const section = edge?.sections?.[0];
  if (section === undefined) return [];
  const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  return points.map((p): Point => [Math.round(p.x), Math.round(p.y)]);
}
