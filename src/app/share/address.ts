/** The part of the address after `#`: it contains a link while one is shown, with the current step, and nothing while the user works. */

import { encodeLink, MAX_FRAGMENT } from "../../links/link-codec.ts";
import type { LinkData } from "../../links/link-data.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { browserStorage } from "../ui/browser-storage.ts";
import { linkOf } from "./parts.ts";

/** In sessionStorage: the place in a link that the address could not take any more before the page went away. */
const PLACE_KEY = "oriscope.place";

/**
 * Brings the link in the address to the current step, so that a reload stays there. While the engine is at work, or has failed, it stays where
 * something was shown last.
 */
export async function followAddress(session: Session, state: SessionState): Promise<void> {
  const { hash } = window.location;
  if (hash.length < 2 || !selectSettled(state)) return;
  const fragment = await encodeLink(linkOf(session, state)).catch(() => null);
  // Meanwhile another link may have come, or an edit.
  const { document } = session.store.getState();
  if (fragment === null || fragment.length > MAX_FRAGMENT || window.location.hash !== hash) return;
  if (document.origin !== "link" || document.edited || document.since !== state.document.since) return;
  if (hash !== `#${fragment}`) window.history.replaceState(window.history.state, "", `#${fragment}`);
}

/** Removes a link from the address that no longer describes what is on screen. */
export function leaveAddress(session: Session, state: SessionState): void {
  const { hash } = window.location;
  const same = () => session.store.getState().document.since === state.document.since;
  // The last save of a program that a link has just replaced: the address is that link's.
  if (hash.length < 2 || !same()) return;
  if (state.document.origin === "link") {
    clearAddress();
    return;
  }
  // Copying a link leaves it in the address; a reload must open the work once that has moved on.
  encodeLink(linkOf(session, state)).then(
    (fragment) => {
      if (same() && window.location.hash === hash && hash !== `#${fragment}`) clearAddress();
    },
    () => undefined,
  );
}

export function clearAddress(): void {
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
}

type Place = Pick<LinkData, "phase" | "occurrence" | "step">;

/** Notes the place in the link that the address holds; for a page that is being left. */
export function rememberPlace(session: Session, state: SessionState): void {
  const { phase, occurrence, step } = linkOf(session, state);
  if (phase === null) return;
  browserStorage("sessionStorage").set(PLACE_KEY, JSON.stringify({ hash: window.location.hash, phase, occurrence, step }));
}

/** The place noted before a reload of this very link, once. */
export function takePlace(): Place | null {
  const storage = browserStorage("sessionStorage");
  const { hash, phase, occurrence, step } = storage.fields(PLACE_KEY);
  storage.remove(PLACE_KEY);
  if (hash !== window.location.hash || typeof phase !== "string" || typeof occurrence !== "number" || typeof step !== "number") return null;
  return { phase, occurrence, step };
}
