/** Smaller graphs from large ones: loops and straight lines as one region each, or only the neighbourhood of a block. */

import { groupedPlural as plural } from "../base/plural.ts";
import { type FlowGraph, flowGraph, group } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import { loopForest } from "./loop-forest.ts";
import { type CardMetrics, defaultCardMetrics, measureCard } from "./measure.ts";
import type { GraphEdge, GraphInput, GraphNode, Stub } from "./types.ts";

/** Limit on the rounds for nested branches: a ladder of a thousand tests is nested a thousand deep. */
const MOST_ROUNDS = 12;
/** Limit on the levels of nested loops: each costs a walk over the graph. Past it, branches are collapsed next. */
const HIGHEST_LEVEL = 40;

export interface Collapsed {
  readonly graph: GraphInput;
  /** Maps each node that is not drawn to the region drawn for it, by ids. */
  readonly shownAs: ReadonlyMap<string, string>;
  readonly stubs: ReadonlyMap<string, Stub>;
}

/** Nodes to draw as one. `id` must not be a node's; `title` is the card's first line, `name` its name in other titles. */
export interface Region {
  readonly id: string;
  readonly title: string;
  readonly name?: string;
  readonly members: readonly string[];
}

/** A loop as the engine lists it: its header and all of its blocks, inner loops' blocks included. */
export interface LoopMembers {
  readonly header: string;
  readonly members: readonly string[];
}

/**
 * Draws each region as one node at the position of its first member. Edges inside a region are dropped; of several edges between the same
 * two nodes only the first is kept, except between two plain blocks. Successors keep their order: by member, then port. A block in several
 * regions belongs to the first; regions of fewer than two blocks are ignored. `blocksIn`: how many blocks a node of `input` itself
 * contains, if not one.
 */
export function collapseRegions(
  input: GraphInput,
  regions: readonly Region[],
  metrics: CardMetrics = defaultCardMetrics,
  blocksIn: ReadonlyMap<string, number> = new Map(),
): Collapsed {
  const known = new Set(input.nodes.map((n) => n.id));
  const regionOf = new Map<string, Region>();
  const sizes = new Map<string, number>();
  for (const region of regions) {
    const free = region.members.filter((m) => known.has(m) && !regionOf.has(m));
    if (free.length < 2) continue;
    for (const m of free) regionOf.set(m, region);
    sizes.set(
      region.id,
      free.reduce((sum, m) => sum + (blocksIn.get(m) ?? 1), 0),
    );
  }
  if (sizes.size === 0) return { graph: input, shownAs: new Map(), stubs: new Map() };
  const shown = (id: string): string => regionOf.get(id)?.id ?? id;

  const ports = new Map<string, number>();
  const joined = new Map<string, Set<string>>();
  const edges: GraphEdge[] = [];
  for (const edge of bySource(input)) {
    const from = shown(edge.from);
    const to = shown(edge.to);
    const plain = from === edge.from && to === edge.to;
    if (!plain) {
      if (from === to) continue;
      const targets = joined.get(from) ?? new Set();
      if (targets.has(to)) continue;
      joined.set(from, targets.add(to));
    }
    const port = from === edge.from ? edge.port : (ports.get(from) ?? 0);
    ports.set(from, port + 1);
    edges.push(plain ? edge : { ...edge, from, to, port });
  }

  const drawn = new Set<string>();
  const nodes: GraphNode[] = [];
  for (const node of input.nodes) {
    const region = regionOf.get(node.id);
    if (region === undefined) {
      nodes.push(node);
      continue;
    }
    if (drawn.has(region.id)) continue;
    drawn.add(region.id);
    const lines = [plural(sizes.get(region.id) ?? 0, "block")];
    const size = measureCard({ headerColumns: region.title.length + 4, lines, successors: ports.get(region.id) ?? 0 }, metrics);
    nodes.push({ id: region.id, kind: "region", width: size.width, height: size.height, name: region.name ?? region.title });
  }
  const shownAs = new Map([...regionOf].map(([id, region]) => [id, region.id]));
  return { graph: { nodes, edges, entry: shown(input.entry) }, shownAs, stubs: new Map() };
}

