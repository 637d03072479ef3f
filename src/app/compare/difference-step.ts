/** The way to the next difference of the comparison: in the picture a block, in the texts what the editor finds. */

import { goToTextDifference } from "../editor/text-difference.ts";
import { graphOf } from "../graph/controller.ts";
import type { Session } from "../session/session.ts";

export function goToDifference(session: Session, direction: 1 | -1): void {
  const { shows, differences, difference } = session.store.getState().comparison;
  if (shows === "text") {
    goToTextDifference(session, direction);
    return;
  }
  if (differences.length === 0) return;
  const next = (difference + direction + differences.length) % differences.length;
  session.patch("comparison", { difference: next });
  graphOf(session)?.revealBoth(differences[next]?.id ?? 0);
}
