/**
 * The one writer of this tab's program: saves its record as it changes, short texts at every key, of long ones the first change at once and what follows after a pause;
 * until then what was typed is written as a patch.
 * Another program in its place is another record; what two tabs change of one work becomes two.
 */

import { LINK_VERSION, type LinkData, restoreLinkData } from "../../links/link-data.ts";
import { initialState } from "../session/feature.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import type { WorkData } from "../session/work-part.ts";
import { followAddress, leaveAddress, rememberPlace } from "../share/address.ts";
import { openLinkData, sayReset } from "../share/open-link.ts";
import type { PageEvents } from "./page-events.ts";
import { changedSince, lengthOf, linkOf, madeSince, readRecordOnly, recordOf, staysFrom, typedIn } from "./parts.ts";
import { changesNothing, patchOf } from "./patch.ts";
import { copyTitle, firstLines, type Kept, type Summary } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";
import { type Known, recordWriter } from "./writer.ts";

const PAUSE_MS = 400;
/** While someone types on and on, so long passes at most before a save; of a long text, whose saves take time, more. */
const MOST_MS = 2_000;
const MOST_LONG_MS = 10_000;
const LONG = 200_000;
/** Characters of program and pass up to which every change is saved at once: a browser that is killed loses none. */
const SHORT = 20_000;
/** Of longer ones what was typed is written this long after the first key, whether a pause comes or not. */
const PATCH_MS = 500;
const RECENT = { label: "Recent", command: "file.recent" } as const;

export interface Keeper {
  /** Opens a kept program; false when it holds nothing that could be read. */
  reopen(kept: Kept): Promise<boolean>;
  /** Saves what is not saved yet. */
  flush(): void;
  stop(): void;
}

const isBlank = (text: string): boolean => !/\S/.test(text);
const pickPlace = ({ phase, occurrence, step, selection, breakpoints }: LinkData) => ({ phase, occurrence, step, selection, breakpoints });

