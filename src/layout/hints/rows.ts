/**
 * Chooses each card's row: as high as its predecessors allow. Everything after a loop is below all of it. If that makes the drawing much
 * taller than its longest path, the exit target of a loop's header is next to the loop instead, on its left.
 */
import { type FlowGraph, outOf } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import { type LoopForest, loopContains, outermostLeft } from "../loop-forest.ts";
import type { Spacing } from "../types.ts";
import type { Hints } from "./hints.ts";

/** With loops one below the other, a drawing may be taller by this factor plus this many pixels: tall drawings can be folded into columns. */
const TALLER = { times: 2.5, pixels: 500 } as const;

export function rows(hints: Hints, spacing: Spacing): Hints {
  const stacked = arranged(hints, spacing, null);
  const free = arranged(hints, spacing, besideLoops(hints));
  // In an irreducible graph the constraints may be cyclic; then nothing is placed next to a loop.
  const chosen = free.all && stacked.tall > TALLER.times * free.tall + TALLER.pixels ? free : stacked;
  const row = chosen.row;
  sinkUnreachable(hints, row);
  const { count, loopOf, parent } = hints.loops;
  const loopEnd = new Int32Array(count).fill(-1);
  row.forEach((own, n) => {
    for (let l = loopOf[n] ?? -1; l >= 0; l = parent[l] ?? -1) loopEnd[l] = Math.max(loopEnd[l] ?? 0, own);
  });
  return { ...hints, row, loopEnd, walled: chosen.beside?.walled ?? new Uint8Array(count) };
}

/** The cards that may be on the left of loops. */
interface Beside {
  readonly walled: Uint8Array;
  /** Loop to the positions from left to right of the first card next to it, and of the loop's first and last card. */
  readonly start: Float64Array;
  readonly first: Float64Array;
  readonly last: Float64Array;
}

function besideLoops({ graph, order, loops }: Hints): Beside {
  const first = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  const last = new Float64Array(loops.count).fill(Number.NEGATIVE_INFINITY);
  for (let n = 0; n < graph.count; n++) {
    const key = order.nodeKey[n] ?? 0;
    // A header is above its own loop, but in the loops around it.
    for (let l = loops.loopOf[n] ?? -1; l >= 0; l = loops.parent[l] ?? -1) {
      if (loops.header[l] === n) continue;
      first[l] = Math.min(first[l] ?? 0, key);
      last[l] = Math.max(last[l] ?? 0, key);
    }
  }
  const walled = new Uint8Array(loops.count);
  const start = new Float64Array(loops.count).fill(Number.POSITIVE_INFINITY);
  for (let e = 0; e < graph.edgeCount; e++) {
    const [source, target] = [graph.from[e] ?? 0, graph.to[e] ?? 0];
    const left = order.back[e] === 1 ? -1 : outermostLeft(loops, source, target);
    const key = order.nodeKey[target] ?? 0;
    if (left < 0 || loops.header[left] !== source || key >= (first[left] ?? 0)) continue;
    walled[left] = 1;
    start[left] = Math.min(start[left] ?? 0, key);
  }
  return { walled, start, first, last };
}

interface Arranged {
  readonly row: Int32Array;
  readonly beside: Beside | null;
  /** Height in pixels of the longest path down. */
  readonly tall: number;
  /** Whether everything has a row, that is, the constraints are acyclic. */
  readonly all: boolean;
}

/** The longest path over forward edges, with one more vertex for each loop: its end, below all its cards and above what follows. */
function arranged(hints: Hints, spacing: Spacing, beside: Beside | null): Arranged {
  const { graph, loops } = hints;
  const total = graph.count + loops.count;
  const below: { readonly lower: number; readonly rows: number }[][] = Array.from({ length: total }, () => []);
  const waiting = new Int32Array(total);
  constrain(hints, beside, (upper, lower, rows) => {
    below[upper]?.push({ lower, rows });
    waiting[lower] = (waiting[lower] ?? 0) + 1;
  });
  const level = new Int32Array(total);
  const top = new Float64Array(total);
  let tall = 0;
  const queue = Array.from(level.keys()).filter((v) => waiting[v] === 0);
  for (const v of queue) {
    const bottom = (top[v] ?? 0) + (v < graph.count ? (graph.height[v] ?? 0) + spacing.layer : 0);
    tall = Math.max(tall, bottom);
    for (const { lower, rows } of below[v] ?? []) {
      level[lower] = Math.max(level[lower] ?? 0, (level[v] ?? 0) + rows);
      top[lower] = Math.max(top[lower] ?? 0, bottom);
      const left = (waiting[lower] ?? 0) - 1;
      waiting[lower] = left;
      if (left === 0) queue.push(lower);
    }
  }
  return { row: level.slice(0, graph.count), beside, tall, all: queue.length === total };
}

