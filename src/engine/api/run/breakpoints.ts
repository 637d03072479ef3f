/** Breakpoints: conditions over the events of a run, and watchpoints: conditions on its state. */

import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { visitRegs } from "../../ir/visit.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import type { TraceBreakpoint } from "../../trace/find.ts";
import type { Trace } from "../../trace/trace.ts";
import { parseWatch, WATCHED, watchProblem } from "../../watch/parse.ts";
import { type WatchState, watchTrace } from "../../watch/watch.ts";
import type { Breakpoint, WatchCheck, WatchHit, WatchReport } from "../types.ts";
import { settled } from "./settle.ts";

export { conditionProblem } from "../../trace/condition.ts";

/** Hits that are listed, and events that are traced for them. */
const MOST_HITS = 5000;
const MOST_TRACED = 4_000_000;

export function watchRuns(text: string, runs: readonly PositionRun[], traceOf: (run: PositionRun) => Trace | null): WatchReport | string {
  const parsed = parseWatch(text);
  if (!parsed.ok) return `column ${parsed.error.column}: ${parsed.error.message}`;
  const hits: WatchHit[] = [];
  const notes: string[] = [];
  let state: WatchState = { truth: null };
  let traced = 0;
  for (const one of runs) {
    const { name, id } = one.planned;
    if (hits.length >= MOST_HITS || traced > MOST_TRACED) {
      notes.push(
        `${name}: not watched, the limit of ${hits.length >= MOST_HITS ? `${MOST_HITS} hits` : `${MOST_TRACED} events`} is reached`,
      );
      continue;
    }
    const trace = traceOf(one);
    if (trace === null) continue;
    traced += trace.steps;
    const { steps, end, cut } = watchTrace(trace, parsed.expr, state, settled);
    state = end;
    for (const step of steps) {
      if (hits.length >= MOST_HITS) break;
      hits.push({ run: one.run, phase: id, step, sentence: step < 0 ? `${name} begins` : trace.event(step).sentence });
    }
    if (cut !== null) notes.push(`${name}: not watched after step ${cut + 1}: it would take too long`);
    if (trace.cut) notes.push(`${name}: the trace was cut after ${trace.steps} events`);
  }
  return { hits, notes };
}

const known = new WeakMap<Trace, Map<string, ReadonlySet<number>>>();

/** Breakpoints of a trace, with the steps of those that watch the state. One that cannot be read stops nowhere. */
export function placed(trace: Trace, breakpoints: readonly Breakpoint[]): readonly TraceBreakpoint[] {
  return breakpoints.map((b): TraceBreakpoint => {
    if (b.kind !== "watch") return b;
    const ofTrace = known.get(trace) ?? new Map<string, ReadonlySet<number>>();
    known.set(trace, ofTrace);
    let steps = ofTrace.get(b.text);
    if (steps === undefined) {
      const parsed = parseWatch(b.text);
      steps = new Set(parsed.ok ? watchTrace(trace, parsed.expr, { truth: null }, settled).steps : []);
      ofTrace.set(b.text, steps);
    }
    return { kind: "watch", steps };
  });
}

const MOST_COMPLETIONS = 40;

/** Texts that what is typed could become: its last word completed, as a function, or inside of one as a label or a register. */
export function checkWatch(text: string, fn: Func | null): WatchCheck {
  const problem = text.trim() === "" ? null : watchProblem(text);
  const word = /(?<![\w$.])[\w$.]*$/.exec(text)?.[0] ?? "";
  const head = text.slice(0, text.length - word.length);
  // After a whole term comes a word that joins it to the next, and after its parenthesis nothing before a blank.
  if (head.endsWith(")")) return { problem, completions: [] };
  const asked = /(?<!\w)(\w+)\(([^()]*)$/.exec(head);
  const what = asked?.[1] ?? "";
  const kind = isWatched(what) ? WATCHED[what].takes[(asked?.[2] ?? "").split(",").length - 1] : undefined;
  const joins = /\)\s+$/.test(head) ? ["and ", "or "] : functions();
  const words = kind === "block" ? labelsOf(fn) : kind === "reg" ? registersOf(fn) : kind === undefined ? joins : [];
  const completions = words.filter((w) => w.startsWith(word) && w !== word).slice(0, MOST_COMPLETIONS);
  return { problem, completions: completions.map((w) => head + w) };
}

const isWatched = (text: string): text is keyof typeof WATCHED => Object.hasOwn(WATCHED, text);

function functions(): readonly string[] {
  const names = Object.entries(WATCHED).map(([name, { takes }]) => (takes.length === 0 ? name : `${name}(`));
  return [...names, "changes(", "becomes(", "not "];
}

const labelsOf = (fn: Func | null): readonly string[] => fn?.layout.flatMap((id) => fn.blocks[id]?.label ?? []) ?? [];

function registersOf(fn: Func | null): readonly string[] {
  const names = new Set<string>();
  for (const id of fn?.layout ?? []) for (const inst of fn?.blocks[id]?.insts ?? []) visitRegs(inst, (r) => names.add(regName(r)));
  return [...names];
}
