/** What happened to a block, edge, instruction, register or node in one phase: the events that touch it, in order. */

import type { TraceEvent } from "./event.ts";
import type { EventKind } from "./kinds.ts";
import { type TraceSubject, touches } from "./subject.ts";
import { kindIndex } from "./tape.ts";
import type { Trace } from "./trace.ts";

/** Kinds about the inside of a data structure: reported for a node, not for a block or instruction. */
const INNER: ReadonlySet<EventKind> = new Set(["hash", "tree", "class-mask", "span"]);

export interface SubjectHistory {
  readonly events: readonly TraceEvent[];
  /** Events that touch the subject but are over the limit. */
  readonly left: number;
}

/** The events that touch a subject, first ones first, at most `limit`. */
export function subjectHistory(trace: Trace, subject: TraceSubject, limit: number): SubjectHistory {
  const test = touches(trace, subject);
  const skip = new Set(subject.kind === "node" ? [] : [...INNER].map(kindIndex));
  const events: TraceEvent[] = [];
  let left = 0;
  for (let step = 0; step < trace.steps; step++) {
    if (skip.has(trace.tape.kinds.get(step)) || !test(step)) continue;
    if (events.length < limit) events.push(trace.event(step));
    else left++;
  }
  return { events, left };
}
