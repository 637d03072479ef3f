/** The record of the open program: as which one it is saved, under which name, and what is in it. */

import type { LinkData } from "../../links/link-data.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";
import { madeSince, recordOf, typedIn } from "./parts.ts";
import { firstLines } from "./record.ts";
import type { Tab } from "./tab.ts";
import type { Works } from "./works.ts";
import type { Known, Made, Writer } from "./writer.ts";

export const RECENT = { label: "Recent", command: "file.recent" } as const;

/** The open program, until another replaces it. */
export interface Open {
  /** The session as it came. */
  readonly from: SessionState;
  /** A text of the user's stayed open when it came. */
  readonly stayed: boolean;
  /** A kept work that is not yet where it was left: until then its record keeps that place. */
  arriving: LinkData | null;
  /** Whether this tab may write the work is not known yet: saves wait for the answer. */
  held: boolean;
  /** The database was deleted since: what another tab had of this program may be gone with it. */
  lost: boolean;
  /** Its text before it was cleared: an empty text is saved as that. */
  lastText: string;
}

export const opened = (from: SessionState, stayed: boolean): Open => ({
  from,
  stayed,
  arriving: null,
  held: false,
  lost: false,
  lastText: "",
});

export const isBlank = (text: string): boolean => !/\S/.test(text);

/** The id of the work that another tab has, and this one shows, or has a copy of to keep the place in it. */
export const ofAnotherTab = (entry: Known | undefined): string | null => (entry?.mine === false ? entry.id : (entry?.placeIn ?? null));

/** Whether there is a record: not in a frame, not of what is empty, and of a link only if the user has changed it, or brought something from a work that is lost. */
export function keeps(session: Session, state: SessionState, { from, stayed, lost, lastText }: Open): boolean {
  const { view, document } = state;
  if (view.embed) return false;
  if (madeSince(session, state, from) || (lost && stayed)) return true;
  // Of a text that was cleared away, what it was before is kept.
  return document.origin !== "link" && (!isBlank(document.text) || lastText !== "");
}

/** Makes the next version of the open program's record. */
export function programRecords(session: Session, works: Works, tab: Tab, writer: Writer) {
  const { store, actions } = session;

  /** As which record the program is saved, and under which name. */
  function recordFor({ document }: SessionState, made: boolean): { readonly entry: Known; readonly title: string } {
    const { work, title, origin, edited } = document;
    const entry = writer.known(work);
    // What a link opened is another program as soon as its text is edited.
    if (entry === undefined) return { entry: writer.begin(), title: origin === "link" && edited ? works.nameOfCopy(title) : title };
    const theirs = ofAnotherTab(entry);
    const { mine, changed, order, own, texts, version } = entry;
    if (theirs === null || (mine && !made)) return { entry, title };
    // As long as nothing is made here, a copy keeps the place in that tab's work.
    if (!made) return { entry: writer.begin({ changed, order, texts, version, placeIn: theirs }), title };
    // Then it is another work.
    const name = works.nameOfCopy(title);
    tab.sayCopied(theirs, name);
    const text = `This program is also open in another tab. Your changes here are saved separately, as “${name}”.`;
    actions.notify("warning", text, RECENT);
    if (!mine) return { entry: writer.begin({ own, version }), title: name };
    entry.placeIn = null;
    return { entry, title: name };
  }

  /** The session's program has the record's id and name from here on, unless another one has come. */
  return (state: SessionState, open: Open): Made => {
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
  };
}

/** Where a work was left that is not there yet. */
function leftAt(arriving: LinkData | null): Partial<LinkData> {
  if (arriving === null) return {};
  const { phase, occurrence, step, selection, breakpoints } = arriving;
  return { phase, occurrence, step, selection, breakpoints };
}
