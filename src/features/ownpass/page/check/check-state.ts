/** The slice of Check and Compare: what they are at and have found, which outlives the tab, and the panel that is open below the pass. */

import type { AnalysisChecked, Checked, Compared, Tested, Unusable } from "../../engine/check/check-bench.ts";

export const PANELS = ["messages", "blocks", "tests", "check", "compare", "templates"] as const;
export type PanelId = (typeof PANELS)[number];

export interface CheckSettings {
  readonly count: number;
  readonly seed: number;
  /** The program that is open. */
  readonly current: boolean;
  readonly examples: boolean;
  /** Id of our phase. */
  readonly against: string;
}

/** An answer, the source that it is about, and the text of the open program that was among those tried; null: none was. */
export interface Found<T> {
  readonly source: string;
  readonly revision: number | null;
  readonly answer: T | Unusable;
}

export interface CheckState {
  readonly panel: PanelId;
  readonly settings: CheckSettings;
  readonly running: {
    readonly kind: "check" | "compare";
    readonly done: number;
    readonly of: number;
    readonly failures: number;
    readonly cancelled: boolean;
  } | null;
  readonly checked: Found<Checked | AnalysisChecked> | null;
  readonly compared: Found<Compared> | null;
  readonly tested: Found<Tested> | null;
  /** Why there is no answer at all. */
  readonly error: string | null;
}

export const NO_CHECK: CheckState = {
  panel: "messages",
  settings: { count: 200, seed: 1, current: true, examples: true, against: "ori-perform-live-dead-first" },
  running: null,
  checked: null,
  compared: null,
  tested: null,
  error: null,
};
