/**
 * The document's title and the tab's icon: the place, what the engine is doing once that takes long, and what is wrong. A phase is named only
 * while what is shown is of the text and the options as they are.
 */

import { withoutHidden } from "../../links/hidden.ts";
import { plainName } from "../names/phases.ts";
import { selectPhase, selectStale } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { CoreState } from "../session/state.ts";
import { plural } from "../ui/plural.ts";

export function titleOf(state: CoreState): string {
  const { text, title } = state.document;
  const word = wordOf(state);
  return withoutHidden([...(word === null ? [] : [word]), ...(text === "" ? [] : [title]), "Oriscope"].join(" · "));
}

/** What is wrong, else what is being done, else the phase. */
function wordOf(state: CoreState): string | null {
  const { engine, run, document } = state;
  if (engine.status === "failed") return "Engine failed";
  if (run.error !== null) return "Run failed";
  if (document.open !== null && !document.open.ok && document.open !== document.good)
    return plural(document.open.diagnostics.filter((d) => d.severity === "error").length, "error");
  if (engine.slow !== null) return "Working…";
  const phase = document.text === "" || run.running || selectStale(state) ? null : selectPhase(state);
  return phase === null ? null : plainName(phase);
}

type IconState = "icon" | "icon-busy" | "icon-failed";

export function iconOf({ engine, run }: CoreState): IconState {
  if (engine.status === "failed" || run.error !== null) return "icon-failed";
  return engine.slow === null ? "icon" : "icon-busy";
}

/** Returns a function that ends it. */
export function followHead({ store }: Session): () => void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const show = (state: CoreState) => {
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
