/** Shows the phase as the other policy runs it, its graph compared with this one's. */

import { graphView } from "../../graph/graph-view.ts";
import { plainName } from "../../names/phases.ts";
import { otherPolicy, POLICY_TITLES } from "../../names/policies.ts";
import { selectPhase } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";

export function comparePolicies(session: Session): void {
  const { store, actions } = session;
  const start = store.getState();
  const phase = selectPhase(start);
  if (phase === null || start.position.trace === null) return;
  const { policy } = start.options.pipeline;
  const last = start.position.trace.steps - 1;
  const { epoch } = start.run;
  const there = (): boolean => {
    const { moment, run } = store.getState().position;
    return moment !== null && run === phase.run && moment.step === last;
  };
  const show = (): void => {
    const other = otherPolicy(policy);
    graphView.setState({
      mode: "diff",
      base: store.getState().position.moment,
      baseTitle: `the end of ${plainName(phase)} ${POLICY_TITLES[policy]}`,
    });
    actions.view.set({ centre: "graph" });
    actions.view.showPane("graph");
    actions.run.setOptions({ policy: other });
    actions.position.goToPhase(phase.id, "end");
    actions.notify("info", `Now ${POLICY_TITLES[other]}; the graph marks what differs.`, {
      label: `Back: ${POLICY_TITLES[policy]}`,
      command: `policy.${policy}`,
    });
  };
  actions.position.seek("end");
  if (there()) {
    show();
    return;
  }
  // The end may still be on its way; anything else that comes first is another wish. What is shown changes the state: no longer listen by then.
  const stop = store.subscribe((state) => {
    const wanted = state.run.epoch === epoch && state.position.run === phase.run && state.position.step === last;
    if (wanted && !there()) return;
    stop();
    if (wanted) show();
  });
}
