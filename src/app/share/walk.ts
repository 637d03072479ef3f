/**
 * Back and Forward of the browser walk the programs that were opened in this tab, each at the place where it was left. The content of each
 * entry of the history is kept for the tab: the id of a kept work, or what a link would hold. `walk-state.ts` says where the walk is.
 */

import { LINK_VERSION, restoreLinkData } from "../../links/link-data.ts";
import type { Session } from "../session/session.ts";
import type { Origin, SessionState } from "../session/state.ts";
import { browserStorage } from "../ui/browser-storage.ts";
import { openLinkData } from "./open-link.ts";
import { linkOf } from "./parts.ts";
import { nextWalk, type Walk } from "./walk-state.ts";

const KEY = "oriscope.walk";
/** Entries, and characters of one, that are kept; an older or larger one is dropped: Back skips it. */
const MOST_ENTRIES = 40;
const LONGEST = 60_000;

interface Entry {
  readonly work: string | null;
  readonly origin: Origin;
  /** As in a link; not looked at before it is opened. */
  readonly data: unknown;
}

type Entries = Record<string, Entry>;

export interface Walked {
  /** The address belongs to the open program. Otherwise it names a program that is being opened, and must not be changed. */
  isThere(): boolean;
  /** Restores the address of the open program, because what came into the address opens none. */
  stay(address: string): void;
}

/** Opens a kept work by its id; false: it is not kept any more. */
type Reopen = (work: string) => Promise<boolean>;

export function walkOpened(session: Session, reopen: Reopen): Walked {
  const { store, actions } = session;
  const entries = read();
  let walk: Walk = { kind: "start", at: placeOf(window.history.state) ?? 0 };
  let { hash } = window.location;

  store.subscribe((state, before) => {
    if (state.document.since === before.document.since || state.view.embed) return;
    const left = walk;
    walk = nextWalk(left, { kind: "shown" });
    if (left.kind === "there") {
      note(left.at, before);
      for (const later of Object.keys(entries)) if (Number(later) >= walk.at) delete entries[later];
      // A link in the address has made its own entry; another program leaves the address of the link before it, which may have followed the step.
      mark(state.document.origin === "link" && window.location.hash !== "" ? "replace" : "push");
      // Otherwise the history has already moved on, and that entry is opened next.
    } else if (walk.kind !== "opening" || walk.to === walk.at) mark("replace");
  });

  window.addEventListener("popstate", ({ state }) => {
    const to = placeOf(state);
    if (to === null) return;
    const now = window.location.hash;
    const left = walk;
    walk = nextWalk(left, { kind: "go", to, link: now !== hash && now.length > 1 });
    if (walk === left) return;
    hash = now;
    // What is only passed by keeps the place where it was left.
    if (left.kind === "opening") return;
    note(left.at, store.getState());
    void openEntries();
  });

  return {
    isThere: () => placeOf(window.history.state) === walk.at,
    stay(address) {
      window.history.replaceState(marked(walk.at), "", address);
      hash = window.location.hash;
    },
  };

  function note(at: number, state: SessionState): void {
    if (state.document.text === "") return;
    const entry = entryOf(session, state);
    if (entry === null) delete entries[at];
    else entries[at] = entry;
  }

  function mark(how: "push" | "replace"): void {
    if (how === "push") window.history.pushState(marked(walk.at), "", window.location.pathname + window.location.search);
    else window.history.replaceState(marked(walk.at), "");
    hash = window.location.hash;
    write(entries, walk.at);
  }

  /** Opens what was gone to, one after the other: of several presses, the last one's program stays. */
  async function openEntries(): Promise<void> {
    while (walk.kind === "opening") {
      const opened = await openEntry(session, reopen, entries[walk.entry]);
      walk = nextWalk(walk, { kind: "ended" });
      if (opened || walk.kind !== "there") continue;
      actions.notify("info", "The program that was open here is no longer saved. Your other programs are under Recent.", {
        label: "Recent",
        command: "file.recent",
      });
    }
  }
}

/** What is kept of a program that is left; null: it is too large. */
function entryOf(session: Session, state: SessionState): Entry | null {
  const { work, origin } = state.document;
  if (work !== null) return { work, origin, data: null };
  const entry: Entry = { work, origin, data: linkOf(session, state) };
  return JSON.stringify(entry).length > LONGEST ? null : entry;
}

/** False: its program is not here any more. */
async function openEntry(session: Session, reopen: Reopen, entry: Entry | undefined): Promise<boolean> {
  if (entry === undefined) return false;
  if (entry.work !== null) return reopen(entry.work);
  const restored = restoreLinkData(LINK_VERSION, entry.data);
  if (restored === null) return false;
  return (await openLinkData(session, restored.data, { origin: entry.origin, quiet: true })) === null;
}

/** The state of the current entry of the history, with its place in this walk. */
function marked(at: number): object {
  const state: unknown = window.history.state;
  return { ...(typeof state === "object" ? state : null), oriscope: at };
}

/** The place of an entry of the history in this walk; null: it was not made here. */
export function placeOf(state: unknown): number | null {
  const at: unknown = typeof state === "object" && state !== null ? (state as { readonly oriscope?: unknown }).oriscope : null;
  return typeof at === "number" ? at : null;
}

function read(): Entries {
  const stored = Object.entries(browserStorage("sessionStorage").fields(KEY));
  return Object.fromEntries(stored.filter((pair): pair is [string, Entry] => isEntry(pair[1])));
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null) return false;
  const { work, origin } = value as Readonly<Record<string, unknown>>;
  return (work === null || typeof work === "string") && (origin === "own" || origin === "example" || origin === "link");
}

/** The nearest entries; a storage that is full or forbidden keeps none beyond this page. */
function write(entries: Entries, at: number): void {
  const near = Object.entries(entries).filter(([place]) => Math.abs(Number(place) - at) <= MOST_ENTRIES / 2);
  browserStorage("sessionStorage").set(KEY, JSON.stringify(Object.fromEntries(near)));
}
