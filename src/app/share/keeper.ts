/** Keeps the program of this tab in the browser as it changes: the first edit at once, what follows after a pause. */

import { LINK_VERSION, restoreLinkData } from "../../share/link-data.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { followAddress, leaveAddress, rememberPlace } from "./address.ts";
import { type KeptWork, newWorkId } from "./kept/kept-work.ts";
import { copyTitle, firstLines, type Kept, type Summary } from "./kept/records.ts";
import type { Tab } from "./kept/tab.ts";
import { linkOf } from "./link-state.ts";
import { openLinkData, sayReset } from "./open-link.ts";

const PAUSE_MS = 400;
const RECENT = { label: "Recent", command: "file.recent" } as const;

/** What the page knows of a kept work that it shows, or showed. */
interface Known {
  version: number;
  changed: number;
  own: boolean;
  /** The revision of the text that was saved last. */
  revision: number;
  /** False: another tab has it. Whatever is to be kept of it here is another work. */
  mine: boolean;
  /** A copy of another tab's work, made to keep the place in it; the first edit gives it a name of its own. */
  silent: boolean;
  /** Id of that work. */
  copyOf: string | null;
}

export interface Keeper {
  /** Opens a kept work; false when it holds nothing that could be read. */
  reopen(kept: Kept): Promise<boolean>;
  /** Saves what is not saved yet. */
  flush(): void;
  stop(): void;
}

