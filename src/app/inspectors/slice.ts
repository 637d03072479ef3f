/** What the explanation keeps while its parts come and go. */

import type { RunWish } from "./run/run-wish.ts";

export interface InspectorsSlice {
  /** A pending input for the form of Run; taken when Run shows the kernel that it is for. */
  readonly runWish: RunWish | null;
}

declare module "../session/state.ts" {
  interface SessionState {
    readonly inspectors: InspectorsSlice;
  }
}

export const NO_WISHES: InspectorsSlice = { runWish: null };
