/** What of a link has no effect. */

import type { Session } from "../session/session.ts";
import { troublesOf } from "./use-futures.ts";

/** Says what the link would have done otherwise and this version does not: the rest of it is open. */
export function sayIdle({ actions, store }: Session): void {
  const idle = troublesOf(store.getState());
  if (idle.length === 0) return;
  const show = store.getState().view.embed ? null : ({ label: "Show", command: "future.show-tree" } as const);
  actions.notify("warning", `Part of the link has no effect: ${idle.join("; ")}`, show);
}
