/** A future beside the run that it came from. */

import type { Intervention } from "../../engine/api/types.ts";
import { type ComparisonSlice, openCompare, type SideChoice } from "../session/comparison.ts";
import type { Session } from "../session/session.ts";
import { runName } from "./named-runs.ts";
import type { Future } from "./tree.ts";

/** A future (the open one) and the one that it came from, at their ends. */
export function compareFuture(session: Session, chosen: Pick<Future, "id" | "parent"> | null = null): void {
  const { list, open } = session.store.getState().futures;
  const future = chosen ?? list.find((f) => f.id === open) ?? list[0];
  openCompare(session, future === undefined ? {} : sidesOf(future.parent, future.id));
}

/** Makes a future, and shows it beside the run that it came from. */
export function forkBeside(session: Session, own: readonly Intervention[]): void {
  const { open } = session.store.getState().futures;
  session.actions.futures.fork(own);
  if (session.store.getState().futures.open !== open) compareFuture(session);
}

/** Two futures by their numbers, at their ends. */
export function sidesOf(left: number, right: number): Partial<ComparisonSlice> {
  const side = (id: number): SideChoice => ({ run: { kind: "named", name: runName(id) }, at: "last" });
  return { left: side(left), right: side(right), shows: "sides" };
}
