/** The works that this browser has, with a limit on the time that its storages (`storages.ts`) may take, and a report when they fail. */

import { type Database, openDatabase, type Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import { copyTitle, excess, type Kept, type Summary, titlesOf } from "./record.ts";
import { isLong } from "./shelf.ts";
import { Storages } from "./storages.ts";

export interface Search {
  /** The work to open, or none: answers within a second. */
  readonly soon: Promise<Kept | null>;
  /** What the database answered after that; null: nothing, or it answered in time, or not at all. */
  readonly late: Promise<Kept | null>;
}

/** `apart`: nothing was written, because another tab saved a version that this one has not seen. `nowhere`: only this page has it. */
export type Saved = Written | "nowhere";

/** The database accepts nothing, and work is saved in localStorage; it is not saved at all; or the database does not even list what it has. */
export type Trouble = "local" | "nowhere" | "silent";

export type Works = ReturnType<typeof openWorks>;

export interface WorksOptions {
  readonly database?: Database;
  /** How long the database may take: to read before the page opens without it, and to write before localStorage is used instead. */
  readonly readMs?: number;
  readonly writeMs?: number;
  /** How long it may take in total before that is reported: a slow database needs no message. */
  readonly patienceMs?: number;
}

export function openWorks({ database = openDatabase(), readMs = 1_000, writeMs = 4_000, patienceMs = 12_000 }: WorksOptions = {}) {
  const all = new Storages(database);
  const { report, onTrouble } = troubles();
  const list = (): Promise<readonly Summary[]> => within(all.list(), readMs).catch(() => all.listHere());

  /** In localStorage first; if the database then does not accept it, there too even if it was too long before. */
  async function write(kept: Kept): Promise<Saved> {
    const shelved = isLong(kept) ? "too long" : all.shelve(kept);
    if (shelved === "apart") return shelved;
    const storing = all.store(kept);
    try {
      return (await within(storing, writeMs)) === "apart" ? "apart" : "saved";
    } catch (error) {
      const instead = shelved === "saved" ? shelved : all.shelve(kept);
      if (instead === "apart") return instead;
      const trouble = instead === "saved" ? "local" : "nowhere";
      if (error instanceof NoAnswer) within(storing, patienceMs - writeMs).catch(() => report(trouble));
      else report(trouble);
      return instead === "saved" ? "saved" : "nowhere";
    }
  }

  return {
    /** Looks up a program by its id, or (if null, or if it was removed) the one changed last. */
    find(preferred: string | null): Search {
      const everywhere = all.find(preferred);
      const inTime = within(everywhere, readMs);
      // A database that answers soon after the limit needs no message.
      within(everywhere, patienceMs).catch(() => {
        if (all.knowsAny()) report("silent");
      });
      // Only then: it changes what the search reads.
      everywhere.then(
        () => all.reconcile(),
        () => undefined,
      );
      return {
        soon: inTime.catch(() => all.findHere(preferred)),
        late: inTime.then(
          () => null,
          () => everywhere.catch(() => null),
        ),
      };
    },
    list,
    read: (id: string): Promise<Kept | null> => within(all.read(id), readMs).catch(() => all.readHere(id)),
    /** Immediately in localStorage if it is not too long, then in the database. */
    async save(kept: Kept): Promise<Saved> {
      all.begin(kept);
      const saved = await write(kept);
      if (saved === "apart") all.forget(kept.summary.id);
      return saved;
    },
    /** As `save`, for a page that is left: done when it returns. */
    saveNow: (kept: Kept): void => all.saveNow(kept),
    /** Between two saves of a long work: what was typed since the last one. The next save does not need it to have been written. */
    patch: (summary: Summary, patch: Patch): Promise<void> => all.patch(summary, patch),
    /** Rejects if it will not last. */
    pin: (id: string, pinned: boolean): Promise<void> => within(all.pin(id, pinned), writeMs),
    /** Removes works beyond the limit of the recent list, except those that a tab has open. */
    async tidy(open: ReadonlySet<string>): Promise<void> {
      const ids = excess(await list(), open);
      if (ids.length > 0) await within(all.remove(ids), writeMs).catch(() => undefined);
    },
    /** Removes a work for good. */
    remove: (id: string): Promise<void> => within(all.remove([id]), writeMs),
    /** Works that are known but cannot be read, because the database does not answer. */
    absent: () => all.listHere().filter((s) => s.absent === true),
    /** Whether some work is only in this page's memory, as far as is known. */
    unstored: (): boolean => all.unstored(),
    /** `waits`: something was typed that no save has yet. If localStorage has no room for it, it is only in this page's memory, too. */
    watchTyping: (waits: () => boolean): void => all.watchTyping(waits),
    nextOrder: (): number => all.nextOrder(),
    /** A name for a copy of a work that no other known work has. */
    nameOfCopy: (title: string) => copyTitle(title, titlesOf(all.listHere())),
    /** Calls back when the database accepts no work, or does not answer: once for each kind of problem. */
    onTrouble,
    /** Calls back when the database was deleted under this page: the open work must be saved again, because not everything has a copy in localStorage. */
    onLost: (listener: () => void): void => all.onLost(listener),
  };
}

/** Reports each kind of problem once, including those before anyone listened. */
function troubles() {
  const reported = new Set<Trouble>();
  let listener: ((trouble: Trouble) => void) | null = null;
  return {
    report(trouble: Trouble): void {
      // The message that it does not answer already says where work is saved.
      if (trouble === "nowhere" ? reported.has(trouble) : reported.has("local") || reported.has("silent")) return;
      reported.add(trouble);
      listener?.(trouble);
    },
    onTrouble(next: (trouble: Trouble) => void): void {
      listener = next;
      for (const trouble of reported) next(trouble);
    },
  };
}

class NoAnswer extends Error {}

/** Rejects if a promise has not settled by then. */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer("no answer")), Math.max(0, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