type Say = (upper: number, lower: number, rows: number) => void;

function constrain({ graph, order, loops }: Hints, beside: Beside | null, say: Say): void {
  const end = (loop: number): number => graph.count + loop;
  for (let e = 0; e < graph.edgeCount; e++) {
    if (order.back[e] === 1) continue;
    const [source, target] = [graph.from[e] ?? 0, graph.to[e] ?? 0];
    say(source, target, 1);
    const left = outermostLeft(loops, source, target);
    const key = order.nodeKey[target] ?? 0;
    const isBeside = beside !== null && left >= 0 && loops.header[left] === source && key < (beside.first[left] ?? 0);
    if (left >= 0 && !isBeside) say(end(left), target, 1);
    if (beside === null) continue;
    // A line from the left of a loop to its right passes under it.
    const from = order.nodeKey[source] ?? 0;
    for (let l = 0; l < loops.count; l++) {
      const isLeft = beside.walled[l] === 1 && from >= (beside.start[l] ?? 0) && from < (beside.first[l] ?? 0);
      if (isLeft && key > (beside.last[l] ?? 0) && !loopContains(loops, l, source)) say(end(l), target, 1);
    }
  }
  for (let n = 0; n < graph.count; n++) {
    const loop = loops.loopOf[n] ?? -1;
    if (loop >= 0) say(n, end(loop), 0);
    // A block is below the cards whose lines into it end in tags, so that its other incoming lines stay clear of them.
    const beyond = graph.beyond[n] ?? -1;
    if (beyond >= 0 && (order.number[beyond] ?? 0) > (order.number[n] ?? 0)) say(n, beyond, 1);
  }
  loops.parent.forEach((around, l) => {
    if (around >= 0) say(end(l), end(around), 0);
  });
  commonCasesBelow(graph, loops, say);
  if (beside !== null) latchesUnderLoops(graph, order, loops, (loop, latch) => say(end(loop), latch, 0));
}

/**
 * Blocks whose lines into a common exit end in tags are the leaves of the drawing. A leaf with several predecessors, such as the default
 * case of a search, is below the leaves with fewer: the lines into it pass under them.
 */
function commonCasesBelow({ count, beyond, predStart, succStart }: FlowGraph, loops: LoopForest, say: Say): void {
  const ways = (n: number): number => (predStart[n + 1] ?? 0) - (predStart[n] ?? 0);
  const leaves = new Map<number, number[]>();
  for (let n = 0; n < count; n++) {
    const exit = beyond[n] ?? -1;
    if (exit >= 0 && succStart[n] === succStart[n + 1]) leaves.set(exit, [...(leaves.get(exit) ?? []), n]);
  }
  for (const own of leaves.values()) {
    for (const lower of own) {
      if (ways(lower) < 2) continue;
      for (const upper of own) if (ways(upper) < ways(lower) && loops.loopOf[upper] === loops.loopOf[lower]) say(upper, lower, 1);
    }
  }
}

/** A latch without other successors in its loop is no higher than the ends of the inner loops: its back edge passes under them. */
function latchesUnderLoops(graph: FlowGraph, order: FlowOrder, loops: LoopForest, say: (loop: number, latch: number) => void): void {
  for (let e = 0; e < graph.edgeCount; e++) {
    const latch = graph.from[e] ?? 0;
    const loop = loops.loopOf[latch] ?? -1;
    if (order.back[e] !== 1 || loop < 0 || loops.header[loop] !== graph.to[e]) continue;
    if (outOf(graph, latch).some((x) => order.back[x] !== 1 && loopContains(loops, loop, graph.to[x] ?? 0))) continue;
    for (let l = loop + 1; l <= (loops.last[loop] ?? -1); l++) if (loops.parent[l] === loop) say(l, latch);
  }
}

/** Moves unreachable blocks down to right above their successors. */
function sinkUnreachable({ graph, order, loops }: Hints, row: Int32Array): void {
  for (const n of order.rpo.toReversed()) {
    if (order.reachable[n] === 1 || (loops.loopOf[n] ?? -1) >= 0) continue;
    const above = outOf(graph, n).reduce((least, e) => Math.min(least, (row[graph.to[e] ?? 0] ?? 0) - 1), Number.POSITIVE_INFINITY);
    if (above < Number.POSITIVE_INFINITY) row[n] = Math.max(row[n] ?? 0, above);
  }
}
