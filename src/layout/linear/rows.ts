/**
 * The contents of every layer from left to right: blocks, lines passing through (chains), the lines of loops' back edges
 * (lanes, right of all of their loop), and the left sides of loops that something stands beside (walls; nothing is drawn). One fixed left-to-right rank orders everything, so no two passing lines ever cross and
 * no block changes sides when another one appears.
 */
import { type FlowGraph, group } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import { type LoopForest, loopContains } from "../loop-forest.ts";
import { inPortX } from "../ports.ts";
import type { Layers } from "./layers.ts";

export const itemNode = 0;
export const itemChain = 1;
export const itemLane = 2;
export const itemWall = 3;

export interface Rows {
  readonly count: number;
  /** Items of row `r`, left to right: `start[r]..start[r+1]`. */
  readonly start: Int32Array;
  /** Item to `itemNode`, `itemChain`, `itemLane` or `itemWall`; `ref` is the node, the chain's target node, or the loop. */
  readonly kind: Uint8Array;
  readonly ref: Int32Array;
  readonly row: Int32Array;
  readonly itemOf: Int32Array;
  /** Chain: the item below it on the way to its target. Lane: the same lane one row down. Else -1. */
  readonly next: Int32Array;
  /** Chain: 1 if a block falls through by it. */
  readonly falls: Uint8Array;
  /** Forward edge: the item in the row below its source that it enters, or -1 if it is a back edge or goes around. */
  readonly first: Int32Array;
  /** Loop to its lane's topmost item and rows, or -1 if the lane goes around the drawing. */
  readonly laneTop: Int32Array;
  readonly laneLast: Int32Array;
  /** Forward edges drawn along the left side of the whole drawing, because the rows could not hold them all. */
  readonly around: Uint8Array;
}

/** More passing lines than this (plus `perNode` for each node) are joined by target, then moved to the sides. */
export interface RowLimits {
  readonly base: number;
  readonly perNode: number;
}

export const defaultRowLimits: RowLimits = { base: 4_000, perNode: 12 };

/** Long edges to one target from which on they share one line: side by side they would be hatching. */
const manyLines = 64;

interface Entry {
  readonly key: number;
  readonly kind: number;
  readonly ref: number;
  /** The chain's or lane's item one row up, to be linked to this one; -1 if there is none. */
  above: number;
  falls: boolean;
  /** Edges that enter the chain in this row. */
  edges: number[];
}

