/**
 * The one writer of this tab's program: saves its record as it changes. `open-program.ts` says when: short texts at every key, of long ones the first change at once and
 * what follows after a pause; until then what was typed is written as a patch.
 * Another program in its place is another record; what two tabs change of one work becomes two (`program-record.ts`).
 */

import { LINK_VERSION, restoreLinkData } from "../../links/link-data.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { followAddress, leaveAddress, rememberPlace } from "../share/address.ts";
import { openLinkData, sayReset } from "../share/open-link.ts";
import { nextProgram, type OpenProgram, opened, type ProgramEvent, pauseOf, waits } from "./open-program.ts";
import type { PageEvents } from "./page-events.ts";
import { changedSince, lengthOf, madeSince, readRecordOnly, staysFrom, typedIn } from "./parts.ts";
import { keeps, ofAnotherTab, programRecords, RECENT } from "./program-record.ts";
import type { Kept } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";

/** Characters of program and pass up to which every change is saved at once: a browser that is killed loses none. */
const SHORT = 20_000;
/** Of longer ones what was typed is written this long after the first key, whether a pause comes or not. */
const PATCH_MS = 500;

export interface Keeper {
  /** Opens a kept record, unless another program was opened while it was read; false when it holds nothing that could be read. */
  reopen(kept: Kept): Promise<boolean>;
  /** Saves what is not saved yet. */
  flush(): void;
  stop(): void;
}

/** `isThere`: the address belongs to the open program, not to one that is being opened. */
export function keepWork(session: Session, works: Works, tab: Tab, page: PageEvents, isThere: () => boolean): Keeper {
  const { store, actions } = session;
  const { getState: get } = store;
  const { writer, make, patch } = programRecords(session, works, tab, page, () => save(get()));
  let open = opened(get(), false);
  let pausing: ReturnType<typeof setTimeout> | undefined;
  let patching: ReturnType<typeof setTimeout> | undefined;

  works.hold(() => open.state === "typed");
  works.onLost(lost);
  // A tab that is put away may never come back.
  const stops = [store.subscribe(changed), tab.onCopied(copied), page.listen({ hidden: flush, leave })];
  return { reopen, flush, stop };

  function changed(state: SessionState, before: SessionState): void {
    const replaced = state.document.since !== before.document.since;
    // The address of a link waits for what is shown.
    const shown = state.document.origin === "link" && selectSettled(state) !== selectSettled(before);
    if (!replaced && !shown && open.arriving === null && !changedSince(session, state, before)) return;
    if (replaced) replace(state, before);
    happens(changeOf(session, state, before, open), state);
    if (open.state === "typed") page.askBeforeLeaving(works.unstored());
  }

  function replace(state: SessionState, before: SessionState): void {
    // The latest state of the program before is saved first.
    if (open.state !== "saved") save(before);
    open = opened(state, staysFrom(session, state, before));
    if (state.document.work === null && writer.known(before.document.work)?.own === true)
      actions.notify("info", `“${before.document.title}” is under File, Recent. Undo in the editor also restores it.`, RECENT);
  }

  async function lost(): Promise<void> {
    const { from } = open;
    const theirs = ofAnotherTab(writer.known(get().document.work));
    // What another tab has open is saved by that one; of a program that comes meanwhile nothing is gone.
    const alone = theirs === null || !(await tab.held()).has(theirs);
    happens({ kind: "lost", now: Date.now(), alone: alone && open.from === from });
  }

  /** Another tab saves what it changes of a work under another title. */
  function copied(id: string, title: string): void {
    const text = `This program is also being edited in another tab. Changes made there are saved separately, as “${title}”.`;
    if (get().document.work === id) actions.notify("warning", text, RECENT);
  }

  /** The database answers too late for a page that is left. */
  function leave(): void {
    const state = get();
    if (keeps(session, state, open)) {
      if (open.state !== "saved" || writer.saving()) works.saveNow(make(state, open).kept);
      // Also after a save: the address follows by a thread, and while a phase is traced not at all.
    } else if (isLink(state) && isThere()) rememberPlace(session, state);
  }

  async function reopen(found: Kept): Promise<boolean> {
    // What is open is kept before it is left; what this tab has saved is not opened as it was before.
    flush();
    const { since } = get().document;
    const { summary, data } = (writer.known(found.summary.id) !== undefined ? await works.read(found.summary.id) : null) ?? found;
    const restored = restoreLinkData(LINK_VERSION, data);
    if (restored === null) return false;
    if (get().document.since !== since) return true;
    const entry = writer.adopt(summary, []);
    const origin = summary.own ? "own" : "example";
    const problem = await openLinkData(session, restored.data, { origin, work: summary.id, whole: readRecordOnly(data) });
    if (problem !== null) return false;
    const { from } = open;
    entry.texts = typedIn(session, get());
    happens({ kind: "reopened", arriving: selectSettled(get()) ? null : restored.data });
    sayReset(actions, restored.reset);
    await writer.take(entry);
    if (open.from === from) happens({ kind: "answered" });
    return true;
  }

  function flush(): void {
    happens({ kind: "pause" });
  }

  function happens(event: ProgramEvent, state = get()): void {
    open = nextProgram(open, event);
    if (open.state === "due") save(state);
    wait(state);
  }

  function save(state: SessionState): void {
    open = nextProgram(open, { kind: "saved" });
    if (keeps(session, state, open)) {
      if (isThere()) leaveAddress(session, state);
      writer.save(make(state, open));
    } else if (isLink(state) && isThere()) void followAddress(session, state);
  }

  /** For what is not saved yet: saves it in the next pause, and of a long text writes meanwhile what was typed. */
  function wait(state: SessionState): void {
    clearTimeout(pausing);
    const pause = pauseOf(open, Date.now(), state.document.text.length);
    if (pause === null) return;
    pausing = setTimeout(flush, pause);
    if (waits(open) && lengthOf(session, state) > SHORT) patching ??= setTimeout(patchNow, PATCH_MS);
  }

  function patchNow(): void {
    patching = undefined;
    if (waits(open) && !patch(get())) flush();
  }

  function stop(): void {
    for (const end of stops) end();
    clearTimeout(pausing);
    clearTimeout(patching);
  }
}

const isLink = ({ document, view }: SessionState): boolean => document.origin === "link" && !view.embed;

/** What a change of the session is for its record. */
function changeOf(session: Session, state: SessionState, before: SessionState, { from }: OpenProgram): ProgramEvent {
  const { since, origin, work, text } = state.document;
  const former = typedIn(session, before);
  return {
    kind: "change",
    now: Date.now(),
    text,
    texts: typedIn(session, state).flatMap((one, i) => (one === former[i] ? [] : [i])),
    made: madeSince(session, state, from),
    file: since !== before.document.since && origin === "own" && work === null,
    long: lengthOf(session, state) > SHORT,
    settled: selectSettled(state),
  };
}
