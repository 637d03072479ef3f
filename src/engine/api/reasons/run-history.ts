/** What happened to a register, an instruction, a block or a row of a table over the phases of a run, or in one of them. */

import { plural } from "../../../base/plural.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import { subjectHistory } from "../../trace/history.ts";
import type { Trace } from "../../trace/trace.ts";
import type { Diagnostic, History, HistoryItem, Subject } from "../types.ts";

/** Items of a history, and events traced for one over a whole pipeline. */
const MOST_ITEMS = 2000;
const MOST_TRACED = 4_000_000;

/** `one`: the request is about a single phase, which then reports when it never examined the subject. */
export function runHistory(
  runs: readonly PositionRun<Diagnostic>[],
  traceOf: (run: PositionRun<Diagnostic>) => Trace | null,
  subject: Subject,
  one: boolean,
): History {
  const items: HistoryItem[] = [];
  const notes: string[] = [];
  let traced = 0;
  for (const run of runs) {
    const { name, id } = run.planned;
    if (traced > MOST_TRACED || items.length >= MOST_ITEMS) {
      const limit = items.length >= MOST_ITEMS ? `${MOST_ITEMS} items` : `${MOST_TRACED} events`;
      notes.push(`${name}: not searched, because the limit of ${limit} is reached.`);
      continue;
    }
    const trace = traceOf(run);
    if (trace === null) {
      notes.push(`${name}: ${run.reason ?? "did not run"}.`);
      continue;
    }
    traced += trace.steps;
    const { events, left } = subjectHistory(trace, subject, MOST_ITEMS - items.length);
    for (const { step, kind, sentence, facts, focus } of events)
      items.push({ run: run.run, phase: id, step, kind, sentence, facts, focus });
    if (left > 0) notes.push(`${name}: ${plural(left, "more event touches", "more events touch")} this.`);
    if (trace.cut) notes.push(`${name}: the trace was cut after ${trace.steps} events.`);
    if (events.length === 0 && one) notes.push("The phase did not examine it.");
  }
  return { items, notes };
}
