/**
 * Which row each node goes to: as high as its predecessors allow. What follows a loop stands below all of it; where that would make the
 * drawing much taller than its longest way down, what a loop's header leaves to stands beside the loop instead, outside its frame.
 */
import { type FlowGraph, group } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import { type LoopForest, loopContains } from "../loop-forest.ts";
import type { Spacing } from "../types.ts";

export interface Layers {
  readonly count: number;
  /** Node to layer, 0 at the top. */
  readonly of: Int32Array;
  /** Loop to its lowest layer. */
  readonly loopEnd: Int32Array;
  /** Per loop: 1 if something that leaves it stands on its left, so that its left side has to be kept. */
  readonly walled: Uint8Array;
}

/** Loops end to end may make a drawing so many times, and so many pixels, taller than the longest way. */
const TALLER = { times: 1.1, pixels: 500 } as const;
/** Loops on the left of which an edge's source stands that are looked at. */
const MOST_SIDES = 64;
/** Latches of a loop that are brought under the loops inside it. */
const MOST_LATCHES = 8;

/** Constraints between vertices: nodes, and after them one for the end of each loop. */
interface Below {
  readonly tails: number[];
  readonly heads: number[];
  readonly steps: number[];
}

/**
 * Longest path over the edges that are not back edges, plus one extra vertex per loop that stands for its end: all members
 * come before it, all targets of the loop's exits after it. Those constraints never close a cycle, because an exit's target
 * cannot lead back into the loop without passing the header of a loop around both.
 */
export function assignLayers(graph: FlowGraph, order: FlowOrder, loops: LoopForest, spacing: Spacing): Layers {
  const stacked = constraints(graph, order, loops, null);
  const sides = besideExits(graph, order, loops);
  const free = sides === null ? null : constraints(graph, order, loops, sides);
  // In an irreducible graph the ways under loops may ask for the impossible: then there is no least height.
  const least = free === null ? null : tallest(graph, loops, free, spacing);
  const beside = least !== null && (tallest(graph, loops, stacked, spacing) ?? 0) > TALLER.times * least + TALLER.pixels;
  const { level } = longestPath(graph.count + loops.count, beside && free !== null ? free : stacked, null);
  sinkUnreachable(graph, order, loops, level);
  const of = level.slice(0, graph.count);
  const count = compact(of);
  const loopEnd = new Int32Array(loops.count).fill(-1);
  for (let n = 0; n < graph.count; n++) {
    const l = loops.loopOf[n] ?? -1;
    if (l >= 0) loopEnd[l] = Math.max(loopEnd[l] ?? 0, of[n] ?? 0);
  }
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) loopEnd[around] = Math.max(loopEnd[around] ?? 0, loopEnd[l] ?? 0);
  }
  return { count, of, loopEnd, walled: beside && sides !== null ? sides.walled : new Uint8Array(loops.count) };
}

/** Exits that may stand beside their loops. */
interface Sides {
  /** Per edge: 1 if its target need not stand below the loop that the edge leaves. */
  readonly exit: Uint8Array;
  readonly walled: Uint8Array;
  /** Loop with an exit on its left to the order's places between which that exit and all after it lie, up to the loop's own cards. */
  readonly from: Float64Array;
  readonly upTo: Float64Array;
  readonly past: Float64Array;
}

/** The ways out of headers whose targets lie left or right of everything in the loop; null if there are none. */
function besideExits(graph: FlowGraph, order: FlowOrder, loops: LoopForest): Sides | null {
  const { count, edgeCount, from, to } = graph;
  const first = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  const last = new Float64Array(loops.count).fill(Number.NEGATIVE_INFINITY);
  for (let n = 0; n < count; n++) {
    const key = order.nodeKey[n] ?? 0;
    const own = loops.loopOf[n] ?? -1;
    if (own < 0) continue;
    // A header stands above its own loop, but in the loops around it.
    const inside = loops.header[own] === n ? (loops.parent[own] ?? -1) : own;
    if (inside >= 0) {
      first[inside] = Math.min(first[inside] ?? 0, key);
      last[inside] = Math.max(last[inside] ?? 0, key);
    }
  }
  for (let l = loops.count - 1; l >= 0; l--) {
    const around = loops.parent[l] ?? -1;
    if (around < 0) continue;
    first[around] = Math.min(first[around] ?? 0, first[l] ?? 0);
    last[around] = Math.max(last[around] ?? 0, last[l] ?? 0);
  }
  const exit = new Uint8Array(edgeCount);
  const walled = new Uint8Array(loops.count);
  const start = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  let any = false;
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const loop = loops.loopOf[source] ?? -1;
    if (order.back[e] === 1 || loop < 0 || loops.header[loop] !== source) continue;
    if (outermostLeft(loops, source, to[e] ?? 0) !== loop || (first[loop] ?? 0) > (last[loop] ?? 0)) continue;
    const key = order.nodeKey[to[e] ?? 0] ?? 0;
    if (key > (first[loop] ?? 0) && key < (last[loop] ?? 0)) continue;
    exit[e] = 1;
    any = true;
    if (key > (last[loop] ?? 0)) continue;
    walled[loop] = 1;
    start[loop] = Math.min(start[loop] ?? 0, key);
  }
  return any ? { exit, walled, from: start, upTo: first, past: last } : null;
}

