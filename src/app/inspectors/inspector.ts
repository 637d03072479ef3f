/** What an inspector is. */

import type { ComponentType } from "react";
import type { SessionState } from "../session/state.ts";

export interface Inspector {
  /** Unique; used in links and storage. */
  readonly id: string;
  readonly title: string;
  /** What it shows, in a few words: found by the search for inspectors. */
  readonly about: string;
  /** Which of the two stacks of the right column it is in. */
  readonly dock: "top" | "bottom";
  /** False when it has nothing to show now: its tab is shown quieter. */
  readonly relevant: (state: SessionState) => boolean;
  readonly component: ComponentType;
}
