/** The ways in of a first visit: the guided minute and an empty text. */

import { openLab } from "../labs/open-lab.ts";
import type { Session } from "../session/session.ts";
import { USUAL } from "../session/state.ts";
import { messageOf } from "../ui/failure.ts";

/** The guided minute is a lab without points: it opens like any other, and is left like any other. */
export async function startTour(session: Session): Promise<void> {
  const { actions } = session;
  try {
    const { default: text } = await import("./one-minute.md?raw");
    actions.view.set({ overlay: "none", welcomed: true });
    actions.view.openInspector("bottom", "why");
    openLab(session, { text, title: "One minute", classKey: "", course: null });
  } catch (error) {
    actions.notify("error", `The guided minute could not be loaded: ${messageOf(error)}`);
  }
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