function constraints(graph: FlowGraph, order: FlowOrder, loops: LoopForest, sides: Sides | null): Below {
  const { count, edgeCount, from, to } = graph;
  const below: Below = { tails: [], heads: [], steps: [] };
  const add = (tail: number, head: number, step: number): void => {
    below.tails.push(tail);
    below.heads.push(head);
    below.steps.push(step);
  };
  const leftOf = sides === null ? null : loopsOnTheRight(graph, order, loops, sides);
  for (let e = 0; e < edgeCount; e++) {
    if (order.back[e] === 1) continue;
    const source = from[e] ?? 0;
    const target = to[e] ?? 0;
    add(source, target, 1);
    const left = outermostLeft(loops, source, target);
    if (left >= 0 && sides?.exit[e] !== 1) add(count + left, target, 1);
    if (sides === null || leftOf === null) continue;
    // A line from the left of a loop to its right passes under it.
    const key = order.nodeKey[target] ?? 0;
    let loop = leftOf.of[source] ?? -1;
    for (let i = 0; loop >= 0 && i < MOST_SIDES; i++, loop = leftOf.next[loop] ?? -1) {
      if (key > (sides.past[loop] ?? 0) && !loopContains(loops, loop, source)) add(count + loop, target, 1);
    }
  }
  for (let n = 0; n < count; n++) {
    const loop = loops.loopOf[n] ?? -1;
    if (loop >= 0) add(n, count + loop, 0);
    // Lines into a block stay clear of the cards whose own lines into it end in tags.
    const beyond = graph.beyond[n] ?? -1;
    if (beyond >= 0 && (order.number[beyond] ?? 0) > (order.number[n] ?? 0)) add(n, beyond, 1);
  }
  commonCasesBelow(graph, loops, (upper, lower) => add(upper, lower, 1));
  for (let l = 0; l < loops.count; l++) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) add(count + l, count + around, 0);
  }
  if (sides !== null) latchesUnderLoops(graph, order, loops, (latch, loop) => add(count + loop, latch, 0));
  return below;
}

/**
 * Blocks whose lines into a common exit end in tags are the leaves of the drawing. One that several branches lead to, such as the default case
 * of a search, stands below those that fewer lead to: the lines into it pass under them.
 */
function commonCasesBelow(
  { count, beyond, predStart, succStart }: FlowGraph,
  loops: LoopForest,
  say: (upper: number, lower: number) => void,
): void {
  const ways = (n: number): number => (predStart[n + 1] ?? 0) - (predStart[n] ?? 0);
  const leaves = new Map<number, number[]>();
  for (let n = 0; n < count; n++) {
    const exit = beyond[n] ?? -1;
    if (exit >= 0 && succStart[n] === succStart[n + 1]) leaves.set(exit, [...(leaves.get(exit) ?? []), n]);
  }
  for (const own of leaves.values()) {
    for (const lower of own) {
      if (ways(lower) < 2) continue;
      for (const upper of own) if (ways(upper) < ways(lower) && loops.loopOf[upper] === loops.loopOf[lower]) say(upper, lower);
    }
  }
}

/**
 * A block that only leads back to the header of a loop does not stand beside the loops inside that one, but as low as they end: its line
 * back passes under them, and not across what comes out of them.
 */
function latchesUnderLoops(graph: FlowGraph, order: FlowOrder, loops: LoopForest, say: (latch: number, loop: number) => void): void {
  const { count, edgeCount, from, to } = graph;
  /** Loop to its latches that lead nowhere else in it; a block is a latch of its innermost loop only. */
  const latches: number[][] = Array.from({ length: loops.count }, () => []);
  const goesOn = new Uint8Array(count);
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const loop = loops.loopOf[source] ?? -1;
    if (order.back[e] !== 1 && loop >= 0 && loopContains(loops, loop, to[e] ?? 0)) goesOn[source] = 1;
  }
  for (let e = 0; e < edgeCount; e++) {
    const source = from[e] ?? 0;
    const loop = loops.loopOf[source] ?? -1;
    if (order.back[e] === 1 && loop >= 0 && loops.header[loop] === to[e] && goesOn[source] === 0) latches[loop]?.push(source);
  }
  for (let l = 0; l < loops.count; l++) {
    // Past a few latches the loops are so many that no line passes under all of them.
    for (const latch of (latches[loops.parent[l] ?? -1] ?? []).slice(0, MOST_LATCHES)) say(latch, l);
  }
}

