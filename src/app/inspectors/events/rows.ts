/** Which events the log shows: by kind, by text, with spans closed or open. Works on columns, so a million events are fine. */

import type { TraceInfo } from "../../../engine/api/types.ts";
import { GROUP_OF_KIND, KIND_GROUPS, type KindGroup } from "../../session/event-kinds.ts";

/**
 * Steps to show, in order. A closed span hides its descendants; a hidden group hides its own events only.
 * `matches` (steps whose text matches, or null: all) narrows further and opens everything.
 */
export function visibleSteps(
  trace: TraceInfo,
  hidden: readonly KindGroup[],
  closed: ReadonlySet<number>,
  matches: ReadonlySet<number> | null,
): Int32Array {
  const off = new Uint8Array(KIND_GROUPS.length);
  for (const group of hidden) off[KIND_GROUPS.indexOf(group)] = 1;
  const rows = new Int32Array(trace.steps);
  let count = 0;
  let closedDepth = Number.POSITIVE_INFINITY;
  for (let step = 0; step < trace.steps; step++) {
    const depth = trace.depths[step] ?? 0;
    if (matches === null) {
      if (depth > closedDepth) continue;
      closedDepth = closed.has(step) ? depth : Number.POSITIVE_INFINITY;
    } else if (!matches.has(step)) continue;
    if (off[GROUP_OF_KIND[trace.kinds[step] ?? 0] ?? 0] === 1) continue;
    rows[count++] = step;
  }
  return rows.slice(0, count);
}

/** Position of a step in the rows, or of the last row before it. */
export function rowOfStep(rows: Int32Array, step: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] ?? 0) <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** True when the event encloses the one after it. */
export function opensSpan(trace: TraceInfo, step: number): boolean {
  return step + 1 < trace.steps && (trace.depths[step + 1] ?? 0) > (trace.depths[step] ?? 0);
}
