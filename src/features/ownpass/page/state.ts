/** The slice of the user's pass: its source, its place in the pipeline, and its last run's message. */

import type { OwnBlock, Place } from "../../../engine/api/types.ts";
import { MAX_PASS } from "../../../links/link-data.ts";
import type { Described } from "../engine/check/requests.ts";

/** Something wrong with the source, or with what it did when it ran. */
export interface PassProblem {
  /** From 1; 0: not known. */
  readonly line: number;
  /** From 1; 0: not known. */
  readonly column: number;
  readonly message: string;
}

/** What the last run of the pass on the program said. */
export interface PassReport {
  readonly changed: boolean;
  readonly rewrites: number;
  /** The pass's reason where it changed nothing; null: none. */
  readonly why: string | null;
  /** It threw, or was ended. */
  readonly problem: PassProblem | null;
}

export const problemsOf = (report: Pick<PassReport, "problem"> | null): readonly PassProblem[] =>
  report?.problem == null ? [] : [report.problem];

/** An analysis's result for the program at a moment, block by block. */
export interface PassAnalysis {
  /** The epoch of the run, the run in it, and the last step up to there that changed the program. */
  readonly epoch: number;
  readonly run: number;
  readonly step: number;
  /** The source that it came from. */
  readonly source: string;
  readonly name: string;
  /** Which of ours it is compared with; null: with none. */
  readonly of: string | null;
  readonly blocks: readonly OwnBlock[];
}

/** A pass that was closed, or replaced, after someone had written it: Undo opens it again. */
export interface AsidePass {
  readonly source: string;
  readonly title: string;
  readonly place: Place | null;
}

/** Characters of all that are kept with a work: eight of the longest, hundreds of usual ones. */
const MOST_ASIDE = 8 * MAX_PASS;

/** As many as there is room for, the latest first to stay. */
export function asideThatFits<One extends { readonly source: string }>(aside: readonly One[]): readonly One[] {
  let room = MOST_ASIDE;
  const from = aside.findLastIndex(({ source }) => {
    room -= source.length;
    return room < 0;
  });
  return aside.slice(from + 1);
}

export interface OwnPassSlice {
  /** The file, TypeScript; null: no pass is open. */
  readonly source: string | null;
  /** The name of its file, without an extension. */
  readonly title: string;
  /** Grows with every edit of the source. */
  readonly revision: number;
  /** It came with a link or a case file, and was not run yet: it is only shown. */
  readonly linked: boolean;
  /** Someone wrote it, here or elsewhere: closing it sets it aside. False of a template as it was chosen. */
  readonly written: boolean;
  /** The passes that were closed, the latest last. */
  readonly aside: readonly AsidePass[];
  /** Its place in the pipeline; null: alone. */
  readonly place: Place | null;
  /** Run was pressed: it is part of the pipeline, and an edit runs it again. */
  readonly on: boolean;
  /** Run was pressed, and the result that shows it is on its way. */
  readonly pressed: boolean;
  /** Its code is running. */
  readonly running: boolean;
  /** The file's description, as of the last time it could be loaded; null: not yet. */
  readonly described: Described | null;
  /** The source that `described`, `problems` and `report` speak of. */
  readonly ran: string | null;
  /** Why it does not compile, load or come to its end; empty: nothing is wrong. */
  readonly problems: readonly PassProblem[];
  readonly report: PassReport | null;
  /** Of an analysis that is on; null: there is none, or it has not answered. */
  readonly analysis: PassAnalysis | null;
  /** Every line that runs is a step, and not only what the pass says and does. */
  readonly everyLine: boolean;
  /** What the editor's type checker found; it stops nothing. */
  readonly types: readonly PassProblem[];
  /** A line that the pass's editor should show; a new object each time. */
  readonly reveal: { readonly line: number } | null;
}

export const NO_PASS: OwnPassSlice = {
  source: null,
  title: "pass",
  revision: 0,
  linked: false,
  written: false,
  aside: [],
  place: null,
  on: false,
  pressed: false,
  running: false,
  described: null,
  ran: null,
  problems: [],
  report: null,
  analysis: null,
  everyLine: false,
  types: [],
  reveal: null,
};

/** Run was pressed on a pass that failed: it shows whether it fails again. */
export const isRepeated = ({ pressed, report }: OwnPassSlice): boolean => pressed && report?.problem != null;

/** What belongs to a work of a pass, and not to its last run. */
export type WorkPass = Pick<OwnPassSlice, "source" | "title" | "linked" | "written" | "aside" | "place">;

export function workPass({ source, title, linked, written, aside, place }: OwnPassSlice): WorkPass {
  return { source, title, linked, written, aside, place };
}

/** Another pass in place of the one that is open: it does not run by itself. */
export function withPass({ revision }: OwnPassSlice, pass: WorkPass): OwnPassSlice {
  return { ...NO_PASS, ...pass, revision: revision + 1 };
}

/** The closed passes after the open one is closed as well. */
export function asideAfter({ source, title, place, written, aside }: OwnPassSlice): readonly AsidePass[] {
  if (source === null || !written || !/\S/.test(source)) return aside;
  return asideThatFits([...aside.filter((one) => one.source !== source), { source, title, place }]);
}
