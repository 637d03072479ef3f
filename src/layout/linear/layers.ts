/** Which row each node goes to: as high as its predecessors allow, and whatever follows a loop below all of the loop. */
import { type FlowGraph, group } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import { type LoopForest, loopContains } from "../loop-forest.ts";

export interface Layers {
  readonly count: number;
  /** Node to layer, 0 at the top. */
  readonly of: Int32Array;
}

/**
 * Longest path over the edges that are not back edges, plus one extra vertex per loop that stands for its end: all members
 * come before it, all targets of the loop's exits after it. Those constraints never close a cycle, because an exit's target
 * cannot lead back into the loop without passing the header of a loop around both.
 */
export function assignLayers(graph: FlowGraph, order: FlowOrder, loops: LoopForest): Layers {
  const { count, edgeCount, from, to } = graph;
  const total = count + loops.count;
  const heads: number[] = [];
  const tails: number[] = [];
  const steps: number[] = [];
  const add = (tail: number, head: number, step: number): void => {
    tails.push(tail);
    heads.push(head);
    steps.push(step);
  };
  for (let e = 0; e < edgeCount; e++) {
    if (order.back[e] === 1) continue;
    const source = from[e] ?? 0;
    const target = to[e] ?? 0;
    add(source, target, 1);
    const left = outermostLeft(loops, source, target);
    if (left >= 0) add(count + left, target, 1);
  }
  for (let n = 0; n < count; n++) {
    const loop = loops.loopOf[n] ?? -1;
    if (loop >= 0) add(n, count + loop, 0);
  }
  for (let l = 0; l < loops.count; l++) {
    const around = loops.parent[l] ?? -1;
    if (around >= 0) add(count + l, count + around, 0);
  }

  const level = longestPath(total, tails, heads, steps);
  sinkUnreachable(graph, order, loops, level);
  const of = level.slice(0, count);
  return { count: compact(of), of };
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

function longestPath(total: number, tails: readonly number[], heads: readonly number[], steps: readonly number[]): Int32Array {
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
      level[head] = Math.max(level[head] ?? 0, (level[v] ?? 0) + (steps[c] ?? 0));
      waiting[head] = (waiting[head] ?? 0) - 1;
      if (waiting[head] === 0) queue[end++] = head;
    }
  }
  return level;
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
