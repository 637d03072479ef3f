/** What is drawn of a graph, and the drawing: everything, or regions where that is too much. */

import { collapseToLimit } from "./collapse.ts";
import { linearLayout } from "./linear.ts";
import type { CardMetrics } from "./measure.ts";
import { openRegions } from "./open-regions.ts";
import { plural } from "./plural.ts";
import type { GraphInput, GraphLayout, Simplified, Spacing } from "./types.ts";

export interface LayoutLimits {
  /** Cards past which loops, branches and straight lines are drawn as regions. */
  readonly collapseAbove: number;
}

export const defaultLayoutLimits: LayoutLimits = { collapseAbove: 150 };

export interface LayoutRequest {
  readonly limits: LayoutLimits;
  readonly metrics: CardMetrics;
  readonly spacing: Spacing;
  /** Regions that are not to be drawn as one although the graph is large, by id. */
  readonly opened: ReadonlySet<string>;
}

export function drawGraph(input: GraphInput, request: LayoutRequest): GraphLayout {
  const simplified = input.nodes.length > request.limits.collapseAbove ? simplify(input, request) : null;
  return { ...linearLayout(simplified?.graph ?? input, request.spacing), simplified };
}

/** The graph as regions, or null if that makes it no smaller. */
function simplify(input: GraphInput, { limits, metrics, opened }: LayoutRequest): Simplified | null {
  const closed = collapseToLimit(input, limits.collapseAbove, metrics);
  const { graph, shownAs, stubs } = openRegions(input, closed, opened, metrics);
  const [blocks, shown] = [input.nodes.length, graph.nodes.length];
  if (shown >= blocks) return null;
  const reason = `${plural(blocks, "block is", "blocks are")} more than ${limits.collapseAbove}: loops, branches and straight lines are drawn as regions (${plural(shown, "card")}). Open one by its button, or by Enter.`;
  return { reason, blocks, shown, graph, shownAs, stubs };
}
