/** Compares a future with the run that it came from. */

import { endsOf, openCompare } from "../../../app/session/comparison.ts";
import type { Session } from "../../../app/session/session.ts";
import type { Intervention } from "../../../engine/api/types.ts";
import { runName } from "./named-runs.ts";
import type { Future } from "./tree.ts";

/** A future (the open one) and the one that it came from, at their ends. */
export function compareFuture(session: Session, chosen: Pick<Future, "id" | "parent"> | null = null): void {
  const { list, open } = session.store.getState().futures;
  const future = chosen ?? list.find((f) => f.id === open) ?? list[0];
  openCompare(session, future === undefined ? {} : { ...endsOf(runName(future.parent), runName(future.id)), shows: "sides" });
}

/** Makes a future, and shows it next to the run that it came from. */
export function forkBeside(session: Session, own: readonly Intervention[]): void {
  const { open } = session.store.getState().futures;
  session.actions.futures.fork(own);
  if (session.store.getState().futures.open !== open) compareFuture(session);
}
