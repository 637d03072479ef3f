/** The columns of a recorded trace in the viewer's terms. */

import type { Trace } from "../trace/trace.ts";
import type { TraceInfo } from "./types.ts";

export function traceInfo(run: number, id: string, trace: Trace, pseudocode: readonly string[]): TraceInfo {
  const { tape, rewrites } = trace;
  return {
    run,
    id,
    steps: trace.steps,
    cut: trace.cut,
    limit: trace.limit,
    kinds: tape.kinds.toArray(),
    depths: tape.depths.toArray(),
    parents: tape.parents.toArray(),
    lines: tape.lines.toArray(),
    changes: tape.changes.toArray(),
    rewrites: {
      n: Int32Array.from(rewrites, (mark) => mark.n),
      from: Int32Array.from(rewrites, (mark) => mark.from),
      to: Int32Array.from(rewrites, (mark) => mark.to),
      refused: Uint8Array.from(rewrites, (mark) => Number(mark.refused)),
    },
    pseudocode: [...pseudocode],
    structures: trace.journal.structures.map(({ name, type, title }) => ({ name, type, title })),
  };
}
