/** Where a transport command leads inside one trace, computed from the trace's columns alone. */

import type { TraceInfo } from "../../engine/api/types.ts";
import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";

export type Direction = 1 | -1;

/** Step numbers run from -1 (the phase's input) to `steps - 1`. */
export function clampStep(trace: TraceInfo, step: number): number {
  return Math.max(-1, Math.min(trace.steps - 1, Math.trunc(step)));
}

/** Past everything nested inside the current step (backwards: to the step before it on the same level or above). */
export function stepOver(trace: TraceInfo, from: number, direction: Direction): number | null {
  if (from === -1) return direction === 1 && trace.steps > 0 ? 0 : null;
  const depth = trace.depths[from] ?? 0;
  return scan(trace, from, direction, (step) => (trace.depths[step] ?? 0) <= depth, direction === -1 ? -1 : null);
}

/** Out of the span that encloses the current step (backwards: to the event that opened it). */
export function stepOut(trace: TraceInfo, from: number, direction: Direction): number | null {
  if (from === -1) return null;
  if (direction === -1) return trace.parents[from] ?? -1;
  const depth = trace.depths[from] ?? 0;
  const found = scan(trace, from, 1, (step) => (trace.depths[step] ?? 0) < depth, null);
  return found ?? (from < trace.steps - 1 ? trace.steps - 1 : null);
}

/** The next step that changed the program. */
export function toChange(trace: TraceInfo, from: number, direction: Direction): number | null {
  return scan(trace, from, direction, (step) => trace.changes[step] === 1, null);
}

/** The rewrite that the first change of the program belongs to, or that change itself; -1 if nothing changes. */
export function firstDecision(trace: TraceInfo): number {
  const change = toChange(trace, -1, 1);
  if (change === null) return -1;
  const parent = trace.parents[change] ?? -1;
  return parent >= 0 && trace.kinds[parent] === EVENT_KINDS.indexOf("rewrite") ? parent : change;
}

/** The next event of one of these kinds. */
export function toKind(trace: TraceInfo, from: number, direction: Direction, kinds: readonly EventKind[]): number | null {
  const wanted = new Uint8Array(EVENT_KINDS.length);
  for (const kind of kinds) wanted[EVENT_KINDS.indexOf(kind)] = 1;
  return scan(trace, from, direction, (step) => wanted[trace.kinds[step] ?? 0] === 1, null);
}

/** The next tick of a sorted list of steps. */
export function toTick(ticks: Int32Array, from: number, direction: Direction): number | null {
  let low = 0;
  let high = ticks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const tick = ticks[middle] ?? 0;
    if (direction === 1 ? tick <= from : tick < from) low = middle + 1;
    else high = middle;
  }
  return ticks[direction === 1 ? low : low - 1] ?? null;
}

/** The next step whose pseudocode line is visible, skipping those whose line is folded; null at either end. */
export function toVisibleLine(trace: TraceInfo, from: number, direction: Direction, hidden: ReadonlySet<number>): number | null {
  return scan(trace, from, direction, (step) => !hidden.has(trace.lines[step] ?? 0), direction === -1 && from >= 0 ? -1 : null);
}

function scan(
  trace: TraceInfo,
  from: number,
  direction: Direction,
  stop: (step: number) => boolean,
  otherwise: number | null,
): number | null {
  for (let step = from + direction; step >= 0 && step < trace.steps; step += direction) if (stop(step)) return step;
  return otherwise;
}
