/** The works that the browser keeps: in its database, and in localStorage whatever that has not taken yet. Nothing here rejects for long. */

import { type Database, openDatabase } from "./database.ts";
import { type LocalShelf, localShelf } from "./local.ts";
import { localMirror, type Mirror } from "./mirror.ts";
import { copyTitle, excess, firstLines, type Kept, latest, newest, type Saved, type Summary, textOf } from "./records.ts";

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

/** The database takes nothing, and work is kept in localStorage; it is not kept at all; or the database does not even say what it has. */
export type Trouble = "local" | "nowhere" | "silent";

export interface KeptWork {
  /** Looks for a work by its id, or (null, or not there any more) for the one changed last. */
  find(preferred: string | null): Search;
  list(): Promise<readonly Summary[]>;
  read(id: string): Promise<Kept | null>;
  /** Keeps a version of a work that follows `base`; at once in localStorage where it is not too long, then in the database. */
  save(kept: Kept, base: number): Promise<Saved>;
  /** As `save`, for a page that goes away: done when it returns. */
  saveNow(kept: Kept, base: number): void;
  pin(id: string, pinned: boolean): Promise<void>;
  /** Forgets what is more than the list of recent works holds, but nothing that is `open`. */
  tidy(open: ReadonlySet<string>): Promise<void>;
  /** Removes a work for good. */
  remove(id: string): Promise<void>;
  /** Works that are known of and cannot be had, for want of the database. */
  absent(): readonly Summary[];
  /** Calls back when the database takes no work, or does not answer: once for each kind of trouble. */
  onTrouble(listener: (trouble: Trouble) => void): void;
}

export interface KeptOptions {
  readonly database?: Database;
  readonly local?: LocalShelf;
  readonly mirror?: Mirror;
  readonly now?: () => number;
  readonly newId?: () => string;
  /** How long the database may take: to read before the page opens without it, and to write before localStorage takes its place. */
  readonly readMs?: number;
  readonly writeMs?: number;
  /** How long it may take altogether before that is said: what is only slow needs no words. */
  readonly patienceMs?: number;
}

/** Texts longer than this go to localStorage only when the database does not take them. */
const JOURNAL_CHARACTERS = 200_000;

interface Job {
  readonly kept: Kept;
  readonly base: number;
  readonly settle: (outcome: Saved | "superseded") => void;
  readonly fail: (error: unknown) => void;
}

export function newWorkId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}

