/**
 * Ladders: tests one below the other, each with an arm without successors. If all arms share a column, each test must wait for an arm, and
 * the drawing is as tall as all arms together. So the arms of a few tests are side by side, the first one outermost: the line to each
 * passes above the next test, and the tests follow each other closely.
 */
import type { FlowGraph } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import type { Hints } from "./hints.ts";

/** The most arms side by side. */
const MOST = 4;
/** Only arms at least this many times as tall as the tests are put side by side: lower ones hardly delay the tests. */
const HIGHER = 1.5;

/** Arms side by side share the row of the lowest arm: ELK's compaction lifts each up to its test. */
export function combs(hints: Hints): Hints {
  const row = hints.row.slice();
  const arms = new Map<number, Set<number>>();
  for (const [a, b] of sideBySide(hints)) {
    const comb = arms.get(a) ?? arms.get(b) ?? new Set<number>();
    for (const arm of [a, b]) arms.set(arm, comb.add(arm));
  }
  for (const comb of arms.values()) {
    const lowest = Math.max(...Array.from(comb, (arm) => hints.row[arm] ?? 0));
    for (const arm of comb) row[arm] = lowest;
  }
  return { ...hints, row };
}

/** Pairs of nodes in different rows, the first of which must be entirely to the left of the second. */
export function sideBySide({ graph, order, row }: Hints): (readonly [left: number, right: number])[] {
  const pairs: (readonly [number, number])[] = [];
  const below = new Int32Array(graph.count).fill(-1);
  const armOf = new Int32Array(graph.count).fill(-1);
  const hasTest = new Uint8Array(graph.count);
  for (let n = 0; n < graph.count; n++) {
    const rung = rungAt(graph, order, row, n);
    if (rung === null) continue;
    below[n] = rung.next;
    armOf[n] = rung.arm;
    hasTest[rung.next] = 1;
  }
  for (let top = 0; top < graph.count; top++) {
    if ((armOf[top] ?? -1) < 0 || hasTest[top] === 1) continue;
    let arms = 1;
    for (let n = top; n >= 0; n = below[n] ?? -1) {
      const next = below[n] ?? -1;
      const arm = armOf[n] ?? -1;
      const after = next < 0 ? -1 : (armOf[next] ?? -1);
      if (after < 0) break;
      const high = HIGHER * Math.max(graph.height[n] ?? 0, graph.height[next] ?? 0);
      const [a, b] = [order.nodeKey[arm] ?? 0, order.nodeKey[after] ?? 0];
      const left = a < (order.nodeKey[next] ?? 0);
      const same = left === b < (order.nodeKey[below[next] ?? -1] ?? 0);
      if (arms >= MOST || !same || left !== a < b || (graph.height[arm] ?? 0) < high || (graph.height[after] ?? 0) < high) {
        arms = 1;
        continue;
      }
      pairs.push(left ? [arm, after] : [after, arm]);
      arms++;
    }
  }
  return pairs;
}

/** The arm without successors of a test, and the node straight below the test; null if `n` is no such test. */
function rungAt(graph: FlowGraph, order: FlowOrder, row: Int32Array, n: number): { readonly arm: number; readonly next: number } | null {
  const { succStart, succ, predStart, to, main } = graph;
  const begin = succStart[n] ?? 0;
  if ((succStart[n + 1] ?? 0) - begin !== 2) return null;
  const [first, second] = [succ[begin] ?? 0, succ[begin + 1] ?? 0];
  const straight = main[first] !== 0 ? first : second;
  const arm = to[straight === first ? second : first] ?? 0;
  const next = to[straight] ?? 0;
  const lower = (row[n] ?? 0) + 1;
  if (order.back[first] === 1 || order.back[second] === 1 || row[arm] !== lower || row[next] !== lower) return null;
  const leaf = succStart[arm] === succStart[arm + 1] && (predStart[arm + 1] ?? 0) - (predStart[arm] ?? 0) === 1;
  return leaf && (predStart[next + 1] ?? 0) - (predStart[next] ?? 0) === 1 ? { arm, next } : null;
}
