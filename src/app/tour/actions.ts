/** The ways in of a first visit: the guided tour and an empty text. */

import { EXAMPLES } from "../examples/catalogue.ts";
import { openExample } from "../examples/open-example.ts";
import { closeLab } from "../labs/open-lab.ts";
import type { Session } from "../session/session.ts";
import { USUAL } from "../session/state.ts";
import { messageOf } from "../ui/failure.ts";

/** Opens the example of the guided tour, and its first coach mark once the example is there. */
export async function startTour(session: Session): Promise<void> {
  const { actions, store } = session;
  try {
    const [{ STOPS, TOUR_EXAMPLE, stand }] = await Promise.all([import("./stops.ts"), import("./guide.tsx")]);
    const example = EXAMPLES.find(({ id }) => id === TOUR_EXAMPLE);
    if (example === undefined) throw new Error("its example is missing");
    const [first] = STOPS;
    if (store.getState().lab.source !== null) closeLab(session);
    actions.view.arrange("study");
    actions.view.set({ tour: null, welcome: false, welcomed: true, overlay: "none", centre: "graph", dialog: null });
    await openExample(session, example);
    actions.view.set({ tour: 0 });
    if (first !== undefined) stand(session, first.begins);
  } catch (error) {
    actions.notify("error", `The guided tour could not be loaded: ${messageOf(error)}`);
  }
}

/** What the tour opened is closed again: one is at a step, with its picture and its reason. */
export function leaveTour({ actions, store, patch }: Session): void {
  const { open } = store.getState().view;
  actions.view.set({ tour: null, open: { ...open, tab: "why", part: null, rule: false } });
  if (store.getState().graph.mode === "sides") patch("graph", { mode: "all" });
}

/** In the address: the page begins with the guided tour. */
const PARAMETER = "tour";

/** Starts the guided tour where the address asks for it, once: a reload opens what one has come to since. */
export async function resumeTour(session: Session): Promise<void> {
  const url = new URL(window.location.href);
  if (!url.searchParams.has(PARAMETER)) return;
  url.searchParams.delete(PARAMETER);
  window.history.replaceState(window.history.state, "", url);
  await startTour(session);
}

export function closeWelcome(session: Session): void {
  session.actions.view.set({ welcome: false, welcomed: true });
}

/** An empty text with the cursor in it; what was there comes back by undo, and is among the recent works. */
export function startBlank(session: Session): void {
  const { actions } = session;
  closeWelcome(session);
  actions.document.openText({ text: "", title: "untitled", pipeline: USUAL });
  actions.view.set({ editorTab: "source" });
  actions.view.showPane("editor");
  // The editor takes the text over first. What one types in has this role; the text areas beside it are the editor's own helpers.
  requestAnimationFrame(() => {
    const editor = document.querySelector("#pane-editor [data-editor]");
    const text = editor?.querySelector<HTMLElement>('[role="textbox"]') ?? editor?.querySelector<HTMLElement>("textarea");
    text?.focus();
  });
}
