/** The guided tour, and the invitation to it. */

import { exampleNamed, openExample } from "../../../app/session/example.ts";
import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";

/** Opens the example of the guided tour, and its first coach mark once the example is there. */
export async function startTour(session: Session): Promise<void> {
  const { actions, store } = session;
  try {
    const [{ STOPS, TOUR_EXAMPLE, stand }] = await Promise.all([import("./stops.ts"), import("./guide.tsx")]);
    const example = exampleNamed(session, TOUR_EXAMPLE);
    if (example === null) throw new Error("its example is missing");
    const [first] = STOPS;
    for (const { beside } of session.features) if (beside?.isOpen(store.getState())) beside.close(session);
    actions.view.arrange("study");
    session.patch("tour", { mark: null });
    actions.view.set({ welcome: false, welcomed: true, overlay: "none", centre: "graph", dialog: null });
    await openExample(session, example);
    session.patch("tour", { mark: 0 });
    if (first !== undefined) stand(session, first.begins);
  } catch (error) {
    actions.notify("error", `The guided tour could not be loaded: ${messageOf(error)}`);
  }
}

/** What the tour opened is closed again: the step remains, with its picture and its reason. */
export function leaveTour({ actions, store, patch }: Session): void {
  const { open } = store.getState().view;
  patch("tour", { mark: null });
  actions.view.set({ open: { ...open, tab: "why", part: null, rule: false } });
  if (store.getState().graph.mode === "sides") patch("graph", { mode: "all" });
}

/** In the address: the page begins with the guided tour. */
const PARAMETER = "tour";

/** Starts the guided tour where the address requests it, once: a reload opens the place reached since. */
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
