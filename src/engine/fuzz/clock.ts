/**
 * Clocks in comparisons. Of a clock a program may know that it goes on from each read of a thread to the next, and nothing of how far. So two versions agree when a clock
 * that goes on can be found for each with which they do the same: a dead read that a phase removes leaves no trace, while two reads made one do.
 *
 * The clocks that are tried: reads that matter to the outcome are numbered thread by thread, those that do not lie somewhere between them. A read matters when another
 * value for it alone makes a difference. That guides which clock is tried; the verdict is that of a run.
 */

import type { ExecOutcome } from "../interp/outcome.ts";

/** From one read that matters to the next. */
const STEP = 0x1000;
/** Each bit below a step is turned in one of them. */
const OTHER_VALUES = [0x555, 0xaaa];
/** Questions about the n-th reads of all threads, and then about single threads; reads that are not asked for are taken to matter. */
const MOST_ASKED = 64;

export type Clock = (thread: number, read: number) => number;

export interface ClockedVersion {
  readonly run: (clock: Clock) => ExecOutcome;
  readonly differ: (a: ExecOutcome, b: ExecOutcome) => boolean;
}

/** What a version does by a clock that only reads which matter make go on; null when it reads none. `each`: asked thread by thread. */
export function byReadsThatMatter({ run, differ }: ClockedVersion, each: boolean): ExecOutcome | null {
  const steady: Clock = (_thread, read) => read * STEP;
  const first = run(steady);
  const most = first.clockReads.reduce((n, reads) => Math.max(n, reads), 0);
  if (most === 0) return null;
  const idle = new Set<string>();
  const matters = (thread: number | null, read: number): boolean => {
    const moved = (t: number, r: number): boolean => r === read && (thread === null || t === thread);
    return OTHER_VALUES.some((by) =>
      differ(
        first,
        run((t, r) => steady(t, r) + (moved(t, r) ? by : 0)),
      ),
    );
  };
  const single: (readonly [thread: number, read: number])[] = [];
  for (let read = 1; read <= Math.min(most, MOST_ASKED); read++) {
    const threads = [...first.clockReads.keys()].filter((t) => (first.clockReads[t] as number) >= read);
    if (!matters(null, read)) for (const t of threads) idle.add(`${t}/${read}`);
    else if (each && threads.length > 1) for (const t of threads) single.push([t, read]);
  }
  for (const [t, read] of single.slice(0, MOST_ASKED)) if (!matters(t, read)) idle.add(`${t}/${read}`);
  return run(clockWithout(idle));
}

function clockWithout(idle: ReadonlySet<string>): Clock {
  const at = new Map<number, number>();
  return (thread, read) => {
    const before = at.get(thread) ?? 0;
    // Whatever lies between: a value of its own, so that no two reads are one.
    const now = idle.has(`${thread}/${read}`) ? before + 1 : before - (before % STEP) + STEP;
    at.set(thread, now);
    return now;
  };
}
