/** A layered layout for control flow: linear but for sorting and a bounded search for fewer crossings, for any graph. */

import { withBounds } from "./bounds.ts";
import { flowGraph } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import { straightWays } from "./linear/columns.ts";
import { sideBySide } from "./linear/combs.ts";
import { assignLayers } from "./linear/layers.ts";
import { buildLinks, placeItems } from "./linear/place.ts";
import { routeEdges } from "./linear/route.ts";
import { buildRows, defaultRowLimits, planLines, type RowLimits } from "./linear/rows.ts";
import { siftOrder } from "./linear/sift.ts";
import { type Drawing, turnBranches } from "./linear/turn.ts";
import { loopForest } from "./loop-forest.ts";
import { inPortX } from "./ports.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type PlacedNode, type RoutedEdge, type Spacing } from "./types.ts";

/**
 * Draws every forward edge downwards and every back edge up the right side of its loop, and keeps loops together (what follows a loop
 * stands below it). The first successor leaves on the left of the second, but for branches that cross fewer lines when turned; tables
 * keep their order. Takes irreducible graphs, unreachable blocks and self loops. Same input, same picture.
 */
export function linearLayout(input: GraphInput, spacing: Spacing = defaultSpacing, limits: RowLimits = defaultRowLimits): GraphLayout {
  return framed(
    turnBranches((turned) => draw(input, spacing, limits, turned)),
    spacing,
  );
}

/** The same with no branch turned: a first idea of how long the lines are. */
export function roughLayout(input: GraphInput, spacing: Spacing): GraphLayout {
  return framed(draw(input, spacing, defaultRowLimits, new Set()), spacing);
}

function framed({ nodes, edges }: Drawing, spacing: Spacing): GraphLayout {
  return withBounds({ nodes, edges, simplified: null, ms: 0 }, spacing.margin);
}

function draw(input: GraphInput, spacing: Spacing, limits: RowLimits, turned: ReadonlySet<number>): Drawing {
  const plain = flowGraph(input, turned);
  const walk = flowOrder(plain);
  const loops = loopForest(plain, walk);
  const graph = { ...plain, main: straightWays(plain, walk, loops) };
  const layers = assignLayers(graph, walk, loops, spacing);
  const plan = planLines(graph, walk, loops, layers, limits);
  const order = siftOrder(graph, walk, loops, layers, plan.trunk);
  const rows = buildRows(graph, order, loops, layers, plan);
  const links = buildLinks(graph, rows);
  const x = placeItems(graph, rows, links, spacing, sideBySide(graph, order, layers));
  const routed = routeEdges(graph, order, loops, layers, rows, x, spacing);

  const nodes: PlacedNode[] = graph.ids.map((id, n) => {
    const width = graph.width[n] ?? 0;
    return { id, x: (x[rows.itemOf[n] ?? 0] ?? 0) - inPortX(width), y: routed.top[n] ?? 0, width, height: graph.height[n] ?? 0 };
  });
  const edges: RoutedEdge[] = graph.edgeIds.map((id, e) => ({ id, points: routed.lines[e] ?? [], back: order.back[e] === 1 }));
  return { graph, order, loops, nodes, edges };
}
