/** What the explanation keeps while its parts come and go. */

import type { RunPrefill } from "./run/run-prefill.ts";

export interface InspectorsSlice {
  /** A pending input for the form of Run; taken when Run shows the kernel that it is for. */
  readonly runPrefill: RunPrefill | null;
}

declare module "../session/state.ts" {
  interface SessionState {
    readonly inspectors: InspectorsSlice;
  }
}

export const NO_PREFILL: InspectorsSlice = { runPrefill: null };
