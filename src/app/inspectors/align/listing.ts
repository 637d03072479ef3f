/** The SASS listing to align with: kept over tabs and phases for as long as the page is open, one at a time. */

import { useSyncExternalStore } from "react";

export interface Listing {
  /** File name, or what it is. */
  readonly name: string;
  readonly text: string;
  /** Grows with each new listing: keys of answers hold it instead of the text. */
  readonly revision: number;
}

let current: Listing | null = null;
let revisions = 0;
const listeners = new Set<() => void>();

export function setListing(given: { readonly name: string; readonly text: string } | null): void {
  current = given === null ? null : { ...given, revision: ++revisions };
  for (const listener of listeners) listener();
}

export function useListing(): Listing | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
