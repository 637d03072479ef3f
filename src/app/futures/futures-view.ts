/** What the panes and dialogs of futures show: state of this tab, not part of the work. */

import type { StripLight } from "./strip-lights.ts";

export interface FuturesView {
  /** The future whose name is being written. */
  readonly renaming: number | null;
  /** The text that is edited here, with the run that it precedes; null: none. */
  readonly edit: EditHere | null;
  /** The run from which a new value applies; null: none is being chosen. */
  readonly value: ValueHere | null;
  /** The last unused text: it is restored when the same program is edited before the same run. */
  readonly draft: { readonly edit: EditHere; readonly text: string } | null;
  /** The lights of all rewrites for each run of the result with this epoch. */
  readonly lights: { readonly epoch: number; readonly colours: readonly (StripLight | null)[] } | null;
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

export interface ValueHere {
  readonly run: string;
  readonly id: string;
  readonly title: string;
}

export const NO_VIEW: FuturesView = { renaming: null, edit: null, value: null, draft: null, lights: null };
