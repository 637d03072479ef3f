/** Opens a program on which a pass failed, runs the pass on it alone, and goes to the rewrite that is wrong. */

import { isOwnPhase } from "../../../../app/names/phases.ts";
import { stepOfRewrite } from "../../../../app/session/rewrites.ts";
import type { Session } from "../../../../app/session/session.ts";
import type { CheckFailure } from "../../engine/check/check.ts";

/** The program that was open is among the recent works, and undo brings it back. */
export function openProgram({ actions, store }: Session, text: string, title: string): void {
  actions.document.openText({ text, title, format: "ori" });
  // One wants to see it.
  if (store.getState().view.large === "editor") actions.view.set({ large: null });
}

export function openFailure(session: Session, { name: of, program, rewrite, law }: CheckFailure, name: string): void {
  const { actions, store } = session;
  openProgram(session, program, `${name}: ${law}, ${of}`);
  actions.ownpass.setPlace(null);
  actions.ownpass.run();
  const { revision } = store.getState().document;
  let asked = false;
  /** True when there is nothing more to wait for. */
  const arrive = (): boolean => {
    const { document, ownpass, run, position } = store.getState();
    if (document.revision !== revision || !ownpass.on || ownpass.problems.length > 0) return true;
    // An analysis is not a phase: the graph shows its result for the program that was opened.
    if (ownpass.described?.kind === "analysis") return true;
    const { result } = run;
    if (run.running || run.stale || result === null || result.revision !== revision) return false;
    const at = result.phases.findIndex(isOwnPhase);
    const phase = result.phases[at];
    if (phase === undefined) return false;
    if (!asked) {
      asked = true;
      actions.position.goTo(at, "change");
      return false;
    }
    // The trace of another phase may still be there.
    if (position.run !== at || position.state === "tracing" || position.trace?.id !== phase.id) return false;
    const step = rewrite === null ? null : stepOfRewrite(position.trace, rewrite.n);
    if (step !== null) actions.position.seek(step);
    return true;
  };
  const stop = store.subscribe(() => {
    if (arrive()) stop();
  });
}
