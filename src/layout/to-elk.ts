/** A GraphInput as ELK wants it: ports in fixed places, model order everywhere, options measured on control-flow graphs. */
import type { ElkExtendedEdge, ElkNode, LayoutOptions } from "elkjs/lib/elk-api.js";
import { type FlowGraph, flowGraph } from "./flow-graph.ts";
import { type FlowOrder, flowOrder } from "./flow-order.ts";
import { inPortX } from "./ports.ts";
import { defaultSpacing, type GraphInput, type Spacing } from "./types.ts";

function options(spacing: Spacing): LayoutOptions {
  return {
    "elk.algorithm": "layered",
    "elk.direction": "DOWN",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.separateConnectedComponents": "false",
    "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
    "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
    "elk.layered.thoroughness": "1",
    "elk.layered.nodePlacement.favorStraightEdges": "true",
    "elk.spacing.nodeNode": String(spacing.node),
    "elk.spacing.edgeNode": String(spacing.edgeNode),
    "elk.spacing.edgeEdge": String(spacing.edge),
    "elk.layered.spacing.nodeNodeBetweenLayers": String(spacing.layer),
    "elk.layered.spacing.edgeNodeBetweenLayers": String(spacing.edge),
    "elk.layered.spacing.edgeEdgeBetweenLayers": String(spacing.edge),
    "elk.padding": `[top=0,left=0,bottom=0,right=0]`,
  };
}

/**
 * Blocks and edges in reverse postorder (first successor first): the wrong order means seven times the crossings. Ids are
 * `n<index>`, `e<index>` into the flow graph, so that no id of ours can clash with ELK's port ids.
 */
export function toElk(input: GraphInput, spacing: Spacing = defaultSpacing): ElkNode {
  const graph = flowGraph(input);
  return toElkFrom(graph, flowOrder(graph), spacing);
}

export function toElkFrom(graph: FlowGraph, order: FlowOrder, spacing: Spacing): ElkNode {
  const children: ElkNode[] = [];
  const edges: ElkExtendedEdge[] = [];
  for (const n of order.rpo) {
    const width = graph.width[n] ?? 0;
    const height = graph.height[n] ?? 0;
    const begin = graph.succStart[n] ?? 0;
    const count = (graph.succStart[n + 1] ?? 0) - begin;
    const ports = [{ id: `i${n}`, width: 0, height: 0, x: inPortX(width), y: 0, layoutOptions: { "elk.port.side": "NORTH" } }];
    for (let s = 0; s < count; s++) {
      const edge = graph.succ[begin + s] ?? 0;
      const x = graph.port[edge] ?? 0;
      ports.push({ id: `o${edge}`, width: 0, height: 0, x, y: height, layoutOptions: { "elk.port.side": "SOUTH" } });
      const straight = graph.main[edge] === 1 ? { layoutOptions: { "elk.layered.priority.straightness": "10" } } : {};
      edges.push({ id: `e${edge}`, sources: [`o${edge}`], targets: [`i${graph.to[edge] ?? 0}`], ...straight });
    }
    children.push({ id: `n${n}`, width, height, ports, layoutOptions: { "elk.portConstraints": "FIXED_POS" } });
  }
  return { id: "root", layoutOptions: options(spacing), children, edges };
}
