/**
 * Copies in localStorage of what the browser's database holds, for sessions in which that does not answer: as many works as there is room for, the latest first, and
 * a list of all of them. What the database has not taken yet is kept elsewhere (`local.ts`) and goes before.
 */

import { attempt, parseKept } from "./local.ts";
import { type Kept, readSummary, type Summary, textOf } from "./records.ts";

const PREFIX = "oriscope.mirror/";
const INDEX = "oriscope.mirrored";
/** Longer texts are not copied: they would leave no room for others, and the page would wait for the writing. */
const MAX_CHARACTERS = 200_000;

export interface Mirror {
  /** Works that the database had when it last answered; `absent` where there is no copy. */
  list(): readonly Summary[];
  read(id: string): Kept | null;
  /** The database has taken a version of a work. */
  put(kept: Kept): void;
  /** Everything that the database has. */
  index(summaries: readonly Summary[]): void;
  drop(ids: readonly string[]): void;
  pin(id: string, pinned: boolean): void;
  /** Gives up the copy of the work changed longest ago; false when there is none. */
  makeRoom(): boolean;
}

export function localMirror(): Mirror {
  // Looking at it throws where it is not allowed.
  const storage = attempt(() => localStorage);
  const read = (id: string): Kept | null => parseKept(attempt(() => storage?.getItem(PREFIX + id)) ?? null);
  const copies = (): readonly string[] =>
    (attempt(() => Object.keys(storage ?? {})) ?? []).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
  const remove = (id: string): void => void attempt(() => storage?.removeItem(PREFIX + id));
  const indexed = (): readonly Summary[] => {
    const text = attempt(() => storage?.getItem(INDEX)) ?? null;
    const value = text === null ? null : attempt((): unknown => JSON.parse(text));
    return Array.isArray(value) ? value.flatMap((each: unknown) => readSummary(each) ?? []) : [];
  };
  const oldest = (but: string): string | null => {
    const changed = new Map(indexed().map((s) => [s.id, s.changed]));
    const [first] = copies()
      .filter((id) => id !== but)
      .sort((a, b) => (changed.get(a) ?? 0) - (changed.get(b) ?? 0));
    return first ?? null;
  };
  const giveUp = (but: string): boolean => {
    const id = oldest(but);
    if (id !== null) remove(id);
    return id !== null;
  };
  const set = (key: string, text: string, but: string): boolean => {
    for (;;) {
      if (storage === undefined) return false;
      const done = attempt(() => {
        storage.setItem(key, text);
        return true;
      });
      if (done === true) return true;
      if (!giveUp(but)) return false;
    }
  };
  const index = (summaries: readonly Summary[]): void => void set(INDEX, JSON.stringify(summaries), "");
  return {
    read,
    index,
    list: () => {
      const there = new Set(copies());
      return indexed().map((s) => (there.has(s.id) ? s : { ...s, absent: true }));
    },
    put(kept) {
      const { summary } = kept;
      const before = indexed();
      const pinned = summary.pinned || before.some((s) => s.id === summary.id && s.pinned);
      index([...before.filter((s) => s.id !== summary.id), { ...summary, pinned }]);
      const fits = (textOf(kept.data)?.length ?? 0) <= MAX_CHARACTERS;
      // An older version is worse than none.
      if (!fits || !set(PREFIX + summary.id, JSON.stringify(kept), summary.id)) remove(summary.id);
    },
    drop(ids) {
      for (const id of ids) remove(id);
      index(indexed().filter((s) => !ids.includes(s.id)));
    },
    pin: (id, pinned) => index(indexed().map((s) => (s.id === id ? { ...s, pinned } : s))),
    makeRoom: () => giveUp(""),
  };
}
