/**
 * Records in localStorage: small, but written immediately, even while a page is being left, and available when the database is not. A record that the database has too is a copy,
 * kept as long as there is room; one that it does not have is kept until it does.
 */

import { type BrowserStorage, browserStorage } from "../ui/browser-storage.ts";
import { UNNAMED, type Written } from "./database.ts";
import { type Kept, readSummary, relation, type Summary } from "./record.ts";

const PREFIX = "oriscope.kept/";
/** What the database contained when it last answered. */
const INDEX = "oriscope.works";
/** The previous build's names of its copies. */
const OLD_COPY = "oriscope.mirror/";
const OLD_INDEX = "oriscope.mirrored";
/** Where the first builds saved what the database had not accepted yet. */
const LEGACY = "oriscope.left";

/** Longer contents are here only if the database does not accept them: they would leave no room for others, and the page would wait for the writing. */
const LONG = 200_000;

/** A record and the database that has it, by its birth; null: none has. */
export interface Shelved extends Kept {
  readonly taken: string | null;
}

export interface Shelf {
  /** All records here, except for copies of what the database of this birth has. */
  list(birth?: string): readonly Summary[];
  /** Those, and as `absent` what is known about works that only the database has. */
  known(): readonly Summary[];
  read(id: string): Shelved | null;
  /** `failed`: there is no such storage, or no room in it. */
  put(kept: Kept, taken: string | null): Written | "failed";
  /** The database of this birth has it: from now on the record here is a copy, for a long one only its summary. */
  copy(kept: Kept, birth: string): void;
  /** Replaces what is here. */
  replace(kept: Kept, taken: string | null): void;
  drop(ids: readonly string[]): void;
  pin(id: string, pinned: boolean): void;
  index(summaries: readonly Summary[]): void;
  /** The database that answers now, by its birth, or none: when there is no room, only copies of what it has are given up. */
  trust(birth: string | null): void;
  /** The record of one of the first builds. */
  legacy(): unknown;
  dropLegacy(): void;
}

export function openShelf(): Shelf {
  const storage = browserStorage("localStorage");
  const { read, all, set, trust } = makingRoom(storage);
  const indexed = (): readonly Summary[] => readIndex(storage.read(INDEX));
  const index = (summaries: readonly Summary[]): void => void set(INDEX, JSON.stringify(summaries), "");
  const note = (summary: Summary): void => {
    const before = indexed();
    const pinned = summary.pinned || before.some((s) => s.id === summary.id && s.pinned);
    index([...before.filter((s) => s.id !== summary.id), { ...summary, pinned }]);
  };
  const write = ({ summary, data }: Kept, taken: string | null): boolean => {
    const stored = set(PREFIX + summary.id, JSON.stringify({ summary, data, taken }), summary.id);
    // An older copy of what the database has is worse than none.
    if (!stored && taken !== null) storage.remove(PREFIX + summary.id);
    if (taken !== null) note(summary);
    return stored;
  };
  const put = (kept: Kept, taken: string | null): Written | "failed" => {
    const before = read(kept.summary.id);
    const to = before === null ? "later" : relation(kept.summary.version, before.summary.version);
    if (to === "apart") return "apart";
    if (to === "earlier" || (to === "same" && (before?.taken === taken || taken === null))) return "saved";
    const pinned = kept.summary.pinned || before?.summary.pinned === true;
    return write({ ...kept, summary: { ...kept.summary, pinned } }, taken) ? "saved" : "failed";
  };

  const shelf: Shelf = {
    read,
    index,
    trust,
    list: (birth) => all().flatMap((s) => (s.taken !== null && s.taken === birth ? [] : [s.summary])),
    known() {
      const here = all().map((s) => s.summary);
      const ids = new Set(here.map((s) => s.id));
      return [...here, ...indexed().flatMap((s) => (ids.has(s.id) ? [] : [{ ...s, absent: true }]))];
    },
    put,
    copy(kept, birth) {
      const { summary } = kept;
      const before = read(summary.id);
      if (!isLong(kept)) put(kept, birth);
      else if (before === null || relation(before.summary.version, summary.version) !== "later") {
        storage.remove(PREFIX + summary.id);
        note(summary);
      }
    },
    replace: (kept, taken) => void write(kept, taken),
    drop(ids) {
      for (const id of ids) storage.remove(PREFIX + id);
      const before = indexed();
      const left = before.filter((s) => !ids.includes(s.id));
      if (left.length < before.length) index(left);
    },
    pin(id, pinned) {
      const before = read(id);
      if (before !== null) write({ ...before, summary: { ...before.summary, pinned } }, before.taken);
      index(indexed().map((s) => (s.id === id ? { ...s, pinned } : s)));
    },
    legacy: () => storage.read(LEGACY),
    dropLegacy: () => storage.remove(LEGACY),
  };
  adoptPrevious(storage, shelf);
  return shelf;
}

/** The records in a storage in which copies of what the database has make room for everything else. */
function makingRoom(storage: BrowserStorage) {
  let trusted: string | null = null;
  const read = (id: string): Shelved | null => readShelved(storage.read(PREFIX + id));
  const all = (): readonly Shelved[] => storage.keys(PREFIX).flatMap((id) => read(id) ?? []);
  /** Gives up the oldest copy; false when there is none. */
  const makeRoom = (but: string): boolean => {
    const [oldest] = all()
      .filter((s) => s.taken !== null && s.taken === trusted && s.summary.id !== but)
      .sort((a, b) => a.summary.order - b.summary.order || a.summary.changed - b.summary.changed);
    if (oldest !== undefined) storage.remove(PREFIX + oldest.summary.id);
    return oldest !== undefined;
  };
  return {
    read,
    all,
    /** False: there is no room. The record with this id does not make room for itself. */
    set(key: string, text: string, id: string): boolean {
      while (!storage.set(key, text)) if (!makeRoom(id)) return false;
      return true;
    },
    trust(birth: string | null): void {
      trusted = birth;
    },
  };
}

/** Copies and index of the previous build, under the current names. */
function adoptPrevious(storage: BrowserStorage, shelf: Shelf): void {
  for (const id of storage.keys(OLD_COPY)) {
    const copy = readShelved(storage.read(OLD_COPY + id));
    storage.remove(OLD_COPY + id);
    if (copy !== null && shelf.read(id) === null) shelf.replace(copy, UNNAMED);
  }
  const old = storage.read(OLD_INDEX);
  if (old !== null) shelf.index(readIndex(old));
  storage.remove(OLD_INDEX);
}

export const isLong = ({ data }: Kept): boolean => lengthOf(data) > LONG;

/** The approximate number of characters of the texts in a record. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + lengthOf(each), 0);
}

function readShelved(value: unknown): Shelved | null {
  if (typeof value !== "object" || value === null || !("summary" in value) || !("data" in value)) return null;
  const summary = readSummary(value.summary);
  const taken = "taken" in value && typeof value.taken === "string" ? value.taken : null;
  return summary === null ? null : { summary, data: value.data, taken };
}

const readIndex = (value: unknown): readonly Summary[] =>
  Array.isArray(value) ? value.flatMap((each: unknown) => readSummary(each) ?? []) : [];
