/** Which step the program at a step comes from: answers about the program are valid until the next change. */

import type { TraceInfo } from "../../engine/api/types.ts";

const changeIndex = new WeakMap<TraceInfo, Int32Array>();

/** The last step up to `step` that changed the program; -1: none did. */
export function lastChange(trace: TraceInfo | null, step: number): number {
  if (trace === null || step < 0) return -1;
  let index = changeIndex.get(trace);
  if (index === undefined) {
    index = new Int32Array(trace.steps);
    let last = -1;
    for (let i = 0; i < trace.steps; i++) {
      if (trace.changes[i] === 1) last = i;
      index[i] = last;
    }
    changeIndex.set(trace, index);
  }
  return index[Math.min(step, trace.steps - 1)] ?? -1;
}
