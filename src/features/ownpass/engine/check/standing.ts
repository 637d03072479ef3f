/** The verdict of a check on a pass as a whole. Unbroken laws mean something only if the pass changed a program that could be compared. */

import type { CheckReport, CheckRow } from "./check.ts";

/** `untested`: no law was broken, but no program that it changed was compared either. */
export type Standing = "held" | "failed" | "untested";

/** What the pass was tried on, and what it was looking for there. */
export interface Looked {
  /** Programs by shape; `given` for those that were given. */
  readonly shapes: readonly { readonly shape: string; readonly programs: number }[];
  /** Candidates that met all conditions, as far as the pass reports them. */
  readonly met: number;
  /** Candidates that it refused, by reason, the most frequent first. */
  readonly refused: readonly { readonly reason: string; readonly n: number; readonly programs: number }[];
  /** Its own sentences on why nothing changed, the most frequent first. */
  readonly why: readonly { readonly sentence: string; readonly programs: number }[];
}

const MOST_SHOWN = 8;

/** Whether a row tests the pass: it changed the program, and the two were compared. */
export const isTest = ({ changed, verdict }: CheckRow): boolean => changed && verdict !== "undecided";

export function standingOf({ failures, rows }: Pick<CheckReport, "failures" | "rows">): Standing {
  if (failures.length > 0) return "failed";
  return rows.some(isTest) ? "held" : "untested";
}

export function lookedOf(rows: readonly CheckRow[]): Looked {
  const shapes = new Map<string, number>();
  const refused = new Map<string, { n: number; programs: number }>();
  const why = new Map<string, number>();
  let met = 0;
  for (const { shape, candidates } of rows) {
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    if (candidates === null) continue;
    met += candidates.met;
    if (candidates.why !== null) why.set(candidates.why, (why.get(candidates.why) ?? 0) + 1);
    for (const { reason, n } of candidates.refused) {
      const known = refused.get(reason) ?? { n: 0, programs: 0 };
      refused.set(reason, { n: known.n + n, programs: known.programs + 1 });
    }
  }
  return {
    shapes: [...shapes].map(([shape, programs]) => ({ shape, programs })),
    met,
    refused: [...refused]
      .map(([reason, counts]) => ({ reason, ...counts }))
      .toSorted((a, b) => b.n - a.n)
      .slice(0, MOST_SHOWN),
    why: [...why]
      .map(([sentence, programs]) => ({ sentence, programs }))
      .toSorted((a, b) => b.programs - a.programs)
      .slice(0, MOST_SHOWN),
  };
}

/** The verdict on a pass that was not tested. */
export interface Untested {
  /** A clause. */
  readonly reason: string;
  /** What it was looking for, and what to do. */
  readonly sentences: readonly string[];
}

interface Tested {
  readonly programs: number;
  readonly rewrites: number;
  readonly changed: number;
  readonly looked: Looked;
}

export const NO_PROGRAM = "there was no program to try it on";

const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

export const untestedOf = (tested: Tested): Untested => ({ reason: reasonOf(tested), sentences: sentencesOf(tested) });

function reasonOf({ programs, rewrites, changed }: Tested): string {
  if (programs === 0) return NO_PROGRAM;
  if (changed > 0) return `no input lets any of the programs that it changed end (${changed} of ${programs})`;
  const of = plural(programs, "program");
  return rewrites > 0 ? `it requested ${plural(rewrites, "rewrite")}, but changed none of ${of}` : `it rewrote nothing in ${of}`;
}

function sentencesOf({ programs, looked }: Tested): readonly string[] {
  if (programs === 0) return ["Give it a program, or let it run on random ones."];
  const { shapes, met, refused, why } = looked;
  const saw = shapes.map(({ shape, programs: n }) => `${n} ${shape}`).join(", ");
  const reasons = refused.map(({ reason, n, programs: of }) => `${reason} (${n} in ${plural(of, "program")})`).join(", ");
  return [
    "No law was broken, but there was no changed program to compare.",
    `Programs by shape: ${saw}.`,
    ...(met === 0 ? [] : [`Candidates that met all its conditions: ${met}.`]),
    ...(reasons === "" ? [] : [`Candidates that it refused: ${reasons}.`]),
    ...why.map(({ sentence, programs: n }) => `In ${plural(n, "program")} it gave the reason '${sentence}'.`),
    ...(met === 0 && reasons === "" && why.length === 0 ? ["The pass reported no candidate in any of them."] : []),
    "Check it on a program that has what it is looking for.",
  ];
}
