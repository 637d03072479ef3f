/** What the one comparison of the page compares: two sides, each a run and a place in it. It is open while the view's experiment is `compare`. */

import { createStore } from "zustand/vanilla";
import type { Intervention, PipelineOptions } from "../../engine/api/types.ts";
import { type Future, ROOT } from "../futures/tree.ts";
import type { Session } from "../session/session.ts";
import type { DiffEnd, SessionState } from "../session/state.ts";

/** Which run: the one that is shown, one of its futures, the same program with one option changed, another kernel of the text, another text. */
export type RunChoice =
  | { readonly kind: "shown" }
  | { readonly kind: "future"; readonly id: number }
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

export interface CompareView {
  readonly left: SideChoice;
  readonly right: SideChoice;
  readonly shows: CompareShows;
  /** The second text, as it is typed. */
  readonly text: string;
  /** To the next or previous difference, while one can go there. */
  readonly go: ((direction: 1 | -1) => void) | null;
}

export const SHOWN: RunChoice = { kind: "shown" };
const AS_WRITTEN: PlaceChoice = { phase: null, step: null };

export const compareView = createStore<CompareView>(() => ({
  left: { run: SHOWN, at: AS_WRITTEN },
  right: { run: SHOWN, at: "last" },
  shows: "sides",
  text: "",
  go: null,
}));

/** A hidden answer would be on either side: under a veil nothing is compared. */
export const selectComparing = (s: SessionState): boolean => s.view.open.experiment === "compare" && !s.view.embed && s.lab.veil === null;

/** Opens it in the middle, over nothing else of the page. */
export function openCompare(session: Session, choice: Partial<CompareView> = {}): void {
  compareView.setState(choice);
  const { view } = session.actions;
  view.set({ centre: "graph" });
  view.open("compare");
  view.showPane("graph");
}

export function closeCompare({ store, actions }: Session): void {
  actions.view.set({ open: { ...store.getState().view.open, experiment: null } });
}

/** A future (the open one) and the one that it came from, at their ends. */
export function compareFuture(session: Session, chosen: Pick<Future, "id" | "parent"> | null = null): void {
  const { list, open } = session.store.getState().options.futures;
  const future = chosen ?? list.find((f) => f.id === open) ?? list[0];
  openCompare(session, future === undefined ? {} : sidesOf(future.parent, future.id));
}

/** Makes a future, and shows it beside the run that it came from. */
export function forkBeside(session: Session, own: readonly Intervention[]): void {
  const { open } = session.store.getState().options.futures;
  session.actions.futures.fork(own);
  if (session.store.getState().options.futures.open !== open) compareFuture(session);
}

/** Two futures by their numbers, at their ends. */
export function sidesOf(left: number, right: number): Partial<CompareView> {
  const side = (id: number): SideChoice => ({ run: { kind: "future", id }, at: "last" });
  return { left: side(left), right: side(right), shows: "sides" };
}

/** Whether a choice can still be made: a future may be gone. */
export function isPossible({ run }: SideChoice, { options }: SessionState): boolean {
  return run.kind !== "future" || run.id === ROOT || options.futures.list.some((f) => f.id === run.id);
}
