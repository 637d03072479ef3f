/**
 * What of the open program is not saved yet, and when it is: its states, its events, and the pure function from one to the next.
 * `keeper.ts` says what happens, and saves.
 */

const PAUSE_MS = 400;
/** While someone types on and on, so long passes at most before a save; of a long text, whose saves take time, more. */
const MOST_MS = 2_000;
const MOST_LONG_MS = 10_000;
const LONG = 200_000;

export interface Unsaved {
  /**
   * saved: nothing waits. changed: the step, the options or the arrangement. typed: a text. due: it is to be saved now.
   * All but the first have a `since`.
   */
  readonly state: "saved" | "changed" | "typed" | "due";
  /** When the first of the changes came that wait. */
  readonly since: number | null;
  /** Of a long work the text whose change was saved at once: its next ones wait for a pause. */
  readonly hot: number | null;
}

export const SAVED: Unsaved = { state: "saved", since: null, hot: null };

export type UnsavedEvent =
  | {
      readonly kind: "change";
      readonly now: number;
      /** The texts that it changes, by number. Keys change one; opening or closing another changes more, or a different one. */
      readonly texts: readonly number[];
      /** These are the user's, and not what was opened. */
      readonly made: boolean;
      /** The program was opened from a file. */
      readonly file: boolean;
      /** So long that it is not saved at every key. */
      readonly long: boolean;
      /** The program is on its way to the step where it was left. */
      readonly arriving: boolean;
    }
  /** Nothing was typed for a while, or the page is hidden. */
  | { readonly kind: "pause" }
  /** The storages have lost what was saved. */
  | { readonly kind: "lost"; readonly now: number }
  | { readonly kind: "saved" };

/** `held`: whether this tab may save is not known yet, so nothing is due. */
export function nextUnsaved(unsaved: Unsaved, event: UnsavedEvent, held: boolean): Unsaved {
  const waits = unsaved.state === "typed" ? "typed" : "changed";
  switch (event.kind) {
    case "change": {
      const since = unsaved.since ?? event.now;
      const hot = event.long && event.texts.length === 1 ? (event.texts[0] ?? null) : null;
      const typed = event.made && event.texts.length > 0;
      const goesOn = hot !== null && hot === unsaved.hot;
      // A file and the first change of a text at once: the page may end at any time.
      if (((typed && !goesOn) || event.file) && !held) return { state: "due", since, hot };
      if (typed) return { ...unsaved, state: "typed", since };
      return event.arriving ? unsaved : { ...unsaved, state: waits, since };
    }
    case "pause":
      return unsaved.state === "saved" ? SAVED : { ...unsaved, state: held ? waits : "due", hot: null };
    case "lost":
      return { state: held ? waits : "due", since: unsaved.since ?? event.now, hot: null };
    case "saved":
      // The text whose key made it due is still being typed.
      return unsaved.state === "due" ? { ...SAVED, hot: unsaved.hot } : SAVED;
  }
}

/** How long from now the pause is waited for; null: nothing waits for one. */
export function pauseOf({ since, hot }: Unsaved, now: number, characters: number): number | null {
  if (since === null) return hot === null ? null : PAUSE_MS;
  return Math.min(PAUSE_MS, Math.max(0, since + (characters > LONG ? MOST_LONG_MS : MOST_MS) - now));
}
