/** Engines of earlier releases that links name. */

import type { Feature } from "../../../app/session/feature.ts";
import type { Session } from "../../../app/session/session.ts";
import { browserStorage } from "../../../app/ui/browser-storage.ts";
import { LINK_VERSION, type LinkData } from "../../../links/link-data.ts";
import { engineOfLink } from "./kept-engines.ts";

export const ENGINES: Feature = {
  id: "engines",
  commands: [
    {
      id: "engine.compare",
      title: "Compare with the link's engine…",
      menu: "phase",
      keys: [],
      enabled: (state) => state.engine.linked !== null && state.engine.chosen === null && !state.view.embed,
      run: (session) => session.actions.view.set({ dialog: "engines" }),
    },
  ],
  beforeOpening: keepEngine,
  linkOpened: (session, data, digest) => void sayEngine(session, data, digest),
  dialogs: () => import("./engines-dialog.tsx"),
};

/** In sessionStorage: the hash of that engine's script. */
const KEY = "oriscope.engine";

/** Goes on with the engine that was chosen in this tab before a reload, and remembers the next choice. Resolves once a text may be opened; never rejects. */
async function keepEngine(session: Session): Promise<void> {
  const { store, actions } = session;
  const build = browserStorage("sessionStorage").get(KEY);
  store.subscribe(({ engine }, before) => {
    if (engine.chosen !== before.engine.chosen) remember(engine.chosen?.build ?? null);
  });
  if (build === null) return;
  const { version, build: own } = store.getState().engine;
  const engine = await engineOfLink({ engine: "", build }, { engine: version, build: own });
  if (engine !== null) session.goOnWith(engine);
  else {
    remember(null);
    if (build !== own)
      actions.notify(
        "warning",
        `Engine ${build}, which this tab was using, is no longer available; the tab now uses the page's own engine.`,
      );
  }
}

/** Without a storage a reload restarts with the page's own engine. */
function remember(build: string | null): void {
  const storage = browserStorage("sessionStorage");
  if (build === null) storage.remove(KEY);
  else storage.set(KEY, build);
}

/** Reports that a link was made with a different engine and how its result differs, and offers that engine if the site has it. */
async function sayEngine({ actions, store }: Session, data: LinkData, digest: string): Promise<void> {
  const { since } = store.getState().document;
  const { version, build, chosen } = store.getState().engine;
  const other = data.engine !== "" && data.engine !== version;
  const differs = data.digest !== null && data.digest !== digest;
  if (!other && !differs && (data.build === "" || data.build === build)) return;
  const kept = chosen === null ? await engineOfLink(data, { engine: version, build }) : null;
  // Another program meanwhile.
  if (store.getState().document.since !== since) return;
  actions.view.setLinkedEngine(kept);
  const offer = kept === null || store.getState().view.embed ? null : ({ label: "Compare", command: "engine.compare" } as const);
  if (differs) {
    const made = other
      ? `was made by engine ${data.engine}; this is ${version}`
      : kept !== null
        ? `was made by another build of engine ${version}`
        : `is of schema version ${LINK_VERSION}`;
    actions.notify("warning", `The result differs from the one the link was made from (it ${made}). Step numbers may not match.`, offer);
  } else if (other) {
    actions.notify("info", `The link was made by engine ${data.engine}; this is ${version}. The result is the same.`, offer);
  }
}