/** `titles`: the names of other works, which a copy is not to have. */
export function keepWork(session: Session, kept: KeptWork, tab: Tab, titles: Promise<readonly string[]>): Keeper {
  const { store, actions } = session;
  const known = new Map<string, Known>();
  let taken: readonly string[] = [];
  titles.then(
    (names) => {
      taken = [...taken, ...names];
    },
    () => undefined,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What has changed since the last save. */
  let unsaved: "nothing" | "place" | "text" = "nothing";
  let saving = 0;

  const nextTitle = (title: string): string => {
    const name = copyTitle(title, taken);
    taken = [...taken, name];
    return name;
  };

  /** The work goes on under an id of its own, and is this tab's from here on. */
  const begin = (part: Partial<Known>): string => {
    const id = newWorkId();
    known.set(id, { version: 0, changed: Date.now(), own: false, revision: -1, mine: true, silent: false, copyOf: null, ...part });
    tab.begin(id);
    return id;
  };

  /** The record that this state is to be kept as; gives it an id where it has none that it may use. null: there is nothing to keep. */
  const recordOf = (state: SessionState): { readonly kept: Kept; readonly base: number; readonly known: Known } | null => {
    const { document } = state;
    let { title } = document;
    let id = document.work;
    let entry = id === null ? undefined : known.get(id);
    if (id === null || entry === undefined) {
      // What a link opened is another program as soon as it is edited.
      if (document.origin === "link") title = nextTitle(title);
      id = begin({});
    } else if (!entry.mine) {
      const { changed, own, revision } = entry;
      if (document.edited) {
        title = nextTitle(title);
        warnOfCopy(title, id);
        id = begin({ own });
      } else id = begin({ changed, revision, silent: true, copyOf: id });
    } else if (entry.silent && document.edited) {
      title = nextTitle(title);
      warnOfCopy(title, entry.copyOf);
      entry.silent = false;
    }
    entry = known.get(id) ?? entry;
    if (entry === undefined) return null;
    if (tab.work() !== id) takeBack(id, entry);
    if (entry.revision !== document.revision && !entry.silent) entry.changed = Date.now();
    entry.revision = document.revision;
    entry.own ||= document.edited || (document.origin === "own" && !entry.silent);
    const base = entry.version;
    entry.version++;
    const { changed, own, version } = entry;
    const summary: Summary = { id, title, lines: firstLines(document.text), changed, version, stamp: newWorkId(), own, pinned: false };
    return { kept: { summary, data: { ...linkOf(state), title } }, base, known: entry };
  };

  /** A program that was replaced and came back by undoing that is this tab's again. */
  const takeBack = (id: string, entry: Known) => {
    tab.take(id).then(
      (mine) => {
        entry.mine = mine;
      },
      () => undefined,
    );
  };

  const warnOfCopy = (title: string, of: string | null) => {
    if (of !== null) tab.sayCopied(of, title);
    actions.notify("warning", `This program is also open in another tab. Your changes here are saved separately, as “${title}”.`, RECENT);
  };

  const stopHearing = tab.onCopied((id, title) => {
    if (store.getState().document.work !== id) return;
    actions.notify(
      "warning",
      `This program is also being edited in another tab. Changes made there are saved separately, as “${title}”.`,
      RECENT,
    );
  });

  const keeps = ({ view, document }: SessionState): boolean =>
    !view.embed && /\S/.test(document.text) && !(document.origin === "link" && !document.edited);

  /** The session's program has the id and the name that it was kept under, unless another one has come meanwhile. */
  const sayId = (state: SessionState, { id, title }: Summary) => {
    const now = store.getState().document;
    if (now.since === state.document.since && (now.work !== id || now.title !== title)) actions.document.keepAs({ work: id, title });
  };

  const save = (state: SessionState) => {
    clearTimeout(timer);
    unsaved = "nothing";
    if (!keeps(state)) {
      if (state.document.origin === "link" && !state.view.embed) void followAddress(state, store.getState);
      return;
    }
    leaveAddress(state, store.getState);
    const record = recordOf(state);
    if (record === null) return;
    const { id } = record.kept.summary;
    sayId(state, record.kept.summary);
    const first = record.base === 0;
    saving++;
    kept
      .save(record.kept, record.base)
      .then((outcome) => {
        if (outcome === "newer") {
          // Another tab saved it meanwhile: what is here goes on by itself.
          record.known.mine = false;
          if (store.getState().document.work === id) save(store.getState());
          return undefined;
        }
        return first ? kept.tidy(new Set([id])) : undefined;
      })
      .catch((error: unknown) => actions.notify("error", `Your work could not be saved: ${String(error)}`))
      .finally(() => {
        saving--;
      });
  };

  const changedWork = (state: SessionState, before: SessionState): boolean =>
    state.document.revision !== before.document.revision ||
    state.document.title !== before.document.title ||
    state.document.format !== before.document.format ||
    state.options !== before.options ||
    state.ownpass.revision !== before.ownpass.revision ||
    state.ownpass.place !== before.ownpass.place ||
    state.position.step !== before.position.step ||
    state.position.run !== before.position.run ||
    state.breakpoints.list !== before.breakpoints.list ||
    // The address of a link waits for what is shown.
    (state.document.origin === "link" && selectSettled(state) !== selectSettled(before)) ||
    state.view !== before.view;

  const stop = store.subscribe((state, before) => {
    if (!changedWork(state, before)) return;
    const replaced = state.document.since !== before.document.since;
    // Another program takes the place of this one: whatever it had become is kept first.
    if (replaced && unsaved !== "nothing") save(before);
    if (replaced) sayWhere(state, before);
    const typed = state.document.revision !== before.document.revision && state.document.edited;
    const file = replaced && state.document.origin === "own" && state.document.work === null;
    if ((typed && unsaved !== "text") || file) {
      // A file and the first change of a text at once: nobody can say how long the page will be there.
      unsaved = "text";
      save(state);
    } else if (unsaved === "nothing") unsaved = "place";
    clearTimeout(timer);
    timer = setTimeout(flush, PAUSE_MS);
  });

  /** Nobody is to wonder what became of the program that was open. */
  const sayWhere = (state: SessionState, before: SessionState) => {
    const { work, title } = before.document;
    if (state.document.work !== null || work === null || known.get(work)?.own !== true) return;
    actions.notify("info", `“${title}” is under File, Recent. Undo in the editor also restores it.`, RECENT);
  };

  const flush = () => {
    if (unsaved !== "nothing") save(store.getState());
  };
  // A tab that is put away may never come back.
  const hidden = () => {
    if (document.visibilityState === "hidden") flush();
  };
  // The database answers too late for a page that goes away.
  const leaving = () => {
    const state = store.getState();
    if (unsaved === "nothing" && saving === 0) return;
    if (!keeps(state)) {
      if (state.document.origin === "link") rememberPlace(state);
      return;
    }
    const record = recordOf(state);
    if (record === null) return;
    sayId(state, record.kept.summary);
    kept.saveNow(record.kept, record.base);
  };
  document.addEventListener("visibilitychange", hidden);
  window.addEventListener("pagehide", leaving);

  return {
    async reopen({ summary, data }) {
      const restored = restoreLinkData(LINK_VERSION, data);
      if (restored === null) return false;
      const { id, version, changed, own } = summary;
      known.set(id, { version, changed, own, revision: -1, mine: true, silent: false, copyOf: null });
      await openLinkData(session, restored.data, { origin: own ? "own" : "example", work: id, quiet: true });
      const entry = known.get(id);
      if (entry === undefined) return false;
      entry.revision = store.getState().document.revision;
      sayReset(actions, restored.reset);
      entry.mine = await tab.take(id);
      return true;
    },
    flush,
    stop() {
      stop();
      stopHearing();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("pagehide", leaving);
    },
  };
}
