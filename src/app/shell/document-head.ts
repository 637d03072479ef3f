/** The document's title and the tab's icon: where one is, and whether the engine is at work or has failed. */

import { plainName } from "../names/phases.ts";
import { selectPhase } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";

export function titleOf(state: SessionState): string {
  if (state.document.text === "") return "Oriscope";
  const phase = selectPhase(state);
  return [...(phase === null ? [] : [plainName(phase)]), state.document.title, "Oriscope"].join(" · ");
}

type IconState = "icon" | "icon-busy" | "icon-failed";

function iconOf({ engine, run }: SessionState): IconState {
  if (engine.status === "failed" || run.error !== null) return "icon-failed";
  return engine.slow === null ? "icon" : "icon-busy";
}

/** Returns a function that ends it. */
export function followHead({ store }: Session): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const show = (state: SessionState) => {
    const title = titleOf(state);
    if (document.title !== title) document.title = title;
    const icon = `./${iconOf(state)}.svg`;
    if (link !== null && link.getAttribute("href") !== icon) link.setAttribute("href", icon);
  };
  show(store.getState());
  return store.subscribe((state, before) => {
    const same = state.document === before.document && state.run === before.run && state.engine === before.engine;
    if (!same || state.position.run !== before.position.run) show(state);
  });
}
