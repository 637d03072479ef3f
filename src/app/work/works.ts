/**
 * The works that this browser keeps: in its database, in localStorage what that has not taken yet (and copies of the rest, as far as there is room), and in this page's
 * memory what neither takes. Nothing here rejects for long.
 */

import { type Answer, type Database, openDatabase, type Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import {
  copyTitle,
  excess,
  firstLines,
  firstVersion,
  type Kept,
  latest,
  newest,
  newId,
  nextVersion,
  relation,
  type Summary,
  textOf,
} from "./record.ts";
import { openShelf, type Shelf } from "./shelf.ts";

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

/** Longer contents are on the shelf only when the database does not take them: they would leave no room for others, and the page would wait for the writing. */
const MOST_SHELVED = 200_000;

interface Job {
  readonly kept: Kept;
  readonly settle: (answer: Answer | "superseded") => void;
  readonly fail: (error: unknown) => void;
}

export function openWorks(options: WorksOptions = {}): Works {
  const { database = openDatabase(), shelf = openShelf(), readMs = 1_000, writeMs = 4_000, patienceMs = 12_000 } = options;
  const jobs = new Map<string, Job>();
  /** Of each work the latest save, until some storage has it. */
  const memory = new Map<string, Kept>();
  /** Ids of works that no storage has taken so far. */
  const refused = new Set<string>();
  const held: (() => boolean)[] = [];
  /** localStorage did not take the last save. */
  let full = false;
  const told = new Set<Trouble>();
  /** Works of this page, which a search for what was there before passes over. */
  const begun = new Set<string>();
  let draining = false;
  let listener: ((trouble: Trouble) => void) | null = null;
  let lastOrder = 0;
  const lost: (() => void)[] = [];

  const saw = (summaries: readonly Summary[]): void => {
    for (const { order } of summaries) lastOrder = Math.max(lastOrder, order);
  };
  const stored = async (): Promise<readonly Summary[]> => {
    const summaries = await database.list();
    saw(summaries);
    return summaries;
  };
  const birthNow = async (): Promise<string> => {
    const birth = await database.birth();
    shelf.trust(birth);
    return birth;
  };
  const inMemory = (): readonly Summary[] => [...memory.values()].map((kept) => kept.summary);
  /** Some storage has this version, or a later one. */
  const settle = ({ summary: { id, version } }: Kept): void => {
    const waiting = memory.get(id);
    if (waiting === undefined || relation(version, waiting.summary.version) === "earlier") return;
    memory.delete(id);
    refused.delete(id);
  };

  /** Writes to the database one after the other: while one hangs, of each work only the latest waits. */
  const drain = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    for (const [id, job] of jobs) {
      jobs.delete(id);
      await database.write(job.kept).then(job.settle, job.fail);
    }
    draining = false;
  };
  const enqueue = (kept: Kept): Promise<Answer | "superseded"> =>
    new Promise((resolve, fail) => {
      const { id } = kept.summary;
      jobs.get(id)?.settle("superseded");
      jobs.set(id, { kept, settle: resolve, fail });
      void drain();
    });
  /** The database of this birth has it: what is on the shelf is a copy from now on. */
  const taken = async (kept: Kept, birth: string): Promise<void> => {
    settle(kept);
    const { id } = kept.summary;
    const here = shelf.read(id);
    if (isLong(kept)) {
      if (here === null || relation(here.summary.version, kept.summary.version) !== "later") shelf.leave(kept.summary);
      return;
    }
    // Neither here nor there: it was removed meanwhile.
    if (here !== null || (await database.read(id)) !== null) shelf.put(kept, birth);
  };

  const tell = (trouble: Trouble): void => {
    // That it does not answer says already where work is kept.
    if (told.has(trouble) || (trouble === "local" && told.has("silent")) || (trouble === "silent" && told.has("local"))) return;
    told.add(trouble);
    listener?.(trouble);
  };

  const save = async (kept: Kept): Promise<Saved> => {
    const { id, order } = kept.summary;
    lastOrder = Math.max(lastOrder, order);
    begun.add(id);
    memory.set(id, kept);
    const journaled = isLong(kept) ? null : shelf.put(kept, null);
    if (journaled === "apart") {
      memory.delete(id);
      return "apart";
    }
    if (journaled !== null) full = journaled === "failed";
    if (journaled === "saved") settle(kept);
    // Only the database can have it now, and it has not answered.
    else if (journaled === "failed") refused.add(id);
    const writing = enqueue(kept);
    // Late or not.
    const written = writing.then(async (answer) => {
      if (answer === "superseded") return answer;
      if (answer.written === "saved") await taken(kept, answer.birth).catch(() => undefined);
      return answer.written;
    });
    written.catch(() => undefined);
    try {
      if ((await within(written, writeMs)) !== "apart") return "saved";
      memory.delete(id);
      return "apart";
    } catch (error) {
      const outcome = journaled === "saved" ? journaled : shelf.put(kept, null);
      if (outcome === "apart") return "apart";
      if (outcome === "saved") settle(kept);
      else if (memory.get(id) === kept) refused.add(id);
      const trouble = outcome === "saved" ? "local" : "nowhere";
      if (error instanceof NoAnswer) within(writing, patienceMs - writeMs).catch(() => tell(trouble));
      else tell(trouble);
      return outcome === "saved" ? "saved" : "nowhere";
    }
  };

  const later = (a: Kept | null, b: Kept | null): Kept | null =>
    a === null || (b !== null && relation(b.summary.version, a.summary.version) === "later") ? b : a;
  const readNewest = async (id: string): Promise<Kept | null> =>
    later(await database.read(id), later(shelf.read(id), memory.get(id) ?? null));

  /** Work of one of the first builds, as a record. */
  const adopt = (data: unknown): Kept | null => {
    const text = textOf(data);
    if (text === null || !/\S/.test(text)) return null;
    const { title } = data as { readonly title?: unknown };
    const name = typeof title === "string" && title !== "" ? title : "untitled";
    const about = {
      kind: "program",
      title: name,
      lines: firstLines(text),
      changed: Date.now(),
      order: 0,
      own: true,
      pinned: false,
    } as const;
    return { summary: { id: newId(), version: firstVersion(newId(), 1), ...about }, data };
  };

  /**
   * Brings the database and the shelf together. What the database has not taken, it gets; what another tab saved on top of the same version becomes its own work; and
   * what a deleted database had, this one gets from the copies.
   */
  const reconcile = async (): Promise<void> => {
    const birth = await birthNow();
    for (const { id } of shelf.list()) {
      const here = shelf.read(id);
      if (here === null) continue;
      const there = await database.read(id);
      // The database had it and does not any more: it was removed.
      if (here.taken === birth && there === null) shelf.drop([id]);
      else if ((await database.write(here)).written === "apart" && there !== null) {
        if (JSON.stringify(there.data) !== JSON.stringify(here.data)) await database.write(copyOf(here, await stored()));
        shelf.replace(there, birth);
      }
    }
    const summaries = newest(await stored());
    shelf.index(summaries);
    // The latest last, so that they are not given up for older ones.
    for (const { id, version } of summaries.toReversed()) {
      const copy = shelf.read(id);
      if (copy?.taken === birth && relation(copy.summary.version, version) === "same") continue;
      const kept = await database.read(id);
      if (kept === null) continue;
      if (!isLong(kept)) shelf.put(kept, birth);
      else if (copy !== null && relation(copy.summary.version, version) !== "later") shelf.leave(kept.summary);
    }
  };
  const copyOf = ({ summary, data }: Kept, others: readonly Summary[]): Kept => {
    const title = copyTitle(
      summary.title,
      others.map((s) => s.title),
    );
    return {
      summary: { ...summary, id: newId(), title, version: nextVersion(summary.version, newId(), 1), own: true, pinned: false },
      data,
    };
  };
  database.onGone(() => {
    shelf.trust(null);
    void reconcile().catch(() => undefined);
    for (const listener of lost) listener();
  });

  /** Without the database: what the shelf has, and what is known of the rest. */
  const withoutDatabase = (): readonly Summary[] => {
    const known = newest(shelf.known(), inMemory());
    saw(known);
    return known;
  };
  const readHere = (id: string): Kept | null => later(shelf.read(id), memory.get(id) ?? null);

  return {
    find(preferred) {
      const left = adopt(shelf.takeLegacy());
      if (left !== null) shelf.put(left, null);
      // What this page itself keeps while the database has not answered is not what it is looking for.
      const pick = (summaries: readonly Summary[]): Summary | null =>
        summaries.find((s) => s.id === preferred && s.kind === "program") ?? latest(summaries.filter((s) => !begun.has(s.id)));
      const everything = (async (): Promise<Found> => {
        await database.migrate((data) => (left !== null && textOf(left.data) === textOf(data) ? "drop" : adopt(data)));
        const birth = await birthNow();
        const summaries = newest(await stored(), shelf.list(birth));
        saw(summaries);
        const picked = pick(summaries);
        return { kept: picked === null ? null : await readNewest(picked.id), summaries };
      })();
      const answered = within(everything, readMs).then(
        (found) => ({ found, late: false }),
        () => {
          const summaries = withoutDatabase();
          const picked = pick(summaries.filter((s) => s.absent !== true));
          return { found: { kept: picked === null ? null : readHere(picked.id), summaries }, late: true };
        },
      );
      // Late is not never: what answers soon after needs no words.
      within(everything, patienceMs).catch(() => {
        if (shelf.known().length > 0) tell("silent");
      });
      // What the page has opened by now is not to change under it.
      everything.then(reconcile).catch(() => undefined);
      return {
        soon: answered.then(({ found }) => found),
        late: answered.then(({ late }) => (late ? everything.catch(() => null) : null)),
      };
    },
    list: () =>
      within(Promise.all([stored(), birthNow()]), readMs).then(
        ([there, birth]) => newest(there, shelf.list(birth), inMemory()),
        () => withoutDatabase(),
      ),
    read: (id) => within(readNewest(id), readMs).catch(() => readHere(id)),
    save,
    async patch(summary, patch) {
      lastOrder = Math.max(lastOrder, summary.order);
      // Without the database the next save has it.
      await database.patch(summary, patch).catch(() => undefined);
    },
    saveNow(kept) {
      begun.add(kept.summary.id);
      memory.set(kept.summary.id, kept);
      const put = shelf.put(kept, null);
      if (put === "saved") settle(kept);
      // Another tab has changed it too: it becomes its own work.
      else if (put === "apart") shelf.put(copyOf(kept, shelf.known()), null);
      // What was sent off before the page is gone is mostly written.
      else
        enqueue(kept).then(
          () => settle(kept),
          () => undefined,
        );
    },
    async pin(id, pinned) {
      shelf.pin(id, pinned);
      await within(database.pin(id, pinned), writeMs).catch(() => undefined);
    },
    async tidy(open) {
      const there = await within(stored(), readMs).catch(() => []);
      const ids = excess(newest(there, shelf.list(), inMemory()), open);
      if (ids.length === 0) return;
      shelf.drop(ids);
      await within(database.remove(ids), writeMs).catch(() => undefined);
    },
    absent: () => withoutDatabase().filter((s) => s.absent === true),
    unstored: () => refused.size > 0 || (full && held.some((waits) => waits())),
    hold: (waits) => void held.push(waits),
    nextOrder: () => ++lastOrder,
    async remove(id) {
      jobs.get(id)?.settle("superseded");
      jobs.delete(id);
      memory.delete(id);
      refused.delete(id);
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

const isLong = ({ data }: Kept): boolean => lengthOf(data) > MOST_SHELVED;

/** Characters of the texts in a record, about. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + lengthOf(each), 0);
}

class NoAnswer extends Error {}

/** Rejects when a promise has not settled by then. */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer("no answer")), Math.max(0, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
