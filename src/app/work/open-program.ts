/**
 * The open program as its record sees it, as one state machine: how it was opened, what is not saved yet, and when that is due.
 * `keeper.ts` reports the events, and saves what is due.
 */

import type { LinkData } from "../../links/link-data.ts";
import { isBlank } from "../session/actions/programs.ts";
import type { SessionState } from "../session/state.ts";

const PAUSE_MS = 400;
/** The longest time before a save while the user keeps typing; longer for a long text, whose saves take time. */
const MOST_MS = 2_000;
const MOST_LONG_MS = 10_000;
const LONG = 200_000;

export interface OpenProgram {
  /** The session as it came. */
  readonly from: SessionState;
  /** A text of the user's stayed open when it came. */
  readonly stayed: boolean;
  /** A saved work that is not yet shown where it was left: until then its record keeps that place. */
  readonly arriving: LinkData | null;
  /** This tab has claimed the work, and does not know yet whether it may write it: nothing is due before the answer. */
  readonly claiming: boolean;
  /** The database was deleted since: another tab's version of this program may be lost with it. */
  readonly lost: boolean;
  /** Its text before it was cleared: an empty text is saved as that. */
  readonly lastText: string;
  /** saved: nothing waits. changed: the step, the options or the arrangement. typed: a text. due: it must be saved now. */
  readonly state: "saved" | "changed" | "typed" | "due";
  /** When the first of the waiting changes happened; null in `saved`. */
  readonly since: number | null;
  /** For a long work the text whose first change was saved immediately: its next ones wait for a pause. */
  readonly hot: number | null;
}

export type ProgramEvent =
  | {
      readonly kind: "change";
      readonly now: number;
      readonly text: string;
      /** The texts that it changes, by number. Keys change one; opening or closing another changes more, or a different one. */
      readonly texts: readonly number[];
      /** These texts are the user's, and not what was opened. */
      readonly made: boolean;
      /** The program was opened from a file. */
      readonly file: boolean;
      /** It is too long to save at every key. */
      readonly long: boolean;
      /** The program is shown where it was left. */
      readonly settled: boolean;
    }
  /** It is a saved work that is being opened at this place, or is already; this tab claims it. */
  | { readonly kind: "reopened"; readonly arriving: LinkData | null }
  /** Whether this tab may write the work is known now. */
  | { readonly kind: "answered" }
  /** Nothing was typed for a while, or the page is hidden. */
  | { readonly kind: "pause" }
  /** The storages have lost what was saved; `alone`: no other tab has the work open. */
  | { readonly kind: "lost"; readonly now: number; readonly alone: boolean }
  | { readonly kind: "saved" };

/** A program as it replaces another. */
export const opened = (from: SessionState, stayed: boolean): OpenProgram => ({
  from,
  stayed,
  arriving: null,
  claiming: false,
  lost: false,
  lastText: "",
  state: "saved",
  since: null,
  hot: null,
});

export function nextProgram(open: OpenProgram, event: ProgramEvent): OpenProgram {
  const { state, since, hot, claiming } = open;
  const dueUnlessClaiming = claiming ? (state === "typed" ? "typed" : "changed") : "due";
  switch (event.kind) {
    case "change":
      return changed(open, event);
    case "reopened":
      return { ...open, arriving: event.arriving, claiming: true };
    case "answered":
      return { ...open, claiming: false };
    case "pause":
      return { ...open, state: state === "saved" ? state : dueUnlessClaiming, hot: null };
    case "lost":
      return { ...open, lost: event.alone, state: dueUnlessClaiming, since: since ?? event.now, hot: null };
    case "saved":
      // The text whose key made it due is still being typed.
      return { ...open, state: "saved", since: null, hot: state === "due" ? hot : null };
  }
}

function changed(before: OpenProgram, event: Extract<ProgramEvent, { kind: "change" }>): OpenProgram {
  const { now, text, texts, made, file, long, settled } = event;
  const open = { ...before, arriving: settled ? null : before.arriving, lastText: isBlank(text) ? before.lastText : text };
  const since = open.since ?? now;
  const hot = long && texts.length === 1 ? (texts[0] ?? null) : null;
  const typed = made && texts.length > 0;
  const goesOn = hot !== null && hot === open.hot;
  // A file and the first change of a text immediately: the page may end at any time.
  if (((typed && !goesOn) || file) && !open.claiming) return { ...open, state: "due", since, hot };
  if (typed || open.state === "typed") return { ...open, state: "typed", since };
  return open.arriving === null ? { ...open, state: "changed", since } : open;
}

/** Something is not saved yet, and may be. */
export const waits = ({ state, claiming }: OpenProgram): boolean => state !== "saved" && !claiming;

/** How long to wait for the pause; null: nothing waits for one. */
export function pauseOf({ since, hot, claiming }: OpenProgram, now: number, characters: number): number | null {
  if (claiming) return null;
  if (since === null) return hot === null ? null : PAUSE_MS;
  return Math.min(PAUSE_MS, Math.max(0, since + (characters > LONG ? MOST_LONG_MS : MOST_MS) - now));
}