export function buildRows(graph: FlowGraph, order: FlowOrder, loops: LoopForest, layers: Layers, plan: LinePlan): Rows {
  const { count, edgeCount, to } = graph;
  const of = layers.of;
  const nodesBy = group(of, layers.count);
  const longEdges = longEdgesByRow(graph, order, layers, plan.around);
  const laneKey = laneKeys(graph, order, loops);
  const lanesBy = lanesByRow(loops, layers, plan);
  const wallsBy = wallsByRow(loops, layers, plan);
  const wallKey = wallKeys(graph, order, loops);

  const start = new Int32Array(layers.count + 1);
  const kind: number[] = [];
  const ref: number[] = [];
  const row: number[] = [];
  const next: number[] = [];
  const falls: number[] = [];
  const itemOf = new Int32Array(count).fill(-1);
  const first = new Int32Array(edgeCount).fill(-1);
  const laneTop = new Int32Array(loops.count).fill(-1);
  let chains: Entry[] = [];
  let lanes: Entry[] = [];
  let walls: Entry[] = [];

  for (let r = 0; r < layers.count; r++) {
    const entries: Entry[] = [];
    for (let k = nodesBy.start[r] ?? 0; k < (nodesBy.start[r + 1] ?? 0); k++) {
      const n = nodesBy.items[k] ?? 0;
      entries.push({ key: order.nodeKey[n] ?? 0, kind: itemNode, ref: n, above: -1, falls: false, edges: [] });
    }
    const trunks = new Map<number, Entry>();
    for (const chain of chains) {
      if ((of[chain.ref] ?? 0) <= r) continue;
      entries.push(chain);
      if (plan.trunk[chain.ref] === 1) trunks.set(chain.ref, chain);
    }
    for (const edge of longEdges.get(r) ?? []) {
      const target = to[edge] ?? 0;
      const trunk = trunks.get(target);
      if (trunk !== undefined) {
        trunk.edges.push(edge);
        if (graph.main[edge] === 2) trunk.falls = true;
        continue;
      }
      const falls = graph.main[edge] === 2;
      const entry: Entry = { key: order.edgeKey[edge] ?? 0, kind: itemChain, ref: target, above: -1, falls, edges: [edge] };
      entries.push(entry);
      if (plan.trunk[target] === 1) trunks.set(target, entry);
    }
    for (const lane of lanes) if ((plan.laneLast[lane.ref] ?? -1) >= r) entries.push(lane);
    for (const loop of lanesBy.get(r) ?? []) {
      entries.push({ key: laneKey[loop] ?? 0, kind: itemLane, ref: loop, above: -1, falls: false, edges: [] });
    }
    for (const wall of walls) if ((layers.loopEnd[wall.ref] ?? -1) >= r) entries.push(wall);
    for (const loop of wallsBy.get(r) ?? []) {
      entries.push({ key: wallKey[loop] ?? 0, kind: itemWall, ref: loop, above: -1, falls: false, edges: [] });
    }
    // Where a rank is shared, only lanes and walls are concerned: inner loops (higher numbers) stay inside outer ones.
    entries.sort((a, b) => a.key - b.key || (a.kind === itemWall ? a.ref - b.ref : b.ref - a.ref));

    chains = [];
    lanes = [];
    walls = [];
    let previous: Entry | null = null;
    for (const entry of entries) {
      if (entry.kind === itemChain && previous !== null && previous.kind === itemChain && previous.ref === entry.ref) {
        // Neighbours on the way to the same target become one line from here down.
        const merged = kind.length - 1;
        if (entry.falls) falls[merged] = 1;
        if (entry.above >= 0) next[entry.above] = merged;
        for (const edge of entry.edges) first[edge] = merged;
        const onward = chains.at(-1);
        if (entry.falls && onward !== undefined) onward.falls = true;
        continue;
      }
      const item = kind.length;
      kind.push(entry.kind);
      ref.push(entry.ref);
      row.push(r);
      next.push(-1);
      falls.push(entry.falls ? 1 : 0);
      if (entry.above >= 0) next[entry.above] = item;
      for (const edge of entry.edges) first[edge] = item;
      previous = entry;
      if (entry.kind === itemNode) {
        itemOf[entry.ref] = item;
        continue;
      }
      if (entry.kind === itemLane && entry.above < 0) laneTop[entry.ref] = item;
      const onward: Entry = { ...entry, above: item, edges: [] };
      if (entry.kind === itemChain) chains.push(onward);
      else if (entry.kind === itemLane) lanes.push(onward);
      else walls.push(onward);
    }
    start[r + 1] = kind.length;
  }

  for (let e = 0; e < edgeCount; e++) {
    if (order.back[e] === 1 || plan.around[e] === 1 || (first[e] ?? -1) >= 0) continue;
    first[e] = itemOf[to[e] ?? 0] ?? -1;
  }
  for (let i = 0; i < kind.length; i++) {
    if (kind[i] === itemChain && (next[i] ?? -1) < 0) next[i] = itemOf[ref[i] ?? 0] ?? -1;
  }
  return {
    count: layers.count,
    start,
    kind: Uint8Array.from(kind),
    ref: Int32Array.from(ref),
    row: Int32Array.from(row),
    itemOf,
    next: Int32Array.from(next),
    falls: Uint8Array.from(falls),
    first,
    laneTop,
    laneLast: plan.laneLast,
    around: plan.around,
  };
}

export interface LinePlan {
  /** Per node: 1 if all long edges to it share one chain. */
  readonly trunk: Uint8Array;
  readonly around: Uint8Array;
  /** Loop to the row of its lowest back edge, or -1 if its lane goes around. */
  readonly laneLast: Int32Array;
}

export function planLines(graph: FlowGraph, order: FlowOrder, loops: LoopForest, layers: Layers, limits: RowLimits): LinePlan {
  const { edgeCount, from, to, count } = graph;
  const limit = limits.base + limits.perNode * count;
  const around = new Uint8Array(edgeCount);
  const laneLast = new Int32Array(loops.count).fill(-1);
  const loopAt = new Int32Array(count).fill(-1);
  for (let l = 0; l < loops.count; l++) loopAt[loops.header[l] ?? 0] = l;
  const topmost = new Int32Array(count).fill(-1);
  const long = new Int32Array(count);
  let lines = 0;
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const target = to[e] ?? 0;
    const up = layers.of[source] ?? 0;
    if (order.back[e] === 1) {
      const loop = loopAt[target] ?? -1;
      if (loop >= 0) laneLast[loop] = Math.max(laneLast[loop] ?? -1, up);
      continue;
    }
    const passed = (layers.of[target] ?? 0) - up - 1;
    lines += passed;
    if (passed > 0) long[target] = (long[target] ?? 0) + 1;
    const best = topmost[target] ?? -1;
    if (best < 0 || up < best) topmost[target] = up;
  }
  const full = lines > limit;
  const trunk = Uint8Array.from(long, (edges) => (full || edges >= manyLines ? 1 : 0));
  if (full) {
    const lengths = Int32Array.from(topmost, (up, n) => (up < 0 ? 0 : (layers.of[n] ?? 0) - up - 1));
    const evicted = longestOver(lengths, limit);
    for (let e = 0; e < edgeCount; e++) {
      const target = to[e] ?? 0;
      const isLong = (layers.of[target] ?? 0) - (layers.of[from[e] ?? 0] ?? 0) > 1;
      if (isLong && order.back[e] !== 1 && evicted.has(target)) around[e] = 1;
    }
  }
  const heights = Int32Array.from(laneLast, (end, l) => end - (layers.of[loops.header[l] ?? 0] ?? 0) + 1);
  for (const loop of longestOver(heights, limit)) laneLast[loop] = -1;
  return { trunk, around, laneLast };
}

