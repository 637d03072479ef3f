/** What a fresh page opens: the link in its address, else the work that was saved, else the first example. And keeping the work saved. */

import { encodeLink } from "../../share/link-codec.ts";
import { LINK_VERSION, restoreLinkData } from "../../share/link-data.ts";
import { DEFAULT_EXAMPLE } from "../examples/catalogue.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { readLink } from "./decode.ts";
import { EMBED_PREFIX } from "./files.ts";
import { linkOf } from "./link-state.ts";
import { openLinkData } from "./open-link.ts";
import { storeWork } from "./saved-work.ts";

/** In localStorage, which alone can still be written while a page goes away: work that was not saved yet. */
const LEFT_KEY = "oriscope.left";
const SAVE_AFTER_MS = 400;

/** Opens whatever there is to open; `stored` is what the database has. Never rejects, never leaves the page empty. */
export async function openAtStart(session: Session, stored: Promise<unknown>): Promise<void> {
  const left = takeLeft();
  // Later than anything in the database, and there it belongs, whatever is opened now.
  if (left !== null) storeWork(left).catch(() => undefined);
  if (window.location.hash.length > 1) {
    await openFragment(session, window.location.hash.slice(1));
    return;
  }
  const saved = usable(left ?? (await stored));
  if (saved !== null) await openLinkData(session, saved, true);
  else openDefault(session);
}

export function openDefault(session: Session): void {
  const { id, title, text, phase } = DEFAULT_EXAMPLE;
  session.actions.position.goToPhase(phase, "start");
  session.actions.document.openText({ text, title, format: "ori", example: id });
}

/** Opens a fragment: `v1.…`, or `embed/v1.…`. A bad one says so and offers what could be read. */
export async function openFragment(session: Session, fragment: string): Promise<void> {
  const { actions } = session;
  const embed = fragment === "embed" || fragment.startsWith(EMBED_PREFIX);
  if (embed) actions.view.set({ embed: true });
  const rest = embed ? fragment.slice(EMBED_PREFIX.length) : fragment;
  if (rest === "") {
    openDefault(session);
    return;
  }
  const link = await readLink(rest);
  if (link.ok) {
    await openLinkData(session, link.data, false);
    return;
  }
  actions.notify("error", link.source === null ? link.message : `${link.message} The program's text could be read and is open.`, {
    label: "Examples",
    command: "file.examples",
  });
  actions.document.openText({ text: link.source ?? "", title: "damaged link" });
}

function usable(stored: unknown) {
  const restored = restoreLinkData(LINK_VERSION, stored);
  return restored !== null && restored.data.source !== null && restored.data.source !== "" ? restored.data : null;
}

/** What the page before this one left behind as it went away. */
function takeLeft(): unknown {
  try {
    const text = localStorage.getItem(LEFT_KEY);
    if (text === null) return null;
    localStorage.removeItem(LEFT_KEY);
    const stored: unknown = JSON.parse(text);
    return usable(stored) === null ? null : stored;
  } catch {
    // No storage here, or damaged: then there is what the database has.
    return null;
  }
}

/** Copying a link leaves it in the address bar; once the work has moved on, a reload must open the work and not the link. */
async function clearOldAddress(state: SessionState): Promise<void> {
  const { hash, pathname, search } = window.location;
  if (hash.length < 2) return;
  const fragment = await encodeLink(linkOf(state));
  if (window.location.hash === hash && hash !== `#${fragment}`) window.history.replaceState(null, "", pathname + search);
}

/** Saves the work a moment after each change. What a link opened is saved once it was edited: looking at a link does not replace one's own work. */
export function keepSaved(session: Session): () => void {
  const { store } = session;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let warned = false;
  const fromLink = window.location.hash.length > 1;
  const opened = { revision: -1 };
  /** Whether there is work of one's own; a link that was only looked at is none. */
  const own = (state: SessionState): boolean => {
    if (state.view.embed) return false;
    if (fromLink && opened.revision < 0 && state.document.revision > 0) opened.revision = state.document.revision;
    return !fromLink || state.document.revision > opened.revision;
  };
  /** Changes that are not in the database yet, and writes on their way to it. */
  let unsaved = false;
  let writing = 0;
  const save = () => {
    const state = store.getState();
    unsaved = false;
    if (!own(state)) return;
    if (window.location.hash.length > 1 && fromLink)
      window.history.replaceState(null, "", window.location.pathname + window.location.search);
    if (!fromLink) void clearOldAddress(state);
    writing++;
    storeWork(linkOf(state))
      .catch(() => {
        if (!warned) session.actions.notify("warning", "The browser does not let this page save your work. Use File, Download to keep it.");
        warned = true;
      })
      .finally(() => {
        writing--;
      });
  };
  const stop = store.subscribe((state, before) => {
    if (
      state.document === before.document &&
      state.options === before.options &&
      state.position.step === before.position.step &&
      state.position.run === before.position.run &&
      state.breakpoints.list === before.breakpoints.list &&
      state.view === before.view
    )
      return;
    unsaved = true;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  });
  // A tab that is put away may never come back.
  const hidden = () => {
    if (document.visibilityState === "hidden" && unsaved) save();
  };
  // The database answers too late for a page that goes away.
  const leaving = () => {
    const state = store.getState();
    if ((!unsaved && writing === 0) || !own(state)) return;
    try {
      localStorage.setItem(LEFT_KEY, JSON.stringify(linkOf(state)));
    } catch {
      // Larger than this storage takes, or none: the database has the work as it was a moment ago.
    }
  };
  document.addEventListener("visibilitychange", hidden);
  window.addEventListener("pagehide", leaving);
  return () => {
    stop();
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", hidden);
    window.removeEventListener("pagehide", leaving);
  };
}
