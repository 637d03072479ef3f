/**
 * The one writer of this tab's program: saves its record as it changes. `unsaved.ts` says when: short texts at every key, of long ones the first change at once and what
 * follows after a pause; until then what was typed is written as a patch.
 * Another program in its place is another record; what two tabs change of one work becomes two (`program-record.ts`).
 */

import { LINK_VERSION, restoreLinkData } from "../../links/link-data.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { followAddress, leaveAddress, rememberPlace } from "../share/address.ts";
import { openLinkData, sayReset } from "../share/open-link.ts";
import type { PageEvents } from "./page-events.ts";
import { changedSince, lengthOf, linkOf, madeSince, readRecordOnly, staysFrom, typedIn } from "./parts.ts";
import { changesNothing, patchOf } from "./patch.ts";
import { isBlank, keeps, type Open, ofAnotherTab, opened, programRecords, RECENT } from "./program-record.ts";
import type { Kept } from "./record.ts";
import type { Tab } from "./tab.ts";
import { nextUnsaved, pauseOf, SAVED, type UnsavedEvent } from "./unsaved.ts";
import type { Works } from "./works.ts";
import { recordWriter } from "./writer.ts";

/** Characters of program and pass up to which every change is saved at once: a browser that is killed loses none. */
const SHORT = 20_000;
/** Of longer ones what was typed is written this long after the first key, whether a pause comes or not. */
const PATCH_MS = 500;

export interface Keeper {
  /** Opens a kept program; false when it holds nothing that could be read. */
  reopen(kept: Kept): Promise<boolean>;
  /** Saves what is not saved yet. */
  flush(): void;
  stop(): void;
}

const isLink = ({ document, view }: SessionState): boolean => document.origin === "link" && !view.embed;

export function keepWork(session: Session, works: Works, tab: Tab, page: PageEvents): Keeper {
  const { store, actions } = session;
  const { getState: get } = store;
  let open = opened(get(), false);
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
    apart(made) {
      if (writer.known(get().document.work) === made.entry) save(get());
      else writer.saveCopy(made, works.nameOfCopy(made.kept.summary.title));
    },
    saved(kept, stored) {
      if (stored) whole = kept;
    },
    failed: (error) => actions.notify("error", `Your work could not be saved: ${String(error)}`),
  });
  const make = programRecords(session, works, tab, writer);

  const flush = (): void => happens({ kind: "pause" });
  const stopWatching = store.subscribe((state, before) => {
    const replaced = state.document.since !== before.document.since;
    // The address of a link waits for what is shown.
    const shown = state.document.origin === "link" && selectSettled(state) !== selectSettled(before);
    if (!replaced && !shown && open.arriving === null && !changedSince(session, state, before)) return;
    if (replaced) {
      // The latest state of the program before is saved first.
      if (unsaved.state !== "saved") save(before);
      unsaved = SAVED;
      open = opened(state, staysFrom(session, state, before));
      if (state.document.work === null && writer.known(before.document.work)?.own === true)
        actions.notify("info", `“${before.document.title}” is under File, Recent. Undo in the editor also restores it.`, RECENT);
    }
    if (!isBlank(state.document.text)) open.lastText = state.document.text;
    if (selectSettled(state)) open.arriving = null;
    happens(changeOf(session, state, before, open), state);
    if (unsaved.state === "typed") page.askBeforeLeaving(works.unstored());
  });
  works.onLost(async () => {
    const program = open;
    const theirs = ofAnotherTab(writer.known(get().document.work));
    // What another tab has open is saved by that one.
    program.lost = theirs === null || !(await tab.held()).has(theirs);
    happens({ kind: "lost", now: Date.now() });
  });
  const stopHearing = tab.onCopied((id, title) => {
    const text = `This program is also being edited in another tab. Changes made there are saved separately, as “${title}”.`;
    if (get().document.work === id) actions.notify("warning", text, RECENT);
  });
  const stopEvents = page.listen({
    // A tab that is put away may never come back.
    hidden: flush,
    // The database answers too late for a page that is left.
    leave() {
      const state = get();
      if (keeps(session, state, open)) {
        if (unsaved.state !== "saved" || writer.saving()) works.saveNow(make(state, open).kept);
        // Also after a save: the address follows by a thread, and while a phase is traced not at all.
      } else if (isLink(state)) rememberPlace(session, state);
    },
  });

  function happens(event: UnsavedEvent, state = get()): void {
    unsaved = nextUnsaved(unsaved, event, open.held);
    if (unsaved.state === "due") save(state);
    wait(state);
  }

  function wait(state: SessionState): void {
    clearTimeout(timer);
    const pause = pauseOf(unsaved, Date.now(), state.document.text.length);
    if (pause === null || open.held) return;
    timer = setTimeout(flush, pause);
    if (unsaved.state !== "saved" && lengthOf(session, state) > SHORT) patching ??= setTimeout(patch, PATCH_MS);
  }

  function save(state: SessionState): void {
    unsaved = nextUnsaved(unsaved, { kind: "saved" }, false);
    if (keeps(session, state, open)) {
      leaveAddress(session, state);
      writer.save(make(state, open));
    } else if (isLink(state)) void followAddress(session, state);
  }

  function patch(): void {
    patching = undefined;
    const state = get();
    const { text, work } = state.document;
    const entry = writer.known(work);
    if (unsaved.state === "saved" || open.held || writer.saving()) return;
    if (entry?.mine !== true || entry.placeIn !== null || whole?.summary.id !== work || isBlank(text)) return;
    const typed = patchOf(whole, { source: text, pass: linkOf(session, state).pass?.source ?? null });
    if (typed === null) flush();
    else if (!changesNothing(typed)) void works.patch(writer.next(entry, whole.summary, typedIn(session, state)), typed);
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
      const program = open;
      entry.texts = typedIn(session, get());
      if (!selectSettled(get())) program.arriving = restored.data;
      sayReset(actions, restored.reset);
      program.held = true;
      entry.mine = await tab.take(summary.id);
      program.held = false;
      if (open === program) wait(get());
      return true;
    },
    flush,
    stop() {
      stopWatching();
      stopHearing();
      stopEvents();
      clearTimeout(timer);
      clearTimeout(patching);
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
