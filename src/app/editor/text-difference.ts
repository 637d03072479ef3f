/** The mounted editor of two texts, as commands reach it. */

import type { Session } from "../session/session.ts";

type Go = (direction: 1 | -1) => void;

const mounted = new WeakMap<Session, Go>();

/** Commands use `go` to move to the next difference, until the returned function is called. */
export function mountTextDifference(session: Session, go: Go): () => void {
  mounted.set(session, go);
  return () => mounted.delete(session);
}

/** Moves to the next difference of the two texts that are shown side by side, if any. */
export function goToTextDifference(session: Session, direction: 1 | -1): void {
  mounted.get(session)?.(direction);
}
