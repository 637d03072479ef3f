/**
 * The one writer of this tab's program: saves its record as it changes. `unsaved.ts` says when: short texts at every key, of long ones the first change at once and what
 * follows after a pause; until then what was typed is written as a patch.
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
import { copyTitle, firstLines, type Kept } from "./record.ts";
import type { Tab } from "./tab.ts";
import { nextUnsaved, pauseOf, SAVED, type UnsavedEvent } from "./unsaved.ts";
import type { Works } from "./works.ts";
import { type Known, recordWriter } from "./writer.ts";

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

/** The open program, until another replaces it. */
interface Open {
  /** The session as it came. */
  readonly from: SessionState;
  /** A text of the user's stayed open when it came. */
  readonly stayed: boolean;
  /** A kept work that is not yet where it was left: until then its record keeps that place. */
  arriving: LinkData | null;
  /** The question whether this tab may write the work: saves wait for the answer. */
  taking: Promise<boolean> | null;
  /** The database was deleted since: what another tab had of this program may be gone with it. */
  lost: boolean;
  /** Its text before it was cleared: an empty text is saved as that. */
  lastText: string;
}

const opened = (from: SessionState, stayed: boolean): Open => ({
  from,
  stayed,
  arriving: null,
  taking: null,
  lost: false,
  lastText: "",
});

/** The id of the work that another tab has, and this one shows, or has a copy of to keep the place in it. */
const ofAnotherTab = (entry: Known | undefined): string | null => (entry?.mine === false ? entry.id : (entry?.placeIn ?? null));

const isBlank = (text: string): boolean => !/\S/.test(text);

