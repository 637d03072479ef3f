/**
 * Estimates, before the layout, the lengths of lines and the number of elements that ELK must place. Assumes that the longest path down
 * determines each row, and that a row's cards are side by side.
 */
import { flowGraph, outOf } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import type { GraphInput, Spacing } from "./types.ts";

/** Factor for the detours of lines around cards. */
const AROUND = 1.75;

export interface Estimate {
  /** Pixels of each edge that does not lead back, by id. */
  readonly lengths: ReadonlyMap<string, number>;
  /** Number of cards plus rows that lines pass: ELK's time depends on it. */
  readonly places: number;
}

export function estimate(input: GraphInput, spacing: Spacing): Estimate {
  const graph = flowGraph(input);
  const order = flowOrder(graph);
  const { count, from, to, width, height } = graph;
  const top = new Float64Array(count);
  const row = new Int32Array(count);
  for (const n of order.rpo) {
    for (const e of outOf(graph, n)) {
      if (order.back[e] === 1) continue;
      const target = to[e] ?? 0;
      top[target] = Math.max(top[target] ?? 0, (top[n] ?? 0) + (height[n] ?? 0) + spacing.layer);
      row[target] = Math.max(row[target] ?? 0, (row[n] ?? 0) + 1);
    }
  }
  const end = new Float64Array(count);
  const middle = new Float64Array(count);
  for (const n of Array.from(order.nodeKey.keys()).sort((a, b) => (order.nodeKey[a] ?? 0) - (order.nodeKey[b] ?? 0))) {
    const left = end[row[n] ?? 0] ?? 0;
    middle[n] = left + (width[n] ?? 0) / 2;
    end[row[n] ?? 0] = left + (width[n] ?? 0) + spacing.node;
  }
  const lengths = new Map<string, number>();
  let places = count;
  graph.edgeIds.forEach((id, e) => {
    const [a, b] = [from[e] ?? 0, to[e] ?? 0];
    places += Math.max(0, Math.abs((row[b] ?? 0) - (row[a] ?? 0)) - 1);
    if (order.back[e] === 1) return;
    // Rows are centred on one axis.
    const x = (n: number): number => (middle[n] ?? 0) - (end[row[n] ?? 0] ?? 0) / 2;
    lengths.set(id, AROUND * (Math.abs(x(a) - x(b)) + Math.max(0, (top[b] ?? 0) - (top[a] ?? 0) - (height[a] ?? 0))));
  });
  return { lengths, places };
}
