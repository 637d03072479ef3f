/** The engine that a tab steps with instead of the page's own stays through reloads of this tab. */

import type { Session } from "../session/session.ts";
import { browserStorage } from "../ui/browser-storage.ts";
import { engineOfLink } from "./kept-engines.ts";

/** In sessionStorage: the hash of that engine's script. */
const KEY = "oriscope.engine";

/** Goes on with the engine that was chosen before a reload, and remembers the next choice. Resolves once a text may be opened; never rejects. */
export async function keepEngine(session: Session): Promise<void> {
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

/** Without a storage a reload comes back with the page's own engine. */
function remember(build: string | null): void {
  const storage = browserStorage("sessionStorage");
  if (build === null) storage.remove(KEY);
  else storage.set(KEY, build);
}
