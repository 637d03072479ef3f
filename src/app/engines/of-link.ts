/** What a link contains about the engine that it was made with. */

import { LINK_VERSION, type LinkData } from "../../links/link-data.ts";
import type { Session } from "../session/session.ts";
import { engineOfLink } from "./kept-engines.ts";

/** Says when a link was made with another engine, how its result differs, and offers that engine if the site has it. */
export async function sayEngine({ actions, store }: Session, data: LinkData, digest: string): Promise<void> {
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
