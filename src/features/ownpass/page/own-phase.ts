/** The user's pass among the phases of a result. */

import { isOwnPhase } from "../../../app/names/phases.ts";
import { selectPhase } from "../../../app/session/selectors.ts";
import type { SessionState } from "../../../app/session/state.ts";

/** The line of the step that is shown, where it is a step of the pass as it is written now; null: it is not. */
export function selectPassLine(state: SessionState): number | null {
  const { report, ran, source } = state.ownpass;
  const phase = selectPhase(state);
  if (report === null || ran !== source || state.run.stale || phase === null || !isOwnPhase(phase)) return null;
  const line = state.position.moment?.event?.line ?? 0;
  return line > 0 ? line : null;
}
