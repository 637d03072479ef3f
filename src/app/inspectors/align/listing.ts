/** The SASS listing to align with: kept over tabs and phases for as long as its program is open, one at a time. */

import { useSyncExternalStore } from "react";

export interface Listing {
  /** File name, or what it is. */
  readonly name: string;
  readonly text: string;
  /** Grows with each new listing: keys of answers hold it instead of the text. */
  readonly revision: number;
  /** When its program took another one's place (`DocumentSlice.since`): it belongs to no other. */
  readonly since: number;
}

let current: Listing | null = null;
let revisions = 0;
const listeners = new Set<() => void>();

export function setListing(given: Pick<Listing, "name" | "text" | "since"> | null): void {
  current = given === null ? null : { ...given, revision: ++revisions };
  for (const listener of listeners) listener();
}

/** That of the program that is open since then. */
export function useListing(since: number): Listing | null {
  const listing = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  return listing?.since === since ? listing : null;
}
