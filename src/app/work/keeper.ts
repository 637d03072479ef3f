/**
 * Saves this tab's program as it changes. `open-program.ts` says when: short texts at every key, long ones at the first change and
 * then after a pause; until then what was typed is written as a patch.
 * A program that replaces it is a different record; changes of one work in two tabs become two works (`program-record.ts`).
 */

import { LINK_VERSION, restoreLinkData } from "../../links/link-data.ts";
import { selectSettled } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { followAddress, leaveAddress, rememberPlace } from "../share/address.ts";
import { openLinkData, sayReset } from "../share/open-link.ts";
import { changedSince, lengthOf, madeSince, readRecordOnly, staysFrom, typedIn } from "../share/parts.ts";
import { nextProgram, type OpenProgram, opened, type ProgramEvent, pauseOf, waits } from "./open-program.ts";
import type { PageEvents } from "./page-events.ts";
import { keeps, ofAnotherTab, type ProgramRecords, programRecords, RECENT } from "./program-record.ts";
import type { Kept } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";

/** Characters of program and pass up to which every change is saved immediately: a browser that is killed loses none. */
const SHORT = 20_000;
/** For longer ones, what was typed is written this long after the first key, with or without a pause. */
const PATCH_MS = 500;

export interface Keeper {
  /** Opens a saved record, unless a different program was opened while it was read; false if it contains nothing readable. */
  reopen(kept: Kept): Promise<boolean>;
  /** Saves what is not saved yet. */
  flush(): void;
  stop(): void;
}

/** `isThere`: the address belongs to the open program, not to one that is being opened. */
export class ProgramKeeper implements Keeper {
  private readonly session: Session;
  private readonly works: Works;
  private readonly tab: Tab;
  private readonly page: PageEvents;
  private readonly isThere: () => boolean;
  private readonly records: ProgramRecords;
  private open: OpenProgram;
  private pausing: ReturnType<typeof setTimeout> | undefined;
  private patching: ReturnType<typeof setTimeout> | undefined;
  private readonly stops: readonly (() => void)[];

  constructor(session: Session, works: Works, tab: Tab, page: PageEvents, isThere: () => boolean) {
    this.session = session;
    this.works = works;
    this.tab = tab;
    this.page = page;
    this.isThere = isThere;
    this.records = programRecords(session, works, tab, page, () => this.save(this.state));
    this.open = opened(this.state, false);
    works.watchTyping(() => this.open.state === "typed");
    works.onLost(() => this.lost());
    this.stops = [
      session.store.subscribe((state, before) => this.changed(state, before)),
      tab.onCopied((id, title) => this.copied(id, title)),
      // A hidden tab may be ended without another event.
      page.listen({ hidden: () => this.flush(), leave: () => this.leave() }),
    ];
  }

  async reopen(found: Kept): Promise<boolean> {
    const { session, works } = this;
    const { writer } = this.records;
    // What is open is saved before it is replaced; what this tab has saved is not opened in an older state.
    this.flush();
    const { since } = this.state.document;
    const { summary, data } = (writer.known(found.summary.id) !== undefined ? await works.read(found.summary.id) : null) ?? found;
    const restored = restoreLinkData(LINK_VERSION, data);
    if (restored === null) return false;
    if (this.state.document.since !== since) return true;
    const entry = writer.adopt(summary, []);
    const origin = summary.own ? "own" : "example";
    const problem = await openLinkData(session, restored.data, { origin, work: summary.id, whole: readRecordOnly(data) });
    if (problem !== null) return false;
    const { from } = this.open;
    entry.texts = typedIn(session, this.state);
    this.happens({ kind: "reopened", arriving: selectSettled(this.state) ? null : restored.data });
    sayReset(session.actions, restored.reset);
    await writer.claim(entry);
    if (this.open.from === from) this.happens({ kind: "answered" });
    return true;
  }

  flush(): void {
    this.happens({ kind: "pause" });
  }

  stop(): void {
    for (const end of this.stops) end();
    clearTimeout(this.pausing);
    clearTimeout(this.patching);
  }

  private get state(): SessionState {
    return this.session.store.getState();
  }

  private changed(state: SessionState, before: SessionState): void {
    const { session } = this;
    const replaced = state.document.since !== before.document.since;
    // The address of a link waits for what is shown.
    const shown = state.document.origin === "link" && selectSettled(state) !== selectSettled(before);
    if (!replaced && !shown && this.open.arriving === null && !changedSince(session, state, before)) return;
    if (replaced) this.replace(state, before);
    this.happens(changeOf(session, state, before, this.open), state);
    if (this.open.state === "typed") this.page.askBeforeLeaving(this.works.unstored());
  }

  private replace(state: SessionState, before: SessionState): void {
    const { session, records } = this;
    // The latest state of the previous program is saved first.
    if (this.open.state !== "saved") this.save(before);
    this.open = opened(state, staysFrom(session, state, before));
    if (state.document.work === null && records.writer.known(before.document.work)?.own === true)
      session.actions.notify("info", `“${before.document.title}” is under File, Recent. Undo in the editor also restores it.`, RECENT);
  }

  private async lost(): Promise<void> {
    const { from } = this.open;
    const theirs = ofAnotherTab(this.records.writer.known(this.state.document.work));
    // What another tab has open is saved by that tab; a program opened meanwhile loses nothing.
    const alone = theirs === null || !(await this.tab.inAnyTab()).has(theirs);
    this.happens({ kind: "lost", now: Date.now(), alone: alone && this.open.from === from });
  }

  /** Another tab saves its changes of a work under another title. */
  private copied(id: string, title: string): void {
    const text = `This program is also being edited in another tab. Changes made there are saved separately, as “${title}”.`;
    if (this.state.document.work === id) this.session.actions.notify("warning", text, RECENT);
  }

  /** The database answers too late when the page is left. */
  private leave(): void {
    const { session, open, records, state } = this;
    if (keeps(session, state, open)) {
      if (open.state !== "saved" || records.writer.saving()) this.works.saveNow(records.make(state, open).kept);
      // Also after a save: the address follows later, and not at all while a phase is traced.
    } else if (isLink(state) && this.isThere()) rememberPlace(session, state);
  }

  private happens(event: ProgramEvent, state = this.state): void {
    this.open = nextProgram(this.open, event);
    if (this.open.state === "due") this.save(state);
    this.wait(state);
  }

  private save(state: SessionState): void {
    const { session, records } = this;
    this.open = nextProgram(this.open, { kind: "saved" });
    if (keeps(session, state, this.open)) {
      if (this.isThere()) leaveAddress(session, state);
      records.writer.save(records.make(state, this.open));
    } else if (isLink(state) && this.isThere()) void followAddress(session, state);
  }

  /** Saves unsaved changes in the next pause, and meanwhile writes what was typed into a long text. */
  private wait(state: SessionState): void {
    clearTimeout(this.pausing);
    const pause = pauseOf(this.open, Date.now(), state.document.text.length);
    if (pause === null) return;
    this.pausing = setTimeout(() => this.flush(), pause);
    if (waits(this.open) && lengthOf(this.session, state) > SHORT) this.patching ??= setTimeout(() => this.patchNow(), PATCH_MS);
  }

  private patchNow(): void {
    this.patching = undefined;
    if (waits(this.open) && !this.records.patch(this.state)) this.flush();
  }
}

const isLink = ({ document, view }: SessionState): boolean => document.origin === "link" && !view.embed;

/** What a change of the session means for its record. */
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
