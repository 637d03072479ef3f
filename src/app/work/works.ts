/**
 * The works that this browser keeps: in its database, in localStorage what that has not taken yet (and copies of the rest, as far as there is room), and in this page's
 * memory what neither has taken (`pageMemory`). Nothing here rejects for long.
 */

import { type Answer, type Database, openDatabase, type Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import { reconcile } from "./reconcile.ts";
import { copyOf, excess, type Kept, laterOf, latest, newest, oldWork, relation, type Summary, textOf } from "./record.ts";
import { isLong, openShelf, type Shelf } from "./shelf.ts";

export interface Found {
  readonly kept: Kept | null;
  readonly summaries: readonly Summary[];
}

export interface Search {
  /** The work to open, or none: answers within a second. */
  readonly soon: Promise<Found>;
  /** What the database had to say after that; null when it answered in time, or not at all. */
  readonly late: Promise<Found | null>;
}

/** `apart`: nothing was written, another tab saved what this one has not seen. `nowhere`: only this page has it. */
export type Saved = Written | "nowhere";

/** The database accepts nothing, and work is saved in localStorage; it is not saved at all; or the database does not even list what it has. */
export type Trouble = "local" | "nowhere" | "silent";

export interface Works {
  /** Looks for a program by its id, or (null, or not there any more) for the one changed last. */
  find(preferred: string | null): Search;
  list(): Promise<readonly Summary[]>;
  read(id: string): Promise<Kept | null>;
  /** At once in localStorage where it is not too long, then in the database. */
  save(kept: Kept): Promise<Saved>;
  /** Between two saves of a long work: what was typed since the last one. The next save does not need it to have been written. */
  patch(summary: Summary, patch: Patch): Promise<void>;
  /** As `save`, for a page that is left: done when it returns. */
  saveNow(kept: Kept): void;
  pin(id: string, pinned: boolean): Promise<void>;
  /** Removes what is more than the list of recent works holds, but nothing that some tab has open. */
  tidy(open: ReadonlySet<string>): Promise<void>;
  /** Removes a work for good. */
  remove(id: string): Promise<void>;
  /** Works that are known of and cannot be had, for want of the database. */
  absent(): readonly Summary[];
  /** Whether some work is in this page's memory alone, as far as is known. */
  unstored(): boolean;
  /** `waits`: something was typed that no save has yet. Where localStorage has no room for it, it is in this page's memory alone, too. */
  hold(waits: () => boolean): void;
  /** An order after every one that is known here. */
  nextOrder(): number;
  /** Calls back when the database accepts no work, or does not answer: once for each kind of trouble. */
  onTrouble(listener: (trouble: Trouble) => void): void;
  /** Calls back when the database was deleted under this page: the open work must be saved again, because not everything has a copy in localStorage. */
  onLost(listener: () => void): void;
}

export interface WorksOptions {
  readonly database?: Database;
  readonly shelf?: Shelf;
  /** How long the database may take: to read before the page opens without it, and to write before localStorage takes its place. */
  readonly readMs?: number;
  readonly writeMs?: number;
  /** How long it may take in all before that is reported: what is only slow needs no message. */
  readonly patienceMs?: number;
}

export function openWorks(options: WorksOptions = {}): Works {
  const { database = openDatabase(), shelf = openShelf(), readMs = 1_000, writeMs = 4_000, patienceMs = 12_000 } = options;
  const queue = writeQueue(database);
  const memory = pageMemory();
  const held: (() => boolean)[] = [];
  /** localStorage did not take the last save. */
  let full = false;
  /** Works of this page, which a search for what was there before passes over. */
  const begun = new Set<string>();
  let lastOrder = 0;
  const told = new Set<Trouble>();
  let listener: ((trouble: Trouble) => void) | null = null;
  const lost: (() => void)[] = [];

  const saw = (summaries: readonly Summary[]): readonly Summary[] => {
    for (const { order } of summaries) lastOrder = Math.max(lastOrder, order);
    return summaries;
  };
  const stored = async (): Promise<readonly Summary[]> => saw(await database.list());
  const birthNow = async (): Promise<string> => {
    const birth = await database.birth();
    shelf.trust(birth);
    return birth;
  };
  const reconcileNow = (): void => {
    birthNow()
      .then((birth) => reconcile(database, shelf, birth))
      .then(saw, () => undefined);
  };
  database.onGone(() => {
    shelf.trust(null);
    reconcileNow();
    for (const listener of lost) listener();
  });

  const tell = (trouble: Trouble): void => {
    // That it does not answer says already where work is kept.
    if (told.has(trouble) || (trouble === "local" && told.has("silent")) || (trouble === "silent" && told.has("local"))) return;
    told.add(trouble);
    listener?.(trouble);
  };

  /** Without the database: what the shelf has, and what is known of the rest. */
  const listHere = (): readonly Summary[] => saw(newest(shelf.known(), memory.list()));
  const readHere = (id: string): Kept | null => laterOf(shelf.read(id), memory.read(id));
  const readNewest = async (id: string): Promise<Kept | null> => laterOf(await database.read(id), readHere(id));

  /** What this page itself keeps while the database has not answered is not what it is looking for. */
  const pick = (preferred: string | null, summaries: readonly Summary[]): Summary | null =>
    summaries.find((s) => s.id === preferred && s.kind === "program") ?? latest(summaries.filter((s) => !begun.has(s.id)));
  const findHere = (preferred: string | null): Found => {
    const summaries = listHere();
    const picked = pick(
      preferred,
      summaries.filter((s) => s.absent !== true),
    );
    return { kept: picked === null ? null : readHere(picked.id), summaries };
  };
  /** `left`: the work of one of the first builds that the shelf had. */
  const findEverywhere = async (preferred: string | null, left: Kept | null): Promise<Found> => {
    await database.migrate((data) => (left !== null && textOf(left.data) === textOf(data) ? "drop" : oldWork(data)));
    const birth = await birthNow();
    const summaries = saw(newest(await stored(), shelf.list(birth)));
    const picked = pick(preferred, summaries);
    return { kept: picked === null ? null : await readNewest(picked.id), summaries };
  };

  const begin = (kept: Kept): void => {
    begun.add(kept.summary.id);
    memory.put(kept);
  };
  const shelve = (kept: Kept): Written | "failed" => {
    const put = shelf.put(kept, null);
    if (put === "saved") memory.stored(kept);
    // Only the database can have it now, and it has not answered.
    if (put === "failed") memory.refuse(kept);
    return put;
  };
  const apart = ({ summary }: Kept): Saved => {
    memory.drop(summary.id);
    return "apart";
  };
  /** Writes to the database, which may be late; what it has taken is a copy on the shelf from then on. */
  const store = async (kept: Kept): Promise<Written | "superseded"> => {
    const answer = await queue.add(kept);
    if (answer === "superseded") return answer;
    if (answer.written === "saved") {
      memory.stored(kept);
      // Neither here nor there: it was removed meanwhile.
      const there =
        isLong(kept) || shelf.read(kept.summary.id) !== null || (await database.read(kept.summary.id).catch(() => null)) !== null;
      if (there) shelf.copy(kept, answer.birth);
    }
    return answer.written;
  };

  return {
    find(preferred) {
      const left = oldWork(shelf.takeLegacy());
      if (left !== null) shelf.put(left, null);
      const everywhere = findEverywhere(preferred, left);
      const inTime = within(everywhere, readMs);
      // Late is not never: what answers soon after needs no words.
      within(everywhere, patienceMs).catch(() => {
        if (shelf.known().length > 0) tell("silent");
      });
      // What the page has opened by now is not to change under it.
      everywhere.then(reconcileNow, () => undefined);
      return {
        soon: inTime.catch(() => findHere(preferred)),
        late: inTime.then(
          () => null,
          () => everywhere.catch(() => null),
        ),
      };
    },
    list: () =>
      within(Promise.all([stored(), birthNow()]), readMs).then(
        ([there, birth]) => newest(there, shelf.list(birth), memory.list()),
        listHere,
      ),
    read: (id) => within(readNewest(id), readMs).catch(() => readHere(id)),
    async save(kept) {
      saw([kept.summary]);
      begin(kept);
      const shelved = isLong(kept) ? "too long" : shelve(kept);
      if (shelved === "apart") return apart(kept);
      if (shelved !== "too long") full = shelved === "failed";
      const storing = store(kept);
      try {
        return (await within(storing, writeMs)) === "apart" ? apart(kept) : "saved";
      } catch (error) {
        const instead = shelved === "saved" ? shelved : shelve(kept);
        if (instead === "apart") return apart(kept);
        const trouble = instead === "saved" ? "local" : "nowhere";
        if (error instanceof NoAnswer) within(storing, patienceMs - writeMs).catch(() => tell(trouble));
        else tell(trouble);
        return instead === "saved" ? "saved" : "nowhere";
      }
    },
    async patch(summary, patch) {
      saw([summary]);
      // Without the database the next save has it.
      await database.patch(summary, patch).catch(() => undefined);
    },
    saveNow(kept) {
      begin(kept);
      const shelved = shelve(kept);
      // Another tab has changed it too: it becomes its own work.
      if (shelved === "apart") shelf.put(copyOf(kept, shelf.known()), null);
      // What was sent off before the page is gone is mostly written.
      if (shelved === "failed")
        queue.add(kept).then(
          (answer) => {
            if (answer !== "superseded" && answer.written === "apart") void queue.add(copyOf(kept, shelf.known())).catch(() => undefined);
            else memory.stored(kept);
          },
          () => undefined,
        );
    },
    async pin(id, pinned) {
      shelf.pin(id, pinned);
      await within(database.pin(id, pinned), writeMs).catch(() => undefined);
    },
    async tidy(open) {
      const there = await within(stored(), readMs).catch(() => []);
      const ids = excess(newest(there, shelf.list(), memory.list()), open);
      if (ids.length === 0) return;
      shelf.drop(ids);
      await within(database.remove(ids), writeMs).catch(() => undefined);
    },
    absent: () => listHere().filter((s) => s.absent === true),
    unstored: () => memory.anyRefused() || (full && held.some((waits) => waits())),
    hold: (waits) => void held.push(waits),
    nextOrder: () => ++lastOrder,
    async remove(id) {
      queue.drop(id);
      memory.drop(id);
      shelf.drop([id]);
      await within(database.remove([id]), writeMs);
    },
    onTrouble(next) {
      listener = next;
      for (const trouble of told) next(trouble);
    },
    onLost: (listener) => void lost.push(listener),
  };
}

/** Of each work the latest save, until some storage has it. */
function pageMemory() {
  /** `refused`: localStorage has no room for it, and the database has not answered or takes nothing. */
  const waiting = new Map<string, { readonly kept: Kept; readonly refused: boolean }>();
  const read = (id: string): Kept | null => waiting.get(id)?.kept ?? null;
  return {
    read,
    list: (): readonly Summary[] => [...waiting.values()].map(({ kept }) => kept.summary),
    put(kept: Kept): void {
      const { id } = kept.summary;
      waiting.set(id, { kept, refused: waiting.get(id)?.refused === true });
    },
    refuse(kept: Kept): void {
      if (read(kept.summary.id) === kept) waiting.set(kept.summary.id, { kept, refused: true });
    },
    /** Some storage has this version, or a later one. */
    stored({ summary: { id, version } }: Kept): void {
      const kept = read(id);
      if (kept !== null && relation(version, kept.summary.version) !== "earlier") waiting.delete(id);
    },
    drop: (id: string): void => void waiting.delete(id),
    anyRefused: (): boolean => [...waiting.values()].some(({ refused }) => refused),
  };
}

/** Writes to the database one after the other: while one hangs, of each work only the latest waits. */
function writeQueue(database: Database) {
  interface Job {
    readonly kept: Kept;
    readonly settle: (answer: Answer | "superseded") => void;
    readonly fail: (error: unknown) => void;
  }
  const jobs = new Map<string, Job>();
  let draining = false;
  const drain = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    for (const [id, job] of jobs) {
      jobs.delete(id);
      await database.write(job.kept).then(job.settle, job.fail);
    }
    draining = false;
  };
  const drop = (id: string): void => {
    jobs.get(id)?.settle("superseded");
    jobs.delete(id);
  };
  return {
    drop,
    add: (kept: Kept): Promise<Answer | "superseded"> =>
      new Promise((settle, fail) => {
        drop(kept.summary.id);
        jobs.set(kept.summary.id, { kept, settle, fail });
        void drain();
      }),
  };
}

class NoAnswer extends Error {}

/** Rejects when a promise has not settled by then. */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer("no answer")), Math.max(0, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
