/**
 * Shortens long lines into a block with many predecessors, such as a common exit: each ends in a tag with the block's name instead of
 * crossing the drawing.
 */

import { stubFor } from "./collapse.ts";
import type { CardMetrics } from "./measure.ts";
import type { GraphEdge, GraphInput, GraphNode, Stub } from "./types.ts";

/** About two screens. */
const LONG = 1_800;
/** A block with at least this many incoming lines is a common exit. */
const MANY = 8;

export interface Tagged {
  readonly graph: GraphInput;
  readonly stubs: ReadonlyMap<string, Stub>;
}

/** `graph` with tags instead of the lines that `lengths` says are long; null if there are none. Fall-throughs keep their lines. */
export function tagLongLines(graph: GraphInput, lengths: ReadonlyMap<string, number>, metrics: CardMetrics): Tagged | null {
  const into = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges) {
    const list = into.get(edge.to);
    if (list === undefined) into.set(edge.to, [edge]);
    else list.push(edge);
  }
  const cut = new Set<string>();
  for (const edges of into.values()) {
    if (edges.length < MANY) continue;
    // The shortest line is kept, so that one leads to the block itself.
    const sorted = [...edges].sort((a, b) => (lengths.get(a.id) ?? 0) - (lengths.get(b.id) ?? 0));
    for (const edge of sorted.slice(1)) if (edge.kind !== "fall" && (lengths.get(edge.id) ?? 0) > LONG) cut.add(edge.id);
  }
  if (cut.size === 0) return null;
  const names = new Map(graph.nodes.map((n) => [n.id, n.name ?? n.id]));
  const stubs = new Map<string, Stub>();
  const after = new Map<string, GraphNode[]>();
  const edges = graph.edges.map((edge): GraphEdge => {
    if (!cut.has(edge.id)) return edge;
    const stub = stubFor(edge, names.get(edge.to) ?? edge.to, metrics);
    stubs.set(stub.id, { edge: edge.id, target: edge.to });
    after.set(edge.from, [...(after.get(edge.from) ?? []), { ...stub, leadsTo: edge.to }]);
    return { ...edge, to: stub.id };
  });
  const nodes = graph.nodes.flatMap((node) => [node, ...(after.get(node.id) ?? [])]);
  return { graph: { nodes, edges, entry: graph.entry }, stubs };
}