export function openKeptWork(options: KeptOptions = {}): KeptWork {
  const { database = openDatabase(), mirror = localMirror(), now = Date.now, newId = newWorkId } = options;
  const { readMs = 1_000, writeMs = 4_000, patienceMs = 12_000 } = options;
  const local = options.local ?? localShelf(mirror.makeRoom);
  const jobs = new Map<string, Job>();
  const told = new Set<Trouble>();
  let draining = false;
  let listener: ((trouble: Trouble) => void) | null = null;

  /** Writes to the database one after the other: while one hangs, of each work only the latest waits. */
  const drain = async () => {
    if (draining) return;
    draining = true;
    for (const [id, job] of jobs) {
      jobs.delete(id);
      await database.write(job.kept, job.base).then(job.settle, job.fail);
    }
    draining = false;
  };
  const enqueue = (kept: Kept, base: number): Promise<Saved | "superseded"> =>
    new Promise((settle, fail) => {
      const { id } = kept.summary;
      jobs.get(id)?.settle("superseded");
      jobs.set(id, { kept, base, settle, fail });
      void drain();
    });

  const tell = (trouble: Trouble) => {
    // That it does not answer says already where work is kept.
    if (told.has(trouble) || (trouble === "local" && told.has("silent")) || (trouble === "silent" && told.has("local"))) return;
    told.add(trouble);
    listener?.(trouble);
  };

  const save = async (kept: Kept, base: number): Promise<Saved> => {
    const { id, version } = kept.summary;
    const journaled = lengthOf(kept.data) <= JOURNAL_CHARACTERS ? local.write(kept, base) : null;
    if (journaled === "newer") return "newer";
    const writing = enqueue(kept, base);
    // Late or not: what the database has, localStorage need not keep.
    writing.then(
      (outcome) => {
        if (outcome !== "saved") return;
        local.drop(id, version);
        mirror.put(kept);
      },
      () => undefined,
    );
    try {
      return (await within(writing, writeMs)) === "newer" ? "newer" : "saved";
    } catch (error) {
      const outcome = journaled === "saved" ? journaled : local.write(kept, base);
      if (outcome === "newer") return "newer";
      const trouble = outcome === "saved" ? "local" : "nowhere";
      if (error instanceof NoAnswer) within(writing, patienceMs - writeMs).catch(() => tell(trouble));
      else tell(trouble);
      return "saved";
    }
  };

  const readNewest = async (id: string): Promise<Kept | null> => {
    const stored = await database.read(id);
    const here = local.read(id);
    return here !== null && here.summary.version > (stored?.summary.version ?? 0) ? here : stored;
  };

  /** Work of an earlier version of the page, as a record. */
  const adopt = (data: unknown, changed: number): Kept | null => {
    const text = textOf(data);
    if (text === null || !/\S/.test(text)) return null;
    const title = (data as { readonly title?: unknown }).title;
    const name = typeof title === "string" && title !== "" ? title : "untitled";
    const about = { title: name, lines: firstLines(text), changed, version: 1, own: true, pinned: false };
    const summary = { id: newId(), stamp: newId(), ...about };
    return { summary, data };
  };

  /** Brings to the database what only localStorage has; what was saved there on top of the same version becomes a work of its own. */
  const transfer = async (): Promise<void> => {
    for (const { id } of local.list()) {
      const kept = local.read(id);
      if (kept === null) continue;
      const { version } = kept.summary;
      if ((await database.write(kept, version - 1)) === "newer") {
        const stored = await database.read(id);
        if (stored !== null && textOf(stored.data) !== textOf(kept.data) && stored.summary.version <= version) {
          const titles = (await database.list()).map((s) => s.title);
          const title = copyTitle(kept.summary.title, titles);
          await database.write({ data: kept.data, summary: { ...kept.summary, id: newId(), title, own: true } }, 0);
        }
      }
      local.drop(id, version);
    }
    await reflect();
  };

  /** Copies what the database has to the mirror, the latest first, as far as there is no copy of that version yet. */
  const reflect = async (): Promise<void> => {
    const summaries = newest(await database.list());
    const known = new Map(mirror.list().map((s) => [s.id, s]));
    mirror.index(summaries);
    // The latest last, so that they are not given up for older ones.
    for (const { id, version } of summaries.toReversed()) {
      const copy = known.get(id);
      if (copy !== undefined && copy.version === version && copy.absent !== true) continue;
      const kept = await database.read(id);
      if (kept !== null) mirror.put(kept);
    }
  };

  /** Without the database: what localStorage has, and what is known of the rest. */
  const withoutDatabase = (): readonly Summary[] => newest(local.list(), mirror.list());
  const readLocal = (id: string): Kept | null => {
    const [here, copy] = [local.read(id), mirror.read(id)];
    return here !== null && here.summary.version >= (copy?.summary.version ?? 0) ? here : copy;
  };

  return {
    find(preferred) {
      const begun = now();
      const left = adopt(local.takeLegacy(), begun);
      if (left !== null) local.write(left, 0);
      // What this page itself keeps while the database has not answered is not what it is looking for.
      const pick = (summaries: readonly Summary[]): Summary | null =>
        summaries.find((s) => s.id === preferred) ?? latest(summaries.filter((s) => s.changed <= begun));
      const everything = (async (): Promise<Found> => {
        await database.migrate((data) => (left !== null && textOf(left.data) === textOf(data) ? "drop" : adopt(data, begun)));
        const summaries = newest(await database.list(), local.list());
        const picked = pick(summaries);
        return { kept: picked === null ? null : await readNewest(picked.id), summaries };
      })();
      const answered = within(everything, readMs).then(
        (found) => ({ found, late: false }),
        () => {
          const summaries = withoutDatabase();
          const picked = pick(summaries.filter((s) => s.absent !== true));
          return { found: { kept: picked === null ? null : readLocal(picked.id), summaries }, late: true };
        },
      );
      // Late is not never: what answers soon after needs no words.
      within(everything, patienceMs).catch(() => {
        if (mirror.list().length > 0) tell("silent");
      });
      // What the page has opened by now is not to change under it.
      everything.then(transfer).catch(() => undefined);
      return {
        soon: answered.then(({ found }) => found),
        late: answered.then(({ late }) => (late ? everything.catch(() => null) : null)),
      };
    },
    list: async () =>
      within(database.list(), readMs).then(
        (stored) => newest(stored, local.list()),
        () => withoutDatabase(),
      ),
    read: (id) => within(readNewest(id), readMs).catch(() => readLocal(id)),
    save,
    saveNow(kept, base) {
      local.write(kept, base);
    },
    async pin(id, pinned) {
      local.pin(id, pinned);
      mirror.pin(id, pinned);
      await within(database.pin(id, pinned), writeMs).catch(() => undefined);
    },
    async tidy(open) {
      const here = local.list();
      const stored = await within(database.list(), readMs).catch(() => []);
      const ids = excess(newest(stored, here), open);
      for (const id of ids) local.drop(id, Number.POSITIVE_INFINITY);
      if (ids.length > 0) mirror.drop(ids);
      if (ids.length > 0) await within(database.remove(ids), writeMs).catch(() => undefined);
    },
    absent: () => withoutDatabase().filter((s) => s.absent === true),
    async remove(id) {
      jobs.get(id)?.settle("superseded");
      jobs.delete(id);
      local.drop(id, Number.POSITIVE_INFINITY);
      mirror.drop([id]);
      await within(database.remove([id]), writeMs);
    },
    onTrouble(next) {
      listener = next;
      for (const trouble of told) next(trouble);
    },
  };
}

const lengthOf = (data: unknown): number => textOf(data)?.length ?? 0;

class NoAnswer extends Error {}

/** Rejects when a promise has not settled by then. */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoAnswer("no answer")), Math.max(0, ms));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
