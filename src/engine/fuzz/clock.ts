/**
 * Clocks in comparisons. A program may rely on a clock increasing from each read of a thread to the next, but not on the difference. So two versions agree when a clock
 * that goes on can be found for each with which they do the same: a dead read that a phase removes leaves no trace, while two reads made one do.
 *
 * The clocks that are tried: reads that matter to the outcome are numbered thread by thread, those that do not are somewhere between them. A read matters when another
 * value for it alone makes a difference. That guides which clock is tried; the verdict is that of a run.
 */

import type { ExecOutcome } from "../interp/outcome.ts";

/** From one read that matters to the next. */
const STEP = 0x1000;
/** Each bit below a step is turned in one of them. */
const OTHER_VALUES = [0x555, 0xaaa];
/** Runs that test single instructions, and then single reads; what is not tested is assumed to matter. */
const MOST_ASKED = 64;

/** The value of a thread's n-th read of a clock, which an instruction makes. */
export type Clock = (thread: number, read: number, inst: number) => number;

export interface ClockedVersion {
  readonly run: (clock: Clock) => ExecOutcome;
  readonly differ: (a: ExecOutcome, b: ExecOutcome) => boolean;
}

/** What a version does with a clock that only relevant reads advance; null if it reads none. `each`: tested read by read, not only instruction by instruction. */
export function byReadsThatMatter({ run, differ }: ClockedVersion, each: boolean): ExecOutcome | null {
  const steady: Clock = (_thread, read) => read * STEP;
  const made: { readonly thread: number; readonly read: number; readonly inst: number }[] = [];
  const first = run((thread, read, inst) => {
    made.push({ thread, read, inst });
    return steady(thread, read, inst);
  });
  if (made.length === 0) return null;
  const matters = (moved: Clock): boolean =>
    OTHER_VALUES.some((by) =>
      differ(
        first,
        run((t, r, i) => steady(t, r, i) + by * moved(t, r, i)),
      ),
    );
  const idle = new Set<number>();
  for (const inst of [...new Set(made.map(({ inst: i }) => i))].slice(0, MOST_ASKED))
    if (!matters((_t, _r, i) => Number(i === inst))) idle.add(inst);
  const idleReads = new Set<string>();
  const left = each ? made.filter(({ inst }) => !idle.has(inst)).slice(0, MOST_ASKED) : [];
  for (const { thread, read } of left) if (!matters((t, r) => Number(t === thread && r === read))) idleReads.add(`${thread}/${read}`);
  return run(clockWithout((thread, read, inst) => idle.has(inst) || idleReads.has(`${thread}/${read}`)));
}

function clockWithout(isIdle: (thread: number, read: number, inst: number) => boolean): Clock {
  const at = new Map<number, number>();
  return (thread, read, inst) => {
    const before = at.get(thread) ?? 0;
    // A read that does not matter still gets its own value, so that no two reads are equal.
    const now = isIdle(thread, read, inst) ? before + 1 : before - (before % STEP) + STEP;
    at.set(thread, now);
    return now;
  };
}
