/** Draws a graph: all of it, or regions and tags if that is too much. */

import { groupedPlural as plural } from "../base/plural.ts";
import { type Collapsed, collapseToLimit } from "./collapse.ts";
import type { Elk } from "./elk/elk.ts";
import { elkLayout } from "./elk-layout.ts";
import { estimate } from "./estimate.ts";
import { withHungTags } from "./hung-tags.ts";
import { type Tagged, tagLongLines } from "./long-lines.ts";
import type { CardMetrics } from "./measure.ts";
import { openLargest, openRegions } from "./open-regions.ts";
import type { GraphInput, GraphLayout, Simplified, Spacing } from "./types.ts";

export interface LayoutLimits {
  /** With more cards than this, loops, branches and straight lines are drawn as regions. */
  readonly collapseAbove: number;
  /** With more cards plus rows passed by lines than this, as many regions are drawn as are needed: ELK takes about a second for this many. */
  readonly placesAbove: number;
  /** With more than this, a graph whose regions the user has opened is not drawn: ELK would take more than some ten seconds. */
  readonly mostPlaces: number;
}

export const defaultLayoutLimits: LayoutLimits = { collapseAbove: 150, placesAbove: 2_500, mostPlaces: 25_000 };

/** Fewer regions than this show nothing. */
const LEAST_REGIONS = 12;

export interface LayoutRequest {
  readonly limits: LayoutLimits;
  readonly metrics: CardMetrics;
  readonly spacing: Spacing;
  /** Ids of the regions to open although the graph is large. */
  readonly opened: ReadonlySet<string>;
}

export async function drawGraph(input: GraphInput, request: LayoutRequest, elk: Elk): Promise<GraphLayout> {
  const { spacing, limits } = request;
  const draw = (graph: GraphInput): Promise<GraphLayout> => elkLayout(graph, elk, { spacing });
  const regions = asRegions(input, request);
  const graph = regions?.graph ?? input;
  const { tagged, places } = withTags(graph, request);
  if (request.opened.size > 0 && places > limits.mostPlaces)
    throw new Error(`${plural(graph.nodes.length, "card")} and the lines between them are more than can be drawn.`);
  if (tagged === null) return { ...(await draw(graph)), simplified: regions };
  const lines = plural(tagged.stubs.size, "long line ends in a tag", "long lines end in tags");
  const simplified: Simplified = {
    summary: regions === null ? lines : `${regions.summary}, ${lines}`,
    reason: `${regions === null ? "" : `${regions.reason} `}Long lines into a block that many lead to end in a tag with its name: click one to go there.`,
    graph: tagged.graph,
    shownAs: regions?.shownAs ?? new Map(),
    stubs: new Map([...(regions?.stubs ?? []), ...tagged.stubs]),
  };
  return { ...(await withHungTags(tagged.graph, spacing, draw)), simplified };
}

/** The graph as regions, or null if it is drawn block by block. */
function asRegions(input: GraphInput, request: LayoutRequest): Simplified | null {
  const { limits, metrics, opened } = request;
  const blocks = input.nodes.length;
  const closed = collapsed(input, request);
  if (closed === null) return null;
  const { graph, shownAs, stubs } = openRegions(input, closed, opened, metrics);
  const shown = graph.nodes.length;
  if (shown >= blocks) return null;
  const summary = `${plural(blocks, "block")} as ${plural(shown, "card")}`;
  const why =
    blocks > limits.collapseAbove
      ? `${plural(blocks, "block is", "blocks are")} more than ${limits.collapseAbove}`
      : `the lines between ${plural(blocks, "block")} are too many`;
  const reason = `${why}: loops, branches and straight lines are drawn as regions (${plural(shown, "card")}). Open one by its button, or by Enter.`;
  return { summary, reason, graph, shownAs, stubs };
}

/** Replaces long lines by tags (null if there are none) and counts what remains to be placed. */
function withTags(graph: GraphInput, { metrics, spacing }: LayoutRequest): { readonly tagged: Tagged | null; readonly places: number } {
  const { lengths, places } = estimate(graph, spacing);
  const tagged = tagLongLines(graph, lengths, metrics);
  return { tagged, places: tagged === null ? places : estimate(tagged.graph, spacing).places };
}

/** Collapses the graph into as many regions as are needed; null if none are, or none are possible. */
function collapsed(input: GraphInput, request: LayoutRequest): Collapsed | null {
  const { limits, metrics } = request;
  const isLight = (graph: GraphInput): boolean => withTags(graph, request).places <= limits.placesAbove;
  const blocks = input.nodes.length;
  if (blocks <= limits.collapseAbove && isLight(input)) return null;
  const atMost = (cards: number): Collapsed => openLargest(input, collapseToLimit(input, cards, metrics), cards, metrics);
  let most = Math.min(blocks - 1, limits.collapseAbove);
  let result = atMost(most);
  while (most > LEAST_REGIONS && !isLight(result.graph)) {
    most = Math.floor(Math.min(most, result.graph.nodes.length) / 2);
    result = atMost(most);
  }
  return result.graph.nodes.length < blocks ? result : null;
}