/** `titles`: the names of other works, which a copy is not to have. */
export function keepWork(session: Session, works: Works, tab: Tab, page: PageEvents, titles: Promise<readonly string[]>): Keeper {
  const { store, actions } = session;
  const nothing = initialState(session.features);
  const nextTitle = titlesBeside(titles);
  let open = opened(store.getState(), false);
  let unsaved = SAVED;
  works.hold(() => unsaved.state === "typed");
  /** The record that was saved last: what is typed after it is written as its patch. */
  let whole: Kept | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patching: ReturnType<typeof setTimeout> | undefined;
  const writer = recordWriter({
    works,
    tab,
    page,
    apart(kept, entry) {
      const state = store.getState();
      if (writer.known(state.document.work) === entry) save(state);
      else writer.saveCopy(kept, entry, nextTitle(kept.summary.title));
    },
    saved(kept, stored) {
      if (stored) whole = kept;
    },
    failed: (error) => actions.notify("error", `Your work could not be saved: ${String(error)}`),
  });

  const stop = store.subscribe((state, before) => {
    const replaced = state.document.since !== before.document.since;
    // The address of a link waits for what is shown.
    const shown = state.document.origin === "link" && selectSettled(state) !== selectSettled(before);
    if (!replaced && !shown && open.arriving === null && !changedSince(session, state, before)) return;
    if (replaced) {
      // The latest state of the program before is saved first.
      if (unsaved.state !== "saved") save(before);
      unsaved = SAVED;
      open = opened(state, staysFrom(session, state, before, nothing));
      if (state.document.work === null && writer.known(before.document.work)?.own === true)
        say("info", `“${before.document.title}” is under File, Recent. Undo in the editor also restores it.`);
    }
    if (!isBlank(state.document.text)) open.lastText = state.document.text;
    if (selectSettled(state)) open.arriving = null;
    happens(changeOf(session, state, before, open), state);
    if (unsaved.state === "typed") page.askBeforeLeaving(works.unstored());
  });
  const flush = (): void => happens({ kind: "pause" });
  works.onLost(async () => {
    const program = open;
    const theirs = ofAnotherTab(writer.known(store.getState().document.work));
    // What another tab has open is saved by that one.
    program.lost = theirs === null || !(await tab.held()).has(theirs);
    happens({ kind: "lost", now: Date.now() });
  });
  const stopHearing = tab.onCopied((id, title) => {
    if (store.getState().document.work === id)
      say("warning", `This program is also being edited in another tab. Changes made there are saved separately, as “${title}”.`);
  });
  const stopEvents = page.listen({
    // A tab that is put away may never come back.
    hidden: flush,
    // The database answers too late for a page that is left.
    leave() {
      const state = store.getState();
      if (!keeps(session, state, open)) {
        // Also after a save: the address follows by a thread, and while a phase is traced not at all.
        if (state.document.origin === "link" && !state.view.embed) rememberPlace(session, state);
      } else if (unsaved.state !== "saved" || writer.saving()) works.saveNow(make(state).kept);
    },
  });

  function happens(event: UnsavedEvent, state = store.getState()): void {
    unsaved = nextUnsaved(unsaved, event, open.taking !== null);
    if (unsaved.state === "due") save(state);
    wait(state);
  }

  function wait(state: SessionState): void {
    clearTimeout(timer);
    const pause = pauseOf(unsaved, Date.now(), state.document.text.length);
    if (pause === null || open.taking !== null) return;
    timer = setTimeout(flush, pause);
    if (unsaved.state !== "saved" && lengthOf(session, state) > SHORT) patching ??= setTimeout(patch, PATCH_MS);
  }

  function save(state: SessionState): void {
    unsaved = nextUnsaved(unsaved, { kind: "saved" }, false);
    if (keeps(session, state, open)) {
      leaveAddress(session, state);
      const { kept, entry } = make(state);
      writer.save(kept, entry);
    } else if (state.document.origin === "link" && !state.view.embed) void followAddress(session, state);
  }

  function patch(): void {
    patching = undefined;
    const state = store.getState();
    const { text, work } = state.document;
    const entry = writer.known(work);
    if (unsaved.state === "saved" || open.taking !== null || writer.saving()) return;
    if (entry?.mine !== true || entry.placeIn !== null || whole?.summary.id !== work || isBlank(text)) return;
    const typed = patchOf(whole, { source: text, pass: linkOf(session, state).pass?.source ?? null });
    if (typed === null) flush();
    else if (!changesNothing(typed)) void works.patch(writer.next(entry, whole.summary, typedIn(session, state)), typed);
  }

  /** The next version of the program's record. The session's program has its id and name from here on, unless another one has come. */
  function make(state: SessionState): { readonly kept: Kept; readonly entry: Known } {
    const { origin, since } = state.document;
    const made = madeSince(session, state, open.from);
    const { entry, title } = recordFor(state, made);
    entry.own ||= made || open.lost || (origin === "own" && entry.placeIn === null);
    const data = dataOf(session, state, open, title);
    const lines = firstLines(isBlank(data.source) ? (data.pass?.source ?? "") : data.source);
    const summary = writer.next(entry, { kind: "program", title, lines }, typedIn(session, state));
    const now = store.getState().document;
    if (now.since === since && (now.work !== entry.id || now.title !== title)) actions.document.keepAs({ work: entry.id, title });
    return { kept: { summary, data }, entry };
  }

  /** Which record the program is saved as, and under which name. */
  function recordFor({ document }: SessionState, made: boolean): { readonly entry: Known; readonly title: string } {
    const { work, title, origin, edited } = document;
    const entry = writer.known(work);
    // What a link opened is another program as soon as its text is edited.
    if (entry === undefined) return { entry: writer.begin(), title: origin === "link" && edited ? nextTitle(title) : title };
    const theirs = ofAnotherTab(entry);
    const { mine, changed, order, own, texts, version } = entry;
    if (theirs === null || (mine && !made)) return { entry, title };
    // As long as nothing is made here, a copy keeps the place in that tab's work.
    if (!made) return { entry: writer.begin({ changed, order, texts, version, placeIn: theirs }), title };
    // Then it is another work.
    const name = nextTitle(title);
    tab.sayCopied(theirs, name);
    say("warning", `This program is also open in another tab. Your changes here are saved separately, as “${name}”.`);
    if (!mine) return { entry: writer.begin({ own, version }), title: name };
    entry.placeIn = null;
    return { entry, title: name };
  }

  function say(kind: "info" | "warning", text: string): void {
    actions.notify(kind, text, RECENT);
  }

  return {
    async reopen(found) {
      // What is open is kept before it is left; what this tab has saved is not opened as it was before.
      flush();
      const { summary, data } = (writer.known(found.summary.id) !== undefined ? await works.read(found.summary.id) : null) ?? found;
      const restored = restoreLinkData(LINK_VERSION, data);
      if (restored === null) return false;
      const entry = writer.adopt(summary, []);
      const origin = summary.own ? "own" : "example";
      const problem = await openLinkData(session, restored.data, { origin, work: summary.id, whole: readRecordOnly(data) });
      if (problem !== null) return false;
      entry.texts = typedIn(session, store.getState());
      if (!selectSettled(store.getState())) open.arriving = restored.data;
      sayReset(actions, restored.reset);
      const asked = tab.take(summary.id);
      open.taking = asked;
      entry.mine = await asked;
      if (open.taking !== asked) return true;
      open.taking = null;
      wait(store.getState());
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

/** What a change of the session is for its record. */
function changeOf(session: Session, state: SessionState, before: SessionState, { from, arriving }: Open): UnsavedEvent {
  const { since, origin, work } = state.document;
  const former = typedIn(session, before);
  return {
    kind: "change",
    now: Date.now(),
    texts: typedIn(session, state).flatMap((text, i) => (text === former[i] ? [] : [i])),
    made: madeSince(session, state, from),
    file: since !== before.document.since && origin === "own" && work === null,
    long: lengthOf(session, state) > SHORT,
    arriving: arriving !== null,
  };
}

/** Whether there is a record: not in a frame, not of what is empty, and of a link only if the user has changed it, or brought something from a work that is lost. */
function keeps(session: Session, state: SessionState, { from, stayed, lost, lastText }: Open): boolean {
  const { view, document } = state;
  if (view.embed) return false;
  if (madeSince(session, state, from) || (lost && stayed)) return true;
  // Of a text that was cleared away, what it was before is kept.
  return document.origin !== "link" && (!isBlank(document.text) || lastText !== "");
}

function dataOf(
  session: Session,
  state: SessionState,
  { arriving, lastText }: Open,
  title: string,
): WorkData & { readonly source: string } {
  const { text } = state.document;
  const record = { ...recordOf(session, state), source: isBlank(text) ? lastText : text, title };
  if (arriving === null) return record;
  const { phase, occurrence, step, selection, breakpoints } = arriving;
  return { ...record, phase, occurrence, step, selection, breakpoints };
}

/** Names for copies, each unlike those of the other works and unlike the last. */
function titlesBeside(others: Promise<readonly string[]>): (title: string) => string {
  const taken: string[] = [];
  others.then(
    (titles) => taken.push(...titles),
    () => undefined,
  );
  return (title) => {
    const name = copyTitle(title, taken);
    taken.push(name);
    return name;
  };
}