/** Node to the nearest loop that it stands on the left of, and from each such loop to the next. */
function loopsOnTheRight(graph: FlowGraph, order: FlowOrder, loops: LoopForest, sides: Sides): { of: Int32Array; next: Int32Array } {
  const of = new Int32Array(graph.count).fill(-1);
  const next = new Int32Array(loops.count).fill(-1);
  const starts = Array.from({ length: loops.count }, (_, l) => l).filter((l) => sides.walled[l] === 1);
  starts.sort((a, b) => (sides.from[a] ?? 0) - (sides.from[b] ?? 0) || (sides.upTo[b] ?? 0) - (sides.upTo[a] ?? 0));
  const nodes = Array.from({ length: graph.count }, (_, n) => n).sort((a, b) => (order.nodeKey[a] ?? 0) - (order.nodeKey[b] ?? 0));
  const open: number[] = [];
  let s = 0;
  for (const n of nodes) {
    const key = order.nodeKey[n] ?? 0;
    while (open.length > 0 && (sides.upTo[open.at(-1) ?? 0] ?? 0) <= key) open.pop();
    for (; s < starts.length && (sides.from[starts[s] ?? 0] ?? 0) <= key; s++) {
      const loop = starts[s] ?? 0;
      next[loop] = open.at(-1) ?? -1;
      open.push(loop);
    }
    of[n] = open.at(-1) ?? -1;
  }
  return { of, next };
}

/** Pixels of the tallest way down that the constraints make; null if they run in a circle. */
function tallest(graph: FlowGraph, loops: LoopForest, below: Below, spacing: Spacing): number | null {
  const heights = new Float64Array(graph.count + loops.count);
  for (let n = 0; n < graph.count; n++) heights[n] = (graph.height[n] ?? 0) + spacing.layer;
  const { level: tops, all } = longestPath(heights.length, below, heights);
  if (!all) return null;
  let most = 0;
  for (let n = 0; n < graph.count; n++) most = Math.max(most, (tops[n] ?? 0) + (heights[n] ?? 0));
  return most;
}

/** The outermost loop that holds `source` but not `target`, or -1. */
function outermostLeft(loops: LoopForest, source: number, target: number): number {
  let result = -1;
  for (let loop = loops.loopOf[source] ?? -1; loop >= 0; loop = loops.parent[loop] ?? -1) {
    if (loopContains(loops, loop, target)) break;
    result = loop;
  }
  return result;
}

/** Level of each vertex, or with `heights` how far down its top is, and whether every vertex has one. */
function longestPath(
  total: number,
  { tails, heads, steps }: Below,
  heights: Float64Array | null,
): { readonly level: Int32Array; readonly all: boolean } {
  const { start, items } = group(Int32Array.from(tails), total);
  const waiting = new Int32Array(total);
  for (const head of heads) waiting[head] = (waiting[head] ?? 0) + 1;
  const level = new Int32Array(total);
  const queue = new Int32Array(total);
  let end = 0;
  for (let v = 0; v < total; v++) if (waiting[v] === 0) queue[end++] = v;
  for (let i = 0; i < end; i++) {
    const v = queue[i] ?? 0;
    for (let k = start[v] ?? 0; k < (start[v + 1] ?? 0); k++) {
      const c = items[k] ?? 0;
      const head = heads[c] ?? 0;
      const step = heights === null ? (steps[c] ?? 0) : (heights[v] ?? 0);
      level[head] = Math.max(level[head] ?? 0, (level[v] ?? 0) + step);
      waiting[head] = (waiting[head] ?? 0) - 1;
      if (waiting[head] === 0) queue[end++] = head;
    }
  }
  return { level, all: end === total };
}

/** Unreachable blocks that lead into the rest sit right above what they lead to, not at the top of the drawing. */
function sinkUnreachable(graph: FlowGraph, order: FlowOrder, loops: LoopForest, level: Int32Array): void {
  const { succ, succStart, to } = graph;
  for (let i = graph.count - 1; i >= 0; i--) {
    const n = order.rpo[i] ?? 0;
    if (order.reachable[n] === 1 || (loops.loopOf[n] ?? -1) >= 0) continue;
    let lowest = -1;
    for (let k = succStart[n] ?? 0; k < (succStart[n + 1] ?? 0); k++) {
      const below = (level[to[succ[k] ?? 0] ?? 0] ?? 0) - 1;
      if (lowest < 0 || below < lowest) lowest = below;
    }
    if (lowest > (level[n] ?? 0)) level[n] = lowest;
  }
}

/** Renumbers so that every layer holds a node; returns how many there are. */
function compact(of: Int32Array): number {
  let top = -1;
  for (const l of of) top = Math.max(top, l);
  const used = new Int32Array(top + 1);
  for (const l of of) used[l] = 1;
  let next = 0;
  for (let l = 0; l <= top; l++) {
    const keep = used[l] === 1;
    used[l] = next;
    if (keep) next++;
  }
  for (let n = 0; n < of.length; n++) of[n] = used[of[n] ?? 0] ?? 0;
  return next;
}
