/** Regions of a large graph that were opened by hand: drawn by what is in them, which may be regions again. */

import { type Collapsed, collapseRegions, collapseToLimit, type Region } from "./collapse.ts";
import type { CardMetrics } from "./measure.ts";
import type { GraphInput } from "./types.ts";

/** Cards that one opened region is replaced by at most, where collapsing can reach that. */
const MOST_AT_ONCE = 150;

/** `collapsed` without the regions named in `opened`. What they are replaced by can be named there as well. */
export function openRegions(input: GraphInput, collapsed: Collapsed, opened: ReadonlySet<string>, metrics: CardMetrics): Collapsed {
  const work = regionsOf(input, collapsed);
  if (!work.some((region) => opened.has(region.id))) return collapsed;
  const drawn: Region[] = [];
  for (let region = work.pop(); region !== undefined; region = work.pop()) {
    if (opened.has(region.id)) work.push(...inside(input, region.members, metrics));
    else drawn.push(region);
  }
  return collapseRegions(input, drawn, metrics);
}

/** The regions drawn, each by the nodes of `input` that it contains, in their order. */
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

/** What an opened region is drawn as: nothing but its nodes if they are few, else smaller regions. */
function inside(input: GraphInput, members: readonly string[], metrics: CardMetrics): Region[] {
  if (members.length <= MOST_AT_ONCE) return [];
  const own = new Set(members);
  const nodes = input.nodes.filter((n) => own.has(n.id));
  const from = input.edges.find((e) => own.has(e.to) && !own.has(e.from))?.to;
  const entry = own.has(input.entry) ? input.entry : (from ?? nodes[0]?.id ?? "");
  // Without what leads back to its entry: the loop that the region may be is not found a second time.
  const edges = input.edges.filter((e) => own.has(e.from) && own.has(e.to) && e.to !== entry);
  const part: GraphInput = { nodes, edges, entry };
  return regionsOf(part, collapseToLimit(part, MOST_AT_ONCE, metrics)).filter((region) => region.members.length < members.length);
}
