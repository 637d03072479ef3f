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

export interface Draft {
  readonly edit: EditHere;
  readonly text: string;
}

export interface ValueHere {
  readonly run: string;
  readonly id: string;
  readonly title: string;
}

export const NO_VIEW: FuturesView = { renaming: null, edit: null, value: null, drafts: [], lights: null };
