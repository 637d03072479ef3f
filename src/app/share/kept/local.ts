/** Works in localStorage: small, but written at once, even while a page goes away, and there when the database is not. */

import { isNewer, type Kept, readSummary, type Saved, type Summary } from "./records.ts";

const PREFIX = "oriscope.kept/";
/** Where earlier versions of the page put what the database had not taken yet. */
const LEGACY_KEY = "oriscope.left";

export interface LocalShelf {
  list(): readonly Summary[];
  read(id: string): Kept | null;
  /** `failed`: there is no such storage, or no room in it. */
  write(kept: Kept, base: number): Saved | "failed";
  /** Removes a work, unless a version later than this one is there. */
  drop(id: string, version: number): void;
  pin(id: string, pinned: boolean): void;
  /** What an earlier version of the page left behind, once. */
  takeLegacy(): unknown;
}

/** `makeRoom`: gives up something that can be spared; false when there is nothing. */
export function localShelf(makeRoom: () => boolean = () => false): LocalShelf {
  // Looking at it throws where it is not allowed.
  const storage = attempt(() => localStorage);
  const read = (id: string): Kept | null => parseKept(attempt(() => storage?.getItem(PREFIX + id)) ?? null);
  const put = (kept: Kept): boolean => {
    if (storage === undefined) return false;
    const text = JSON.stringify(kept);
    do {
      const done = attempt(() => {
        storage.setItem(PREFIX + kept.summary.id, text);
        return true;
      });
      if (done === true) return true;
    } while (makeRoom());
    return false;
  };
  return {
    read,
    list: () =>
      (attempt(() => Object.keys(storage ?? {})) ?? [])
        .filter((key) => key.startsWith(PREFIX))
        .flatMap((key) => read(key.slice(PREFIX.length))?.summary ?? []),
    write(kept, base) {
      if (isNewer(read(kept.summary.id)?.summary ?? null, kept.summary, base)) return "newer";
      return put(kept) ? "saved" : "failed";
    },
    drop(id, version) {
      const before = read(id);
      if (before !== null && before.summary.version <= version) attempt(() => storage?.removeItem(PREFIX + id));
    },
    pin(id, pinned) {
      const before = read(id);
      if (before !== null) put({ ...before, summary: { ...before.summary, pinned } });
    },
    takeLegacy() {
      const text = attempt(() => storage?.getItem(LEGACY_KEY)) ?? null;
      if (text === null) return undefined;
      attempt(() => storage?.removeItem(LEGACY_KEY));
      return attempt((): unknown => JSON.parse(text));
    },
  };
}

/** A record as it was stored; null when it is none. */
export function parseKept(text: string | null): Kept | null {
  if (text === null) return null;
  const value = attempt((): unknown => JSON.parse(text));
  if (typeof value !== "object" || value === null || !("summary" in value) || !("data" in value)) return null;
  const summary = readSummary(value.summary);
  return summary === null ? null : { summary, data: value.data };
}

/** Every use of this storage throws where it is not allowed; undefined then. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