/** `titles`: the names of other works, which a copy is not to have. */
export function keepWork(session: Session, works: Works, tab: Tab, page: PageEvents, titles: Promise<readonly string[]>): Keeper {
  const { store, actions } = session;
  let taken: readonly string[] = [];
  titles.then(
    (names) => {
      taken = [...taken, ...names];
    },
    () => undefined,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first change came that is not saved. */
  let waiting: number | null = null;
  /** Something has changed since the last save. */
  let unsaved = false;
  /** Something was typed since. */
  let waits = false;
  works.hold(() => waits);
  /** Of a long record the text whose change was saved at once: its next ones wait for a pause. */
  let hot: number | null = null;
  const nothing = initialState(session.features);
  /** The program as it was when it replaced another. */
  let opened = store.getState();
  /** A text of the user's stayed open when it came. */
  let stayed = false;
  /** A kept work that was opened and is not yet where it was left: until then its record keeps that place. */
  let arriving: LinkData | null = null;
  /** Whether this tab may write the work that was opened is not known yet: saves wait for the answer. */
  let taking: Promise<boolean> | null = null;
  /** The database was deleted since: what another tab had of this program may be gone with it. */
  let lost = false;
  /** The program's text before it was cleared: an empty text is saved as that. */
  let lastText = "";
  /** The record that was saved last: what is typed after it is written as its patch. */
  let whole: Kept | null = null;
  let patching: ReturnType<typeof setTimeout> | undefined;

  const nextTitle = (title: string): string => {
    const name = copyTitle(title, taken);
    taken = [...taken, name];
    return name;
  };

  const writer = recordWriter({
    works,
    tab,
    page,
    // It continues by itself.
    apart(kept, entry) {
      entry.mine = false;
      const { id } = kept.summary;
      if (store.getState().document.work === id && writer.known(id) === entry) save(store.getState());
      else {
        const copy = writer.begin({ own: true, version: entry.version, order: works.nextOrder() });
        const { order } = copy.entry;
        writer.save(
          { summary: { ...kept.summary, id: copy.id, title: nextTitle(kept.summary.title), own: true, order }, data: kept.data },
          copy.entry,
        );
      }
    },
    saved(kept, stored) {
      if (stored) whole = kept;
    },
    failed: (error) => actions.notify("error", `Your work could not be saved: ${String(error)}`),
  });

  /** The record of this state: under the id it has, or under a new one where it has none that this tab may write. */
  const make = (state: SessionState): { readonly kept: Kept; readonly entry: Known } => {
    const { document } = state;
    const made = madeSince(session, state, opened);
    let { title } = document;
    let id = document.work;
    let entry = writer.known(id);
    if (id === null || entry === undefined) {
      // What a link opened is another program as soon as its text is edited.
      if (document.origin === "link" && document.edited) title = nextTitle(title);
      ({ id, entry } = writer.begin());
    } else if (!entry.mine) {
      const { changed, order, own, texts, version } = entry;
      if (made) {
        title = nextTitle(title);
        warnOfCopy(title, id);
        ({ id, entry } = writer.begin({ own, version }));
      } else ({ id, entry } = writer.begin({ changed, order, texts, version, silent: true, copyOf: id }));
    } else if (entry.silent && made) {
      title = nextTitle(title);
      warnOfCopy(title, entry.copyOf);
      entry.silent = false;
    }
    entry.own ||= made || lost || (document.origin === "own" && !entry.silent);
    const record = recordOf(session, state);
    const source = isBlank(document.text) ? lastText : document.text;
    const lines = firstLines(isBlank(source) ? (record.pass?.source ?? "") : source);
    const summary = writer.next(id, entry, { kind: "program", title, lines }, typedIn(session, state));
    const place = arriving === null ? {} : pickPlace(arriving);
    return { kept: { summary, data: { ...record, ...place, source, title } satisfies WorkData }, entry };
  };

  const warnOfCopy = (title: string, of: string | null): void => {
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

  /** Not in a frame, nothing that is empty, and of a link only what the user has changed, or brought with it from a work that is lost. */
  const keeps = (state: SessionState): boolean => {
    const { view, document } = state;
    if (view.embed) return false;
    const made = madeSince(session, state, opened) || (lost && stayed);
    // Of a text that was cleared away, what it was before is kept.
    return document.origin === "link" ? made : made || !isBlank(document.text) || lastText !== "";
  };

  /** The session's program has the id and the name that it was kept under, unless another one has come meanwhile. */
  const sayId = (state: SessionState, { id, title }: Summary): void => {
    const now = store.getState().document;
    if (now.since === state.document.since && (now.work !== id || now.title !== title)) actions.document.keepAs({ work: id, title });
  };

  const save = (state: SessionState): void => {
    clearTimeout(timer);
    waiting = null;
    unsaved = false;
    waits = false;
    hot = null;
    if (!keeps(state)) {
      if (state.document.origin === "link" && !state.view.embed) void followAddress(session, state);
      return;
    }
    leaveAddress(session, state);
    const { kept, entry } = make(state);
    sayId(state, kept.summary);
    writer.save(kept, entry);
  };

  const due = (state: SessionState): void => {
    const now = Date.now();
    waiting ??= now;
    const most = state.document.text.length > LONG ? MOST_LONG_MS : MOST_MS;
    clearTimeout(timer);
    timer = setTimeout(flush, Math.min(PAUSE_MS, Math.max(0, waiting + most - now)));
    if (unsaved && lengthOf(session, state) > SHORT) patching ??= setTimeout(patch, PATCH_MS);
  };

  const patch = (): void => {
    patching = undefined;
    const state = store.getState();
    const { document } = state;
    const entry = writer.known(document.work);
    if (!unsaved || taking !== null || writer.saving() || whole === null || entry === undefined || !entry.mine || entry.silent) return;
    if (whole.summary.id !== document.work || isBlank(document.text)) return;
    const typed = patchOf(whole, { source: document.text, pass: linkOf(session, state).pass?.source ?? null });
    if (typed === null) {
      flush();
      return;
    }
    if (changesNothing(typed)) return;
    const { id, kind, title, lines } = whole.summary;
    void works.patch(writer.next(id, entry, { kind, title, lines }, typedIn(session, state)), typed);
  };

  const stop = store.subscribe((state, before) => {
    const replaced = state.document.since !== before.document.since;
    // The address of a link waits for what is shown.
    const shown = state.document.origin === "link" && selectSettled(state) !== selectSettled(before);
    if (!replaced && !shown && arriving === null && !changedSince(session, state, before)) return;
    // Another program replaces this one, whose latest state is saved first.
    if (replaced && unsaved) save(before);
    if (replaced) {
      opened = state;
      stayed = staysFrom(session, state, before, nothing);
      arriving = null;
      taking = null;
      lost = false;
      lastText = "";
      sayWhere(state, before);
    }
    if (!isBlank(state.document.text)) lastText = state.document.text;
    if (arriving !== null && selectSettled(state)) arriving = null;
    const former = typedIn(session, before);
    const changed = typedIn(session, state).flatMap((text, i) => (text === former[i] ? [] : [i]));
    const typed = madeSince(session, state, opened) && changed.length > 0;
    // Keys change one text; opening or closing another changes more, or a different one.
    const [only = null] = changed.length === 1 ? changed : [];
    const file = replaced && state.document.origin === "own" && state.document.work === null;
    const long = lengthOf(session, state) > SHORT;
    if (((typed && !(long && only !== null && only === hot)) || file) && taking === null) {
      // A file and the first change of a text at once: the page may end at any time.
      save(state);
      if (long) hot = only;
    } else if (arriving === null || typed) unsaved = true;
    if (unsaved && typed) {
      waits = true;
      page.askBeforeLeaving(works.unstored());
    }
    due(state);
  });

  /** Says where the program is that was open. */
  const sayWhere = (state: SessionState, before: SessionState): void => {
    const { work, title } = before.document;
    if (state.document.work !== null || work === null || writer.known(work)?.own !== true) return;
    actions.notify("info", `“${title}” is under File, Recent. Undo in the editor also restores it.`, RECENT);
  };

  const flush = (): void => {
    hot = null;
    if (unsaved && taking === null) save(store.getState());
  };
  // The database answers too late for a page that is left.
  const leave = (): void => {
    const state = store.getState();
    if (!keeps(state)) {
      // Also after a save: the address follows by a thread, and while a phase is traced not at all.
      if (state.document.origin === "link" && !state.view.embed) rememberPlace(session, state);
      return;
    }
    if (!unsaved && !writer.saving()) return;
    const { kept } = make(state);
    sayId(state, kept.summary);
    writer.saveNow(kept);
  };
  works.onLost(() => {
    lost = true;
    unsaved = true;
    flush();
  });
  // A tab that is put away may never come back.
  const stopEvents = page.listen({ hidden: flush, leave });

  return {
    async reopen(found) {
      // What is open is kept before it is left; what this tab has saved is not opened as it was before.
      flush();
      const { summary, data } = (writer.known(found.summary.id) !== undefined ? await works.read(found.summary.id) : null) ?? found;
      const restored = restoreLinkData(LINK_VERSION, data);
      if (restored === null) return false;
      const { id, own } = summary;
      const entry = writer.adopt(summary, []);
      await openLinkData(session, restored.data, { origin: own ? "own" : "example", work: id, whole: readRecordOnly(data) });
      entry.texts = typedIn(session, store.getState());
      if (!selectSettled(store.getState())) arriving = restored.data;
      sayReset(actions, restored.reset);
      const asked = tab.take(id);
      taking = asked;
      entry.mine = await asked;
      if (taking !== asked) return true;
      taking = null;
      if (unsaved) due(store.getState());
      return true;
    },
    flush,
    stop() {
      stop();
      stopHearing();
      clearTimeout(timer);
      clearTimeout(patching);
      stopEvents();
    },
  };
}
