/** The rewrites of the open trace: which one a step belongs to, and how to find a step of one. */

import type { PhaseRun, TraceInfo } from "../../engine/api/types.ts";

/** A rewrite of the open phase. */
export interface RewriteAt {
  /** Number among those that requested permission: `RUN#N` of a skip. */
  readonly n: number;
  /** Rewrites of this run that were done before it: what fuel counts. */
  readonly before: number;
  readonly refused: boolean;
  readonly from: number;
  /** The step after its last. */
  readonly to: number;
}

/**
 * The innermost rewrite that a step belongs to. A match that was found belongs to the rewrite that follows it, and a change that is in none to the
 * one before it: several rewrites of an instruction are written at once.
 */
export function rewriteAt(trace: TraceInfo | null, step: number, found: boolean): RewriteAt | null {
  const columns = trace?.rewrites ?? null;
  if (columns === null || step < 0) return null;
  let inside = -1;
  let last = -1;
  let next = -1;
  for (let i = 0; i < columns.n.length; i++) {
    const from = columns.from[i] ?? 0;
    if (from <= step && step < (columns.to[i] ?? 0)) inside = i;
    if (from <= step && columns.refused[i] === 0) last = i;
    if (from > step) {
      next = i;
      break;
    }
  }
  const index = inside >= 0 ? inside : found ? next : trace?.changes[step] === 1 ? last : -1;
  return index < 0 ? null : atIndex(columns, index);
}

function atIndex(columns: NonNullable<TraceInfo["rewrites"]>, index: number): RewriteAt {
  const n = columns.n[index] ?? 0;
  let before = 0;
  // Nested rewrites are listed before the end of the enclosing one; fuel counts by number.
  for (let i = 0; i < columns.n.length; i++) if ((columns.n[i] ?? 0) < n && columns.refused[i] === 0) before++;
  return { n, before, refused: columns.refused[index] === 1, from: columns.from[index] ?? 0, to: columns.to[index] ?? 0 };
}

/** The last step of the `count`-th rewrite that was done, from 1; null if the trace has fewer. */
export function stepOfRewrite(trace: TraceInfo | null, count: number): number | null {
  const columns = trace?.rewrites ?? null;
  if (columns === null) return null;
  const done: number[] = [];
  columns.n.forEach((n, i) => {
    if (columns.refused[i] === 0) done.push(n);
  });
  const n = done.sort((a, b) => a - b)[count - 1];
  const index = n === undefined ? -1 : columns.n.indexOf(n);
  if (index < 0 || trace === null) return null;
  const from = columns.from[index] ?? 0;
  const end = Math.max(from, (columns.to[index] ?? 0) - 1);
  // Changes that are in no rewrite belong to the one before them.
  const next = columns.from.find((f) => f > end) ?? trace.steps;
  for (let step = next - 1; step > end; step--) if (trace.changes[step] === 1) return step;
  return end;
}

/** The number of rewrites in all runs before each run: what the fuel slider counts. */
export function rewritesBefore(phases: readonly PhaseRun[]): readonly number[] {
  let sum = 0;
  return phases.map(({ rewrites }) => {
    const before = sum;
    sum += rewrites;
    return before;
  });
}

/** The run and its own count of the `n`-th rewrite of all, from 1. */
export function nthRewrite(phases: readonly PhaseRun[], n: number): { readonly run: number; readonly own: number } | null {
  const before = rewritesBefore(phases);
  const run = phases.findIndex((phase, i) => n > (before[i] ?? 0) && n <= (before[i] ?? 0) + phase.rewrites);
  return run < 0 ? null : { run, own: n - (before[run] ?? 0) };
}
