/** What the one comparison of the page compares: two sides, each a run and a place in it. It is open while the view's experiment is `compare`. */

import type { PipelineOptions } from "../../engine/api/types.ts";
import type { Feature } from "./feature.ts";
import type { Session } from "./session.ts";
import type { DiffEnd, SessionState } from "./state.ts";

/** Which run: the shown one, one named by a feature, the same program with one option changed, another kernel of the text, or a second text. */
export type RunChoice =
  | { readonly kind: "shown" }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "policy"; readonly policy: PipelineOptions["policy"] }
  | { readonly kind: "level"; readonly level: PipelineOptions["level"] }
  | { readonly kind: "kernel"; readonly name: string }
  | { readonly kind: "text" };

/** Where in it: a step or phase by name, the open step, either end of the open phase, or after the last phase. */
export type PlaceChoice = DiffEnd | "last";

export interface SideChoice {
  readonly run: RunChoice;
  readonly at: PlaceChoice;
}

export const COMPARE_SHOWS = ["sides", "one", "text", "numbers"] as const;
export type CompareShows = (typeof COMPARE_SHOWS)[number];

export interface ComparisonSlice {
  readonly left: SideChoice;
  readonly right: SideChoice;
  readonly shows: CompareShows;
  /** The second text, as it is typed. */
  readonly text: string;
  /** The blocks that differ, in the order of the program; a new object for each pair that is compared. */
  readonly differences: readonly { readonly id: number }[];
  /** Which of them is in view. */
  readonly difference: number;
}

/** A run of the open program with other options, which a feature adds under a unique name. */
export interface NamedRun {
  readonly name: string;
  readonly title: string;
  readonly pipeline: Partial<PipelineOptions>;
  readonly isShown: boolean;
}

/** The runs that features name. */
export function namedRuns({ features }: { readonly features: readonly Feature[] }, state: SessionState): readonly NamedRun[] {
  return features.flatMap(({ runs }) => runs?.(state) ?? []);
}

/** Two of them, after their last phase. */
export function endsOf(left: string, right: string): Pick<ComparisonSlice, "left" | "right"> {
  const end = (name: string): SideChoice => ({ run: { kind: "named", name }, at: "last" });
  return { left: end(left), right: end(right) };
}

export const SHOWN: RunChoice = { kind: "shown" };
const AS_WRITTEN: PlaceChoice = { phase: null, step: null };

export const NO_COMPARISON: ComparisonSlice = {
  left: { run: SHOWN, at: AS_WRITTEN },
  right: { run: SHOWN, at: "last" },
  shows: "sides",
  text: "",
  differences: [],
  difference: 0,
};

/** Either side would contain a hidden answer, so nothing is compared under a veil. */
export const selectComparing = (s: SessionState): boolean =>
  s.view.open.experiment === "compare" && !s.view.embed && s.engine.veil === null;

/** Opens it in the middle, covering nothing else on the page. */
export function openCompare(session: Session, choice: Partial<ComparisonSlice> = {}): void {
  session.patch("comparison", choice);
  const { view } = session.actions;
  view.set({ centre: "graph" });
  view.open("compare");
  view.showPane("graph");
}

export function closeCompare({ store, actions }: Session): void {
  actions.view.set({ open: { ...store.getState().view.open, experiment: null } });
}
