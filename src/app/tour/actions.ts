/** Beginning, leaving and walking the guided minute, and the other ways in of a first visit. */

import { TWO_ADDS } from "../examples/catalogue.ts";
import type { Session } from "../session/session.ts";
import { USUAL } from "../session/state.ts";
import { messageOf } from "../ui/failure.ts";
import { STOPS } from "./stops.ts";

/** Opens the program that it is about, at the decision, and shows the first stop. */
export async function startTour(session: Session): Promise<void> {
  const { actions } = session;
  try {
    const text = await TWO_ADDS.load();
    const { id, title, phase } = TWO_ADDS;
    actions.document.openText({ text, title, format: "ori", example: id, origin: "example", pipeline: USUAL });
    actions.position.goToPhase(phase, "change");
    actions.view.set({ editorTab: "source", centre: "graph", overlay: "none", dialog: null, welcome: false, welcomed: true });
    enterStop(session, 0);
  } catch (error) {
    actions.notify("error", `The guided minute could not be loaded: ${messageOf(error)}`);
  }
}

/** Goes to a stop; past the last one it ends. */
export function enterStop(session: Session, index: number): void {
  const { actions, store } = session;
  const stop = STOPS[index];
  if (stop === undefined) {
    leaveTour(session);
    return;
  }
  const { inspector, pane } = stop;
  actions.view.set({ tour: index, pane });
  if (inspector !== null) actions.view.openInspector("bottom", inspector);
  const { trace } = store.getState().position;
  if (trace?.id === TWO_ADDS.phase) actions.position.seek(stop.step(trace));
}

export function leaveTour(session: Session): void {
  session.actions.view.set({ tour: null });
  document.getElementById("pane-timeline")?.querySelector<HTMLElement>('[role="slider"]')?.focus();
}

export function closeWelcome(session: Session): void {
  session.actions.view.set({ welcome: false, welcomed: true });
}

/** An empty text with the cursor in it; what was there comes back by undo, and is among the recent works. */
export function startBlank(session: Session): void {
  const { actions } = session;
  closeWelcome(session);
  actions.document.openText({ text: "", title: "untitled", pipeline: USUAL });
  actions.view.set({ editorTab: "source", pane: "editor" });
  // The editor takes the text over first.
  requestAnimationFrame(() => document.getElementById("pane-editor")?.querySelector<HTMLElement>("textarea, [contenteditable]")?.focus());
}
