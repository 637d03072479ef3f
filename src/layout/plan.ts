/** What is drawn of a graph, and the drawing: everything, or regions and tags where that is too much. */

import { collapseToLimit } from "./collapse.ts";
import { withHungTags } from "./hung-tags.ts";
import { linearLayout, roughLayout } from "./linear.ts";
import { tagLongLines } from "./long-lines.ts";
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
  const { metrics, spacing } = request;
  const regions = input.nodes.length > request.limits.collapseAbove ? asRegions(input, request) : null;
  const graph = regions?.graph ?? input;
  const rough = roughLayout(graph, spacing);
  const tagged = tagLongLines(graph, rough, metrics);
  if (tagged === null) return { ...linearLayout(graph, spacing), simplified: regions };
  const lines = plural(tagged.stubs.size, "long line ends in a tag", "long lines end in tags");
  const simplified: Simplified = {
    summary: regions === null ? lines : `${regions.summary}, ${lines}`,
    reason: `${regions === null ? "" : `${regions.reason} `}Long lines into a block that many lead to end in a tag with its name: press one to go there.`,
    graph: tagged.graph,
    shownAs: regions?.shownAs ?? new Map(),
    stubs: new Map([...(regions?.stubs ?? []), ...tagged.stubs]),
  };
  return { ...withHungTags(tagged.graph, spacing, (tagging) => linearLayout(tagging, spacing)), simplified };
}

/** The graph as regions, or null if that makes it no smaller. */
function asRegions(input: GraphInput, { limits, metrics, opened }: LayoutRequest): Simplified | null {
  const closed = collapseToLimit(input, limits.collapseAbove, metrics);
  const { graph, shownAs, stubs } = openRegions(input, closed, opened, metrics);
  const [blocks, shown] = [input.nodes.length, graph.nodes.length];
  if (shown >= blocks) return null;
  const summary = `${plural(blocks, "block")} as ${plural(shown, "card")}`;
  const reason = `${plural(blocks, "block is", "blocks are")} more than ${limits.collapseAbove}: loops, branches and straight lines are drawn as regions (${plural(shown, "card")}). Open one by its button, or by Enter.`;
  return { summary, reason, graph, shownAs, stubs };
}
