/** The record of the open program: which record it is saved as, under which name, and with which content. */

import type { LinkData } from "../../links/link-data.ts";
import { isBlank } from "../session/actions/programs.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { linkOf, madeSince, recordOf, typedIn } from "../share/parts.ts";
import type { OpenProgram } from "./open-program.ts";
import type { PageEvents } from "./page-events.ts";
import { changesNothing, patchOf } from "./patch.ts";
import { firstLines, type Kept } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";
import { type Known, type Made, recordWriter } from "./writer.ts";

export const RECENT = { label: "Recent", command: "file.recent" } as const;

/** The id of the work that another tab has, and this one shows, or has a copy of to keep the place in it. */
export const ofAnotherTab = (entry: Known | undefined): string | null => (entry?.mine === false ? entry.id : (entry?.placeIn ?? null));

/** Whether there is a record: not in a frame, not of what is empty, and for a link only if the user has changed it, or added something from a lost work. */
export function keeps(session: Session, state: SessionState, { from, stayed, lost, lastText }: OpenProgram): boolean {
  const { view, document } = state;
  if (view.embed) return false;
  if (madeSince(session, state, from) || (lost && stayed)) return true;
  // For a cleared text, the text before clearing is saved.
  return document.origin !== "link" && (!isBlank(document.text) || lastText !== "");
}

export type ProgramRecords = ReturnType<typeof programRecords>;

/** Writes it. `saveAgain`: another tab has saved this work, so it must be saved as a different one. */
export function programRecords(session: Session, works: Works, tab: Tab, page: PageEvents, saveAgain: () => void) {
  const { store, actions } = session;
  /** What was saved last: what is typed after it is written as its patch. */
  let whole: Kept | null = null;
  const writer = recordWriter({
    works,
    tab,
    page,
    apart(made) {
      if (writer.known(store.getState().document.work) === made.entry) saveAgain();
      else writer.saveCopy(made, works.nameOfCopy(made.kept.summary.title));
    },
    saved(kept, stored) {
      if (stored) whole = kept;
    },
    failed: (error) => actions.notify("error", `Your work could not be saved: ${String(error)}`),
  });

  /** Which record the program is saved as, and under which name. */
  function recordFor({ document }: SessionState, made: boolean): { readonly entry: Known; readonly title: string } {
    const { work, title, origin, edited } = document;
    const entry = writer.known(work);
    // What a link opened is a different program as soon as its text is edited.
    if (entry === undefined) return { entry: writer.begin(), title: origin === "link" && edited ? works.nameOfCopy(title) : title };
    const theirs = ofAnotherTab(entry);
    const { mine, changed, order, own, texts, version } = entry;
    if (theirs === null || (mine && !made)) return { entry, title };
    // As long as nothing is changed here, a copy saves the place in that tab's work.
    if (!made) return { entry: writer.begin({ changed, order, texts, version, placeIn: theirs }), title };
    // Then it is a different work.
    const name = works.nameOfCopy(title);
    tab.sayCopied(theirs, name);
    const text = `This program is also open in another tab. Your changes here are saved separately, as “${name}”.`;
    actions.notify("warning", text, RECENT);
    if (!mine) return { entry: writer.begin({ own, version }), title: name };
    entry.placeIn = null;
    return { entry, title: name };
  }

  /** The next version. The session's program has the record's id and name from here on, unless a different program was opened. */
  function make(state: SessionState, open: OpenProgram): Made {
    const { origin, since } = state.document;
    const made = madeSince(session, state, open.from);
    const { entry, title } = recordFor(state, made);
    entry.own ||= made || open.lost || (origin === "own" && entry.placeIn === null);
    const source = isBlank(state.document.text) ? open.lastText : state.document.text;
    const data = { ...recordOf(session, state), ...leftAt(open.arriving), source, title };
    const lines = firstLines(isBlank(source) ? (data.pass?.source ?? "") : source);
    const summary = writer.next(entry, { kind: "program", title, lines }, typedIn(session, state));
    const now = store.getState().document;
    if (now.since === since && (now.work !== entry.id || now.title !== title)) actions.document.keepAs({ work: entry.id, title });
    return { kept: { summary, data }, entry };
  }

  return {
    writer,
    make,
    /** Writes only what was typed since the last save; false where all of it has to be saved. */
    patch(state: SessionState): boolean {
      const { text, work } = state.document;
      const entry = writer.known(work);
      if (writer.saving() || entry?.mine !== true || entry.placeIn !== null || whole?.summary.id !== work || isBlank(text)) return true;
      const typed = patchOf(whole, { source: text, pass: linkOf(session, state).pass?.source ?? null });
      if (typed === null) return false;
      if (!changesNothing(typed)) void works.patch(writer.next(entry, whole.summary, typedIn(session, state)), typed);
      return true;
    },
  };
}

/** Where a work that is not there yet was left. */
function leftAt(arriving: LinkData | null): Partial<LinkData> {
  if (arriving === null) return {};
  const { phase, occurrence, step, selection, breakpoints } = arriving;
  return { phase, occurrence, step, selection, breakpoints };
}