/** The edges, sorted by the position of their source, then by port. */
function bySource({ nodes, edges }: GraphInput): GraphEdge[] {
  const rank = new Map(nodes.map((n, i) => [n.id, i]));
  const from = Int32Array.from(edges, (edge) => rank.get(edge.from) ?? 0);
  const { start, items } = group(from, Math.max(1, nodes.length));
  const sorted: GraphEdge[] = [];
  for (let n = 0; n < nodes.length; n++) {
    const own = Array.from(items.subarray(start[n], start[n + 1]), (e) => edges[e]).filter((e) => e !== undefined);
    sorted.push(...own.sort((a, b) => a.port - b.port));
  }
  return sorted;
}

/** Collapses each loop into a region named after its header. List outer loops before inner ones to collapse the outer. */
export function collapseLoops(input: GraphInput, loops: readonly LoopMembers[], metrics: CardMetrics = defaultCardMetrics): Collapsed {
  const name = namesOf(input);
  return collapseRegions(
    input,
    loops.map(({ header, members }) => ({
      id: `loop:${header}`,
      title: `loop ${name(header)}`,
      name: name(header),
      members: [...new Set([header, ...members])],
    })),
    metrics,
  );
}

/** Maximal runs of two or more blocks in which each block's only successor is the next, whose only predecessor it is. */
export function straightLines(input: GraphInput): string[][] {
  const graph = flowGraph(input);
  const nextOf = new Int32Array(graph.count).fill(-1);
  const follows = new Uint8Array(graph.count);
  for (let n = 0; n < graph.count; n++) {
    const begin = graph.succStart[n] ?? 0;
    if ((graph.succStart[n + 1] ?? 0) - begin !== 1) continue;
    const to = graph.to[graph.succ[begin] ?? 0] ?? 0;
    if ((graph.predStart[to + 1] ?? 0) - (graph.predStart[to] ?? 0) !== 1 || to === graph.entry || to === n) continue;
    nextOf[n] = to;
    follows[to] = 1;
  }
  const runs: string[][] = [];
  for (let n = 0; n < graph.count; n++) {
    if (follows[n] === 1 || (nextOf[n] ?? -1) < 0) continue;
    const run: string[] = [];
    for (let at = n; at >= 0; at = nextOf[at] ?? -1) run.push(graph.ids[at] ?? "");
    runs.push(run);
  }
  return runs;
}

/** Straight lines as regions of at most `longest` cards. */
function lineRegions(input: GraphInput, longest = Number.POSITIVE_INFINITY): Region[] {
  const name = namesOf(input);
  return straightLines(input).flatMap((run) => inPieces("line", run, longest, name));
}

/** Splits a run of cards into regions of at most `longest` cards. */
function inPieces(kind: string, run: readonly string[], longest: number, name: (id: string | undefined) => string): Region[] {
  const size = Math.min(longest, run.length);
  return Array.from({ length: Math.ceil(run.length / size) }, (_, i) => {
    const members = run.slice(i * size, (i + 1) * size);
    const [first, last] = [members[0], members.at(-1)];
    const id = size < run.length ? `${kind}:${first}…${last}` : `${kind}:${first}`;
    return { id, title: `${name(first)} … ${name(last)}`, name: name(first), members };
  });
}

/** Collapses straight lines into regions only as long as `limit` requires: a sequence of loops must not become a single card. */
function linesToLimit(first: Collapsed, limit: number, metrics: CardMetrics): Collapsed {
  if (first.graph.nodes.length <= limit) return first;
  const lengths = straightLines(first.graph).map((run) => run.length);
  const saved = (longest: number): number => lengths.reduce((sum, length) => sum + length - Math.ceil(length / longest), 0);
  const whole = lengths.reduce((most, length) => Math.max(most, length), 2);
  let longest = 2;
  while (longest < whole && first.graph.nodes.length - saved(longest) > limit) longest *= 2;
  return collapseFurther(first, lineRegions(first.graph, longest), metrics);
}

/**
 * Only the blocks at most `steps` edges away from `centre`, in either direction. Edges that leave end in stubs, so that every
 * block keeps all of its successors; edges from outside are left out.
 */
