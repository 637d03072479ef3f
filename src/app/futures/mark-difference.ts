/** Marking in the graph what two futures do differently: one end of a phase against the other's. */

import { graphView } from "../graph/graph-view.ts";
import type { Session } from "../session/session.ts";
import { titleOf } from "./tree.ts";

/** Shows the open phase's end in the right future, with the left one's end as what it is compared with. */
export function compareInGraph(session: Session, left: number, right: number): void {
  const { store, actions } = session;
  const tree = store.getState().options.futures;
  const title = titleOf(tree, left);
  actions.futures.open(left);
  actions.position.seek("end");
  let part: "left" | "right" = "left";
  const arrived = (): boolean => {
    const { position, run, options } = store.getState();
    const { moment, trace } = position;
    if (run.stale || run.running || options.futures.open !== left || position.state !== "loaded" || moment === null) return false;
    if (moment.run !== position.run) return false;
    // A phase that did not run has no steps: its end is its input.
    if (position.step !== (trace?.steps ?? 0) - 1) {
      actions.position.seek("end");
      return false;
    }
    if (moment.step !== position.step) return false;
    part = "right";
    graphView.setState({ mode: "diff", base: moment, baseTitle: `the same end in “${title}”` });
    actions.view.set({ centre: "graph" });
    actions.view.showPane("graph");
    actions.futures.open(right);
    return true;
  };
  if (arrived()) return;
  const stop = store.subscribe((state) => {
    // Another future, or another program: another wish.
    if (part === "right" || (state.options.futures.open !== left && !state.run.running)) stop();
    else if (arrived()) stop();
  });
}
