/** Which decision a step of a trace carries out: the rewrite that a change belongs to. */

import type { Trace } from "../../trace/trace.ts";

export interface Decision {
  /** The steps of a decision: what was found, then what is done. */
  readonly said: readonly number[];
  /** The changes that carry it out. */
  readonly edits: readonly number[];
}

/** Limit on the steps searched backwards for what a change belongs to. */
const FAR = 4000;
const NEAR = 8;

/** null: the step neither rewrites anything nor belongs to a rewrite. */
export function decisionAt(trace: Trace, step: number): Decision | null {
  const mark = markAt(trace, step);
  if (mark !== null) return mark;
  if (trace.editOf(step) === null) return trace.tape.kindOf(step) === "rewrite" ? { said: [step], edits: editsUnder(trace, step) } : null;
  return { said: announced(trace, step), edits: [step] };
}

/** The rewrite that a phase requested around a step. A mark may end with what was reported right after it. */
function markAt(trace: Trace, step: number): Decision | null {
  const mark = trace.rewrites.findLast(({ refused, from, to }) => !refused && from <= step && step <= to);
  if (mark === undefined) return null;
  const { tape } = trace;
  const own = (s: number): boolean => s === mark.from || trace.editOf(s) !== null || isUnder(trace, s, mark.from, mark.to);
  const done = mark.from + 1;
  const second = done <= mark.to && tape.kindOf(mark.from) === "match" && decides(trace, done) && sameParent(trace, mark.from, done);
  if (!own(step) && !(second && step === done)) return null;
  const steps = Array.from({ length: mark.to - mark.from + 1 }, (_, i) => mark.from + i);
  const edits = steps.filter((s) => trace.editOf(s) !== null);
  return { said: [mark.from, ...(second ? [done] : [])].filter((s) => trace.editOf(s) === null), edits };
}

/** What a change outside of any request belongs to: the decision around it, the one about the same instruction or block, or the last one before it. */
function announced(trace: Trace, step: number): readonly number[] {
  for (let s = trace.tape.parents.get(step); s >= 0; s = trace.tape.parents.get(s)) if (decides(trace, s)) return [s];
  const { insts = [], blocks = [] } = trace.focus(step);
  let last: number | null = null;
  for (let s = step - 1; s >= 0 && s > step - FAR; s--) {
    if (trace.editOf(s) !== null || !decides(trace, s) || trace.fact(s, "verdict") === "no") continue;
    last ??= s;
    const about = trace.focus(s);
    if (insts.length > 0 ? insts.some((id) => about.insts?.includes(id)) : blocks.some((id) => about.blocks?.includes(id))) return [s];
  }
  if (last !== null && last > step - NEAR) return [last];
  const next = step + 1;
  if (next < trace.steps && trace.tape.kindOf(next) === "rewrite" && sameParent(trace, step, next)) return [next];
  return last === null ? [] : [last];
}

const decides = (trace: Trace, step: number): boolean => {
  const kind = trace.tape.kindOf(step);
  return trace.editOf(step) === null && (kind === "rewrite" || kind === "match");
};

const sameParent = (trace: Trace, a: number, b: number): boolean => trace.tape.parents.get(a) === trace.tape.parents.get(b);

/** Whether a step is nested inside another one of a range. */
function isUnder(trace: Trace, step: number, from: number, to: number): boolean {
  for (let s = trace.tape.parents.get(step); s >= from; s = trace.tape.parents.get(s)) if (s <= to) return true;
  return false;
}

function editsUnder(trace: Trace, step: number): number[] {
  const edits: number[] = [];
  for (let s = step + 1; s < trace.steps && isUnder(trace, s, step, step); s++) if (trace.editOf(s) !== null) edits.push(s);
  return edits;
}
