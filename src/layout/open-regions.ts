/**
 * Opens regions of a large graph, because the user does or because they contain too many blocks: draws their contents, which may be regions
 * again.
 */

import { type Collapsed, collapseRegions, collapseToLimit, collapseToRuns, type Region } from "./collapse.ts";
import type { CardMetrics } from "./measure.ts";
import type { GraphInput } from "./types.ts";

/** The most cards that replace one opened region, if collapsing can reach that. */
const MOST_AT_ONCE = 150;

/** A region with more than this share of all blocks hides the program. */
const LARGEST = 1 / 8;

/** Replaces the largest regions of `collapsed` by their contents, as far as `limit` cards allow: a loop around everything is not one card. */
export function openLargest(input: GraphInput, collapsed: Collapsed, limit: number, metrics: CardMetrics): Collapsed {
  const most = input.nodes.length * LARGEST;
  const tried = new Set<string>();
  for (let result = collapsed; ; ) {
    const regions = regionsOf(input, result);
    const [largest] = regions
      .filter(({ id, members }) => members.length > most && !tried.has(id))
      .sort((a, b) => b.members.length - a.members.length);
    if (largest === undefined) return result;
    tried.add(largest.id);
    const room = limit - result.graph.nodes.length + 1;
    const others = regions.filter((region) => region !== largest);
    const opened = collapseRegions(input, [...others, ...inside(input, largest.members, room, metrics)], metrics);
    if (opened.graph.nodes.length <= limit) result = opened;
  }
}

/** Replaces the regions named in `opened` by their contents, which `opened` may name as well. */
export function openRegions(input: GraphInput, collapsed: Collapsed, opened: ReadonlySet<string>, metrics: CardMetrics): Collapsed {
  const work = regionsOf(input, collapsed);
  if (!work.some((region) => opened.has(region.id))) return collapsed;
  const drawn: Region[] = [];
  for (let region = work.pop(); region !== undefined; region = work.pop()) {
    if (opened.has(region.id)) work.push(...inside(input, region.members, MOST_AT_ONCE, metrics));
    else drawn.push(region);
  }
  return collapseRegions(input, drawn, metrics);
}

/** The drawn regions, each with the nodes of `input` that it contains, in their order. */
function regionsOf(input: GraphInput, { graph, shownAs }: Collapsed): Region[] {
  const members = new Map<string, string[]>();
  for (const { id } of input.nodes) {
    const region = shownAs.get(id);
    if (region === undefined) continue;
    const list = members.get(region);
    if (list === undefined) members.set(region, [id]);
    else list.push(id);
  }
  const names = new Map([...input.nodes, ...graph.nodes].map((n) => [n.id, n.name ?? n.id]));
  return [...members].map(([id, list]) => {
    const name = names.get(id) ?? id;
    return { id, name, title: `${name} … ${names.get(list.at(-1) ?? "") ?? ""}`, members: list };
  });
}

/** The contents of an opened region: no regions if its nodes are few, else smaller regions. */
function inside(input: GraphInput, members: readonly string[], limit: number, metrics: CardMetrics): Region[] {
  if (members.length <= limit) return [];
  const own = new Set(members);
  const nodes = input.nodes.filter((n) => own.has(n.id));
  const from = input.edges.find((e) => own.has(e.to) && !own.has(e.from))?.to;
  const entry = own.has(input.entry) ? input.entry : (from ?? nodes[0]?.id ?? "");
  // Without edges back to the entry: if the region is a loop, that loop must not be found again.
  const edges = input.edges.filter((e) => own.has(e.from) && own.has(e.to) && e.to !== entry);
  const part: GraphInput = { nodes, edges, entry };
  const regions = regionsOf(part, collapseToLimit(part, limit, metrics));
  // If all nodes are in one region again, such as the cases of a switch, they become runs in reverse postorder.
  const isWhole = regions.some((region) => region.members.length === members.length);
  return isWhole && limit > 1 ? regionsOf(part, collapseToRuns(part, limit, metrics)) : regions;
}
