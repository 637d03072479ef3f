/** What a hand-in's log reports about each task. It comes from the student's own machine: for a class's figures, never for a grade. */

import type { HandIn } from "../hand-in.ts";

export interface Reported {
  /** Answers that were given. */
  readonly tries: number;
  /** The first of them was right; null: the log does not contain it. */
  readonly firstRight: boolean | null;
  readonly seconds: number;
}

const ANSWER = /^answer (\d{1,6}): (\S+)/;

/** A longer time between two entries counts as a break. */
const MOST_GAP = 10 * 60_000;

/** The time up to an entry is its task's. */
export function reportedOf(log: Readonly<HandIn["log"]>): Readonly<Record<string, Reported>> {
  const found = new Map<string, { tries: number; last: number; firstRight: boolean | null; ms: number }>();
  let before = 0;
  for (const { task, at, event } of [...log].sort((a, b) => a.at - b.at)) {
    const known = found.get(task) ?? { tries: 0, last: 0, firstRight: null, ms: 0 };
    found.set(task, known);
    known.ms += Math.max(0, Math.min(MOST_GAP, at - before));
    before = at;
    const [, n = "", status = ""] = ANSWER.exec(event) ?? [];
    if (n === "") continue;
    // Answers between the first and the last may be left out; with a different program the count starts again.
    known.tries += Number(n) > known.last ? Number(n) - known.last : Number(n);
    known.last = Number(n);
    if (n === "1") known.firstRight ??= status === "right";
  }
  return Object.fromEntries(
    [...found].map(([task, { tries, firstRight, ms }]) => [task, { tries, firstRight, seconds: Math.round(ms / 1000) }]),
  );
}

/** The middle one; null: there is none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
