/** What the explanation keeps while its parts come and go. */

import type { Listing } from "./align/listing.ts";
import type { RunWish } from "./run/run-wish.ts";

export interface InspectorsSlice {
  /** A pending input for the form of Run; taken when Run shows the kernel that it is for. */
  readonly runWish: RunWish | null;
  /** The SASS listing to align with: one at a time, for as long as its program is open. */
  readonly listing: Listing | null;
  /** Counts the listings. */
  readonly listings: number;
}

declare module "../session/state.ts" {
  interface SessionState {
    readonly inspectors: InspectorsSlice;
  }
}

export const NO_WISHES: InspectorsSlice = { runWish: null, listing: null, listings: 0 };
