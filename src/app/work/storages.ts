/**
 * The storages of works as one: the database, localStorage for what that has not accepted yet (and copies of the rest, if there is room), and this page's memory for what
 * neither has accepted. Answers when the database does; functions whose names end in `Here` do not need it.
 */

import type { Answer, Database, Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import { reconcile } from "./reconcile.ts";
import { copyOf, type Kept, laterOf, latest, newest, oldWork, relation, type Summary, textOf } from "./record.ts";
import { isLong, openShelf, type Shelf } from "./shelf.ts";

export function openStorages(database: Database) {
  const shelf = openShelf();
  const queue = writeQueue(database);
  const memory = pageMemory();
  const typing: (() => boolean)[] = [];
  const lost: (() => void)[] = [];
  /** localStorage did not accept the last save. */
  let full = false;
  let lastOrder = 0;

  const saw = (summaries: readonly Summary[]): readonly Summary[] => {
    for (const { order } of summaries) lastOrder = Math.max(lastOrder, order);
    return summaries;
  };
  const birth = async (): Promise<string> => {
    const now = await database.birth();
    shelf.trust(now);
    return now;
  };
  /** Reconciles them as soon as the database answers. */
  function reconcileAll(): void {
    const done = birth().then((born) => reconcile(database, shelf, born));
    done.then(saw, () => undefined);
  }
  database.onGone(() => {
    shelf.trust(null);
    reconcileAll();
    for (const listener of lost) listener();
  });

  async function list(): Promise<readonly Summary[]> {
    const [there, born] = await Promise.all([database.list(), birth()]);
    return saw(newest(there, shelf.list(born), memory.list()));
  }
  /** What is on the shelf, and what is known about the rest. */
  const listHere = (): readonly Summary[] => saw(newest(shelf.known(), memory.list()));
  const readHere = (id: string): Kept | null => laterOf(shelf.read(id), memory.read(id));
  const read = async (id: string): Promise<Kept | null> => laterOf(await database.read(id), readHere(id));
  /** What this page saves while the database has not answered is not the work it is looking for. */
  const pick = (summaries: readonly Summary[], preferred: string | null): Summary | null => {
    const there = summaries.filter((s) => s.absent !== true);
    return there.find((s) => s.id === preferred && s.kind === "program") ?? latest(there.filter((s) => !memory.began(s.id)));
  };

  /** A save begins: it is in memory until a storage has it. */
  function begin(kept: Kept): void {
    saw([kept.summary]);
    memory.put(kept);
  }
  /** In localStorage. */
  function shelve(kept: Kept): Written | "failed" {
    const put = shelf.put(kept, null);
    full = put === "failed";
    if (put === "saved") memory.stored(kept);
    // Only the database can have it now, and it has not answered.
    if (put === "failed") memory.refuse(kept);
    return put;
  }
  /** In the database, which may be late; once it has a save, the one on the shelf is a copy. */
  async function store(kept: Kept): Promise<Written | "superseded"> {
    const { id } = kept.summary;
    const answer = await queue.add(kept);
    if (answer === "superseded") return answer;
    if (answer.written === "saved") {
      memory.stored(kept);
      // In neither: it was removed meanwhile.
      const there = isLong(kept) || shelf.read(id) !== null || (await database.read(id).catch(() => null)) !== null;
      if (there) shelf.copy(kept, answer.birth);
    }
    return answer.written;
  }

  return {
    list,
    listHere,
    read,
    readHere,
    /** A program by its id, or (if null, or if it was removed) the one changed last. */
    async find(preferred: string | null): Promise<Kept | null> {
      await moveOldWork(database, shelf);
      const picked = pick(await list(), preferred);
      return picked === null ? null : read(picked.id);
    },
    findHere(preferred: string | null): Kept | null {
      const picked = pick(listHere(), preferred);
      return picked === null ? null : readHere(picked.id);
    },
    /** Whether localStorage has works, or knows of any. */
    knowsAny: (): boolean => shelf.known().length > 0,
    reconcile: reconcileAll,
    /** An order after every known one. */
    nextOrder: (): number => ++lastOrder,
    async patch(summary: Summary, patch: Patch): Promise<void> {
      saw([summary]);
      // Without the database the next save has it.
      await database.patch(summary, patch).catch(() => undefined);
    },
    begin,
    shelve,
    store,
    /** Another tab's version is the work now. */
    forget: memory.drop,
    /** All three, for a page that is left: done when it returns. */
    saveNow(kept: Kept): void {
      begin(kept);
      const shelved = shelve(kept);
      // If another tab has changed it too, it becomes a separate work.
      const copy = (): Kept => copyOf(kept, shelf.known());
      const left = shelved === "apart" ? copy() : kept;
      const put = shelved === "apart" ? shelf.put(left, null) : shelved;
      // What was sent before the page ends is usually written.
      const send = async (): Promise<unknown> => (await store(left)) === "apart" && store(copy());
      if (put === "failed") send().catch(() => undefined);
    },
    async pin(id: string, pinned: boolean): Promise<void> {
      shelf.pin(id, pinned);
      const inDatabase = database.pin(id, pinned);
      // A work that only localStorage has is pinned there.
      if (shelf.read(id)?.taken === null) inDatabase.catch(() => undefined);
      else await inDatabase;
    },
    async remove(ids: readonly string[]): Promise<void> {
      for (const id of ids) {
        queue.drop(id);
        memory.drop(id);
      }
      shelf.drop(ids);
      await database.remove(ids);
    },
    watchTyping: (waits: () => boolean): void => void typing.push(waits),
    unstored: (): boolean => memory.anyRefused() || (full && typing.some((waits) => waits())),
    onLost: (listener: () => void): void => void lost.push(listener),
  };
}

/** The work of one of the first builds becomes one like the others. */
async function moveOldWork(database: Database, shelf: Shelf): Promise<void> {
  const left = oldWork(shelf.legacy());
  // If neither has room for it, it stays where it was.
  const inDatabase = async (work: Kept): Promise<boolean> => (await database.write(work)).written === "saved";
  if (left !== null && (shelf.put(left, null) === "saved" || (await inDatabase(left).catch(() => false)))) shelf.dropLegacy();
  return database.migrate((data) => (left !== null && textOf(left.data) === textOf(data) ? "drop" : oldWork(data)));
}

/** The latest save of each work, until a storage has it. */
function pageMemory() {
  /** `refused`: localStorage has no room for it, and the database has not answered or accepts nothing. */
  const waiting = new Map<string, { readonly kept: Kept; readonly refused: boolean }>();
  const began = new Set<string>();
  const read = (id: string): Kept | null => waiting.get(id)?.kept ?? null;
  return {
    read,
    began: (id: string): boolean => began.has(id),
    list: (): readonly Summary[] => [...waiting.values()].map(({ kept }) => kept.summary),
    put(kept: Kept): void {
      const { id } = kept.summary;
      began.add(id);
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

/** Writes to the database one after the other: while one hangs, only the latest save of each work waits. */
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
