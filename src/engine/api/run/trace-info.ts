/** The columns of a recorded trace in the viewer's terms. */

import type { Trace } from "../../trace/trace.ts";
import type { TraceInfo } from "../types.ts";

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
    structures: structuresOf(trace),
  };
}

/** The structures that the trace ever has, each with the step that first wrote it. */
function structuresOf(trace: Trace): TraceInfo["structures"] {
  const { journal } = trace;
  const first = new Map<number, number>();
  for (let step = 0; step < trace.steps && first.size < journal.structures.length; step++) {
    for (let entry = trace.position(step - 1); entry < trace.position(step); entry++) {
      const write = journal.writeAt(entry);
      const structure = write < 0 ? null : journal.structureOfCell(journal.cellOfWrite(write));
      if (structure !== null && !first.has(structure)) first.set(structure, step);
    }
  }
  return journal.structures.map(({ name, type, title }, i) => ({ name, type, title, first: first.get(i) ?? -1 }));
}
