/**
 * Compares versions that read clocks. A program may rely on a clock increasing from each read of a thread to the next, but not on the
 * difference. So two versions agree if each has an increasing clock with which both do the same: removing a dead read changes nothing,
 * merging two reads does.
 *
 * The clocks that are tried number the reads that matter to the outcome, thread by thread, and put the others somewhere between them. A
 * read matters if a different value for it alone makes a difference. This only guides which clock is tried; a run gives the verdict.
 */

import type { ExecOutcome } from "../interp/outcome.ts";

/** Distance from one read that matters to the next. */
const STEP = 0x1000;
/** Added to a read to test whether it matters: each bit below a step is set in one of them. */
const OTHER_VALUES = [0x555, 0xaaa];
/** The most instructions, and then the most reads, that are tested one by one; the others are assumed to matter. */
const MOST_ASKED = 64;

/** The value of a thread's read number `read`, by instruction `inst`. */
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
