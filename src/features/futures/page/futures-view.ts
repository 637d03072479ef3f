/** What the panes and dialogs of futures show: state of this tab, not part of the work. */

import type { LightReport } from "../engine/types.ts";

export interface FuturesView {
  /** The future whose name is being written. */
  readonly renaming: number | null;
  /** The text that is edited here, with the run that it precedes; null: none. */
  readonly edit: EditHere | null;
  /** The run from which a new value applies; null: none is being chosen. */
  readonly value: ValueHere | null;
  /** Unused texts, the latest last: each is restored when the same program is edited before the same run. They outlive the program. */
  readonly drafts: readonly Draft[];
  /** Of the last search for them; null: there was none. */
  readonly lights: Lights | null;
}

/** What the program means after each number of rewrites of the result with this epoch. */
export interface Lights {
  readonly epoch: number;
  /** By number of rewrites; missing: not examined yet. */
  readonly known: ReadonlyMap<number, LightReport>;
  /** Why there are no more; null: they are being computed, or all are known. */
  readonly stopped: string | null;
}

export interface EditHere {
  /** The run that the text goes before. */
  readonly run: string;
  /** The phase that is open. */
  readonly title: string;
  /** Before that phase; at a step of it, and it starts over on the text; or after it. */
  readonly where: "before" | "at" | "after";
  readonly step: number;
  readonly kernel: string;
  readonly text: string;
}

interface Draft {
  readonly edit: EditHere;
  readonly text: string;
}

export interface ValueHere {
  readonly run: string;
  readonly id: string;
  readonly title: string;
}

export const NO_VIEW: FuturesView = { renaming: null, edit: null, value: null, drafts: [], lights: null };

const MOST_DRAFTS = 20;

const isOf =
  (edit: EditHere) =>
  (draft: Draft): boolean =>
    draft.edit.run === edit.run && draft.edit.kernel === edit.kernel && draft.edit.text === edit.text;

/** The text as typed last; null: it was not changed. */
export const draftOf = ({ drafts }: FuturesView, edit: EditHere): string | null => drafts.find(isOf(edit))?.text ?? null;

/** The drafts with this text; the program's own text is none. */
export function withDraft({ drafts }: FuturesView, edit: EditHere, text: string): readonly Draft[] {
  const others = drafts.filter((draft) => !isOf(edit)(draft));
  return text === edit.text ? others : [...others, { edit, text }].slice(-MOST_DRAFTS);
}