/** The fewest longest ones whose removal brings the sum of `lengths` under `limit`. */
function longestOver(lengths: Int32Array, limit: number): Set<number> {
  let sum = 0;
  for (const length of lengths) sum += length;
  const result = new Set<number>();
  if (sum <= limit) return result;
  const byLength = Array.from(lengths.keys()).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0) || a - b);
  for (const item of byLength) {
    if (sum <= limit) break;
    sum -= lengths[item] ?? 0;
    result.add(item);
  }
  return result;
}

function longEdgesByRow(graph: FlowGraph, order: FlowOrder, layers: Layers, around: Uint8Array): Map<number, number[]> {
  const result = new Map<number, number[]>();
  for (let e = 0; e < graph.edgeCount; e++) {
    if (order.back[e] === 1 || around[e] === 1) continue;
    const below = (layers.of[graph.from[e] ?? 0] ?? 0) + 1;
    if ((layers.of[graph.to[e] ?? 0] ?? 0) <= below) continue;
    const list = result.get(below);
    if (list === undefined) result.set(below, [e]);
    else list.push(e);
  }
  return result;
}

function lanesByRow(loops: LoopForest, layers: Layers, plan: LinePlan): Map<number, number[]> {
  const result = new Map<number, number[]>();
  for (let l = 0; l < loops.count; l++) {
    if ((plan.laneLast[l] ?? -1) < 0) continue;
    const top = layers.of[loops.header[l] ?? 0] ?? 0;
    const list = result.get(top);
    if (list === undefined) result.set(top, [l]);
    else list.push(l);
  }
  return result;
}

/** A wall begins below its loop's header: beside the header there is nothing yet to be kept out. */
function wallsByRow(loops: LoopForest, layers: Layers, plan: LinePlan): Map<number, number[]> {
  const result = new Map<number, number[]>();
  for (let l = 0; l < loops.count; l++) {
    if (layers.walled[l] !== 1 || (plan.laneLast[l] ?? -1) < 0) continue;
    const top = (layers.of[loops.header[l] ?? 0] ?? 0) + 1;
    if (top > (layers.loopEnd[l] ?? -1)) continue;
    const list = result.get(top);
    if (list === undefined) result.set(top, [l]);
    else list.push(l);
  }
  return result;
}

/** A wall stands left of all cards inside its loop. */
function wallKeys(graph: FlowGraph, order: FlowOrder, loops: LoopForest): Float64Array {
  const keys = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  for (let n = 0; n < graph.count; n++) {
    const own = loops.loopOf[n] ?? -1;
    const inside = own >= 0 && loops.header[own] === n ? (loops.parent[own] ?? -1) : own;
    if (inside >= 0) keys[inside] = Math.min(keys[inside] ?? 0, order.nodeKey[n] ?? 0);
  }
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) keys[around] = Math.min(keys[around] ?? 0, keys[l] ?? 0);
  }
  for (let l = 0; l < loops.count; l++) keys[l] = (keys[l] ?? 0) - 0.5;
  return keys;
}

/** A lane stands right of everything inside its loop. */
function laneKeys(graph: FlowGraph, order: FlowOrder, loops: LoopForest): Float64Array {
  const keys = new Float64Array(loops.count).fill(-1);
  const raise = (loop: number, key: number): void => {
    keys[loop] = Math.max(keys[loop] ?? -1, key);
  };
  for (let n = 0; n < graph.count; n++) {
    const loop = loops.loopOf[n] ?? -1;
    if (loop >= 0) raise(loop, order.nodeKey[n] ?? 0);
  }
  for (let e = 0; e < graph.edgeCount; e++) {
    if (order.back[e] === 1) continue;
    let loop = loops.loopOf[graph.from[e] ?? 0] ?? -1;
    while (loop >= 0 && !loopContains(loops, loop, graph.to[e] ?? 0)) loop = loops.parent[loop] ?? -1;
    if (loop >= 0) raise(loop, order.edgeKey[e] ?? 0);
  }
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) raise(around, keys[l] ?? -1);
  }
  for (let l = 0; l < loops.count; l++) keys[l] = (keys[l] ?? 0) + 0.5;
  return keys;
}

/** Distance from an item's axis (a block's incoming port) to its left and right side. */
export function itemExtent(graph: FlowGraph, rows: Rows, item: number): { left: number; right: number } {
  if (rows.kind[item] !== itemNode) return { left: 0, right: 0 };
  const width = graph.width[rows.ref[item] ?? 0] ?? 0;
  return { left: inPortX(width), right: width - inPortX(width) };
}

/** Where edge `edge` leaves its source, relative to the source's axis. */
export function portOffset(graph: FlowGraph, edge: number): number {
  const node = graph.from[edge] ?? 0;
  const width = graph.width[node] ?? 0;
  return (graph.port[edge] ?? 0) - inPortX(width);
}
