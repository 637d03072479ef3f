/** The scrubber's picture as numbers: how many events of each group fall on each pixel column, and where spans are. */

import type { TraceInfo } from "../../engine/api/types.ts";
import { GROUP_OF_KIND, KIND_GROUPS } from "../session/event-kinds.ts";

export interface Lanes {
  readonly columns: number;
  /** `counts[group * columns + column]`. */
  readonly counts: Float32Array;
  /** The largest count of each group. */
  readonly peaks: Float32Array;
  readonly spans: readonly Span[];
}

export interface Span {
  /** Steps, both included. */
  readonly first: number;
  readonly last: number;
  readonly depth: number;
}

/** Levels of nesting that are drawn. */
export const SPAN_LEVELS = 3;
/** More spans than this at a level are left out: they would be thinner than a pixel. */
const MAX_SPANS = 4_000;

export function computeLanes(trace: TraceInfo, columns: number): Lanes {
  const width = Math.max(1, Math.min(columns, Math.max(1, trace.steps)));
  const counts = new Float32Array(KIND_GROUPS.length * width);
  for (let step = 0; step < trace.steps; step++) {
    const group = GROUP_OF_KIND[trace.kinds[step] ?? 0] ?? 0;
    const column = Math.min(width - 1, Math.floor((step * width) / trace.steps));
    counts[group * width + column] = (counts[group * width + column] ?? 0) + 1;
  }
  const peaks = new Float32Array(KIND_GROUPS.length);
  for (let group = 0; group < KIND_GROUPS.length; group++) {
    for (let column = 0; column < width; column++) peaks[group] = Math.max(peaks[group] ?? 0, counts[group * width + column] ?? 0);
  }
  return { columns: width, counts, peaks, spans: spansOf(trace) };
}

/** Spans are what events with children cover: from the event to its last descendant. */
function spansOf(trace: TraceInfo): readonly Span[] {
  const spans: Span[] = [];
  const open: { first: number; depth: number }[] = [];
  const close = (span: { first: number; depth: number }, last: number) => {
    if (last > span.first && span.depth < SPAN_LEVELS && spans.length < MAX_SPANS)
      spans.push({ first: span.first, last, depth: span.depth });
  };
  for (let step = 0; step < trace.steps; step++) {
    const depth = trace.depths[step] ?? 0;
    for (let top = open.at(-1); top !== undefined && top.depth >= depth; top = open.at(-1)) {
      open.pop();
      close(top, step - 1);
    }
    open.push({ first: step, depth });
  }
  for (const span of open) close(span, trace.steps - 1);
  return spans;
}

/** Step under a horizontal position between 0 and 1; -1 left of the first. */
export function stepAt(fraction: number, steps: number): number {
  if (steps === 0 || fraction < 0) return -1;
  return Math.max(0, Math.min(steps - 1, Math.floor(fraction * steps)));
}