export function neighbourhood(input: GraphInput, centre: string, steps: number, metrics: CardMetrics = defaultCardMetrics): Collapsed {
  const around = new Map<string, string[]>();
  const link = (a: string, b: string): void => {
    const list = around.get(a);
    if (list === undefined) around.set(a, [b]);
    else list.push(b);
  };
  for (const edge of input.edges) {
    link(edge.from, edge.to);
    link(edge.to, edge.from);
  }
  const near = new Set([centre]);
  let ring = [centre];
  for (let s = 0; s < steps && ring.length > 0; s++) {
    const wider: string[] = [];
    for (const id of ring) {
      for (const other of around.get(id) ?? []) {
        if (near.has(other)) continue;
        near.add(other);
        wider.push(other);
      }
    }
    ring = wider;
  }
  const name = namesOf(input);
  const nodes = input.nodes.filter((n) => near.has(n.id));
  const edges: GraphEdge[] = [];
  const stubs = new Map<string, Stub>();
  for (const edge of input.edges) {
    if (!near.has(edge.from)) continue;
    if (near.has(edge.to)) {
      edges.push(edge);
      continue;
    }
    const stub = stubFor(edge, name(edge.to), metrics);
    nodes.push(stub);
    edges.push({ ...edge, to: stub.id });
    stubs.set(stub.id, { edge: edge.id, target: edge.to });
  }
  return { graph: { nodes, edges, entry: near.has(input.entry) ? input.entry : centre }, shownAs: new Map(), stubs };
}

/** The tag at which an edge ends instead of at its target; the tag shows the target's name. */
export function stubFor(edge: GraphEdge, target: string, metrics: CardMetrics): GraphNode {
  const { width } = measureCard({ headerColumns: target.length + 2, lines: [], successors: 0 }, { ...metrics, minWidth: 0 });
  return { id: `stub:${edge.id}`, kind: "stub", width, height: metrics.headerHeight };
}

/**
 * Collapses until at most `limit` nodes are left or nothing more can be collapsed: straight lines first, then the innermost loops, then the
 * loops around them, then branches that rejoin, from the inside out, finally runs of the rest.
 */
export function collapseToLimit(input: GraphInput, limit: number, metrics: CardMetrics = defaultCardMetrics): Collapsed {
  let result = linesToLimit({ graph: input, shownAs: new Map(), stubs: new Map() }, limit, metrics);
  if (result.graph.nodes.length <= limit) return result;
  // A binary search for the lowest sufficient level: each level collapses all that a lower one does, and code with gotos nests deeply.
  const levels = loopLevels(input);
  const atLevel = (level: number): Collapsed => linesToLimit(collapseLoops(input, levels[level] ?? [], metrics), limit, metrics);
  if (levels.length > 0) result = atLevel(levels.length - 1);
  for (let low = 0, high = levels.length - 1; low < high && result.graph.nodes.length <= limit; ) {
    const middle = (low + high) >> 1;
    const half = atLevel(middle);
    if (half.graph.nodes.length > limit) low = middle + 1;
    else [high, result] = [middle, half];
  }
  if (result.graph.nodes.length <= limit) return result;
  for (
    let round = 0, before = 0;
    before !== result.graph.nodes.length && result.graph.nodes.length > limit && round < MOST_ROUNDS;
    round++
  ) {
    before = result.graph.nodes.length;
    result = collapseFurther(result, branchRegions(result.graph), metrics);
    result = linesToLimit(result, limit, metrics);
  }
  return result.graph.nodes.length <= limit ? result : collapseFurther(result, runRegions(result.graph, limit), metrics);
}

/** Collapses the cards, in reverse postorder, into at most `limit` runs: for graphs without parts that could be regions. */
export const collapseToRuns = (input: GraphInput, limit: number, metrics: CardMetrics): Collapsed =>
  collapseRegions(input, runRegions(input, limit), metrics);

/** Runs of cards in reverse postorder, for graphs that nothing else reduces, such as ladders with several exits and thousands of gotos. */
function runRegions(input: GraphInput, limit: number): Region[] {
  const graph = flowGraph(input);
  const name = namesOf(input);
  const members = Array.from(flowOrder(graph).rpo, (n) => graph.ids[n] ?? "").filter((id) => id !== input.entry);
  return inPieces("run", members, Math.ceil(members.length / (limit - 1)), name);
}

