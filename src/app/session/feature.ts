/** What a part of the page brings: one value, named in one list. The session and the page are made from the list. */

import type { Command } from "./command.ts";
import { INITIAL_STATE, type SessionState } from "./state.ts";

export interface Feature {
  readonly id: string;
  /** Its slices of the store as they begin. The owner of a slice declares it in `SessionState`. */
  readonly slices?: Partial<SessionState>;
  readonly commands?: readonly Command[];
}

/** The store as it begins, with the slices of these features. */
export function initialState(features: readonly Feature[]): SessionState {
  // A slice whose feature is not in the list is missing, and so is everything that reads it.
  return Object.assign({}, INITIAL_STATE, ...features.map((feature) => feature.slices)) as SessionState;
}
