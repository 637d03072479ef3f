/** A tag that is a block's only successor hangs under it: it needs no row or column. */

import { inPortX } from "./ports.ts";
import type { GraphEdge, GraphInput, GraphLayout, GraphNode, PlacedNode, RoutedEdge, Spacing } from "./types.ts";

/** Draws the graph with such tags as part of the cards above them, then puts the tags back in place. */
export async function withHungTags(
  input: GraphInput,
  { layer }: Spacing,
  draw: (input: GraphInput) => Promise<GraphLayout>,
): Promise<GraphLayout> {
  const hung = hangers(input);
  if (hung.size === 0) return draw(input);
  const gap = layer / 2;
  const tags = new Set([...hung.values()].map(({ tag }) => tag.id));
  const layout = await draw({
    ...input,
    nodes: input.nodes.flatMap((node) => {
      const own = hung.get(node.id);
      return own !== undefined
        ? [
            {
              ...node,
              height: Math.ceil(node.height) + gap + Math.ceil(own.tag.height),
              ...(own.tag.leadsTo === undefined ? {} : { leadsTo: own.tag.leadsTo }),
            },
          ]
        : tags.has(node.id)
          ? []
          : [node];
    }),
    edges: input.edges.filter((edge) => !tags.has(edge.to)),
  });
  const nodes: PlacedNode[] = [];
  const lines = new Map<string, RoutedEdge>(layout.edges.map((edge) => [edge.id, edge]));
  for (const node of layout.nodes) {
    const own = hung.get(node.id);
    if (own === undefined) {
      nodes.push(node);
      continue;
    }
    const [width, height] = [Math.ceil(own.tag.width), Math.ceil(own.tag.height)];
    const x = node.x + inPortX(node.width);
    const y = node.y + node.height - height;
    nodes.push({ ...node, height: node.height - height - gap }, { id: own.tag.id, x: x - inPortX(width), y, width, height });
    lines.set(own.edge.id, {
      id: own.edge.id,
      points: [
        [x, y - gap],
        [x, y],
      ],
      back: false,
    });
  }
  return { ...layout, nodes, edges: input.edges.flatMap((edge) => lines.get(edge.id) ?? []) };
}

/** Blocks whose only outgoing line leads to a tag, and that are at least as wide as the tag. */
function hangers(input: GraphInput): Map<string, { readonly tag: GraphNode; readonly edge: GraphEdge }> {
  const nodes = new Map(input.nodes.map((n) => [n.id, n]));
  const ways = new Map<string, number>();
  for (const { from, to } of input.edges) for (const end of [`${from}>`, `>${to}`]) ways.set(end, (ways.get(end) ?? 0) + 1);
  const found = new Map<string, { readonly tag: GraphNode; readonly edge: GraphEdge }>();
  for (const edge of input.edges) {
    const [node, tag] = [nodes.get(edge.from), nodes.get(edge.to)];
    if (node === undefined || tag?.kind !== "stub" || tag.id === input.entry || tag.width > node.width) continue;
    if (ways.get(`${edge.from}>`) === 1 && ways.get(`>${edge.to}`) === 1 && !ways.has(`${edge.to}>`)) found.set(node.id, { tag, edge });
  }
  return found;
}