/** The loops to collapse at each level, innermost first; those of one level are disjoint. */
function loopLevels(input: GraphInput): LoopMembers[][] {
  const graph = flowGraph(input);
  const loops = loopForest(graph, flowOrder(graph));
  const height = new Int32Array(loops.count);
  let highest = -1;
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) height[around] = Math.max(height[around] ?? 0, (height[l] ?? 0) + 1);
    highest = Math.max(highest, height[l] ?? 0);
  }
  const levels: LoopMembers[][] = [];
  for (let level = 0; level <= Math.min(highest, HIGHEST_LEVEL); level++) {
    const members = new Map<number, string[]>();
    const top = loopAtLevel(loops.parent, height, level);
    for (let n = 0; n < graph.count; n++) {
      const own = loops.loopOf[n] ?? -1;
      const loop = own < 0 ? -1 : (top[own] ?? -1);
      if (loop < 0) continue;
      const list = members.get(loop);
      if (list === undefined) members.set(loop, [graph.ids[n] ?? ""]);
      else list.push(graph.ids[n] ?? "");
    }
    levels.push([...members].map(([l, list]) => ({ header: graph.ids[loops.header[l] ?? 0] ?? "", members: list })));
  }
  return levels;
}

/** A node's name in titles. A region is named after one of its blocks, so that titles of nested regions stay short. */
function namesOf(input: GraphInput): (id: string | undefined) => string {
  const names = new Map(input.nodes.map((n) => [n.id, n.name ?? n.id]));
  return (id) => names.get(id ?? "") ?? "";
}

/** A branch and its arms, up to the one block at which they all rejoin (some edges may lead there directly). */
function branchRegions(input: GraphInput): Region[] {
  const graph = flowGraph(input);
  const name = namesOf(input);
  const used = new Uint8Array(graph.count);
  const regions: Region[] = [];
  for (let n = 0; n < graph.count; n++) {
    const arms = used[n] === 1 ? null : branchArms(graph, n, used);
    if (arms === null) continue;
    used[n] = 1;
    for (const arm of arms) used[arm] = 1;
    const head = graph.ids[n] ?? "";
    const members = [head, ...arms.map((arm) => graph.ids[arm] ?? "")];
    regions.push({ id: `branch:${head}`, title: `if ${name(head)}`, name: name(head), members });
  }
  return regions;
}

function branchArms(graph: FlowGraph, n: number, used: Uint8Array): number[] | null {
  const { succ, succStart, to } = graph;
  const arms: number[] = [];
  let join = -1;
  for (let k = succStart[n] ?? 0; k < (succStart[n + 1] ?? 0); k++) {
    const arm = to[succ[k] ?? 0] ?? 0;
    if (arm === n || used[arm] === 1) return null;
    const onlyHere = (graph.predStart[arm + 1] ?? 0) - (graph.predStart[arm] ?? 0) === 1;
    const leaves = (succStart[arm + 1] ?? 0) - (succStart[arm] ?? 0);
    if (onlyHere && leaves === 0) {
      arms.push(arm);
      continue;
    }
    const isArm = onlyHere && leaves === 1;
    const next = isArm ? (to[succ[succStart[arm] ?? 0] ?? 0] ?? 0) : arm;
    if (next === n || (join >= 0 && next !== join)) return null;
    join = next;
    if (isArm) arms.push(arm);
  }
  return arms.length === 0 || arms.includes(join) ? null : arms;
}

/** Maps each loop to the outermost loop around it of height at most `level`, or to -1 if it is itself higher. */
function loopAtLevel(parent: Int32Array, height: Int32Array, level: number): Int32Array {
  const result = new Int32Array(parent.length).fill(-1);
  for (let l = 0; l < parent.length; l++) {
    if ((height[l] ?? 0) > level) continue;
    const around = parent[l] ?? -1;
    const above = around < 0 ? -1 : (result[around] ?? -1);
    result[l] = above >= 0 ? above : l;
  }
  return result;
}

/** Collapses the result of a first collapse into regions; the mapping covers both. */
export function collapseFurther(first: Collapsed, regions: readonly Region[], metrics: CardMetrics = defaultCardMetrics): Collapsed {
  const blocksIn = new Map<string, number>();
  for (const region of first.shownAs.values()) blocksIn.set(region, (blocksIn.get(region) ?? 0) + 1);
  const second = collapseRegions(first.graph, regions, metrics, blocksIn);
  const shownAs = new Map<string, string>();
  for (const [id, region] of first.shownAs) shownAs.set(id, second.shownAs.get(region) ?? region);
  for (const [id, region] of second.shownAs) if (!blocksIn.has(id)) shownAs.set(id, region);
  return { graph: second.graph, shownAs, stubs: first.stubs };
}
