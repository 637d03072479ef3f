/** Measures how far cards move when a graph changes a little, after the surviving ones are aligned by the median, as in the page. */

import type { GraphInput, GraphLayout } from "../types.ts";

export interface Moves {
  /** Pixels to the side of each card that both drawings have. */
  readonly sideways: readonly number[];
  /** Pairs side by side in both drawings, and how many of them have changed sides. */
  readonly pairs: number;
  readonly flips: number;
}

/** `name` says which cards of the two drawings are the same. */
export function movesBetween(before: GraphLayout, after: GraphLayout, name: (id: string, late: boolean) => string): Moves {
  const was = new Map(before.nodes.map((n) => [name(n.id, false), n]));
  const kept = after.nodes.flatMap((now) => {
    const old = was.get(name(now.id, true));
    return old === undefined ? [] : [{ old, now }];
  });
  const steps = kept.map(({ old, now }) => now.x - old.x).sort((a, b) => a - b);
  const middle = steps[steps.length >> 1] ?? 0;
  let pairs = 0;
  let flips = 0;
  kept.forEach((a, i) => {
    for (const b of kept.slice(i + 1)) {
      const beside = (p: { y: number; height: number }, q: { y: number; height: number }) => p.y < q.y + q.height && q.y < p.y + p.height;
      if (!beside(a.old, b.old) || !beside(a.now, b.now)) continue;
      pairs++;
      if (a.old.x < b.old.x !== a.now.x < b.now.x) flips++;
    }
  });
  return { sideways: steps.map((s) => Math.abs(s - middle)), pairs, flips };
}

/** The graph without a block: edges into it lead to its first successor. */
export function withoutBlock(input: GraphInput, id: string): GraphInput {
  const next = input.edges.find((e) => e.from === id && e.to !== id)?.to;
  const edges = input.edges.flatMap((e) => {
    if (e.from === id) return [];
    if (e.to !== id) return [e];
    return next === undefined ? [] : [{ ...e, to: next }];
  });
  return { nodes: input.nodes.filter((n) => n.id !== id), edges, entry: input.entry };
}

/** The value that this fraction of all values is below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
