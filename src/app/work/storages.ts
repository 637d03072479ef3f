/**
 * The storages of works as one: the database, localStorage for what that has not accepted yet (and copies of the rest, if there is room), and this page's memory for what
 * neither has accepted. Answers when the database does; functions whose names end in `Here` do not need it.
 */

import type { Answer, Database, Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import { reconcile } from "./reconcile.ts";
import { type Kept, laterOf, newest, relation, type Summary } from "./record.ts";
import { isLong, type Shelf } from "./shelf.ts";

export function openStorages(database: Database, shelf: Shelf) {
  const queue = writeQueue(database);
  const memory = pageMemory();
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
  /** What is on the shelf, and what is known about the rest. */
  const listHere = (): readonly Summary[] => saw(newest(shelf.known(), memory.list()));
  const readHere = (id: string): Kept | null => laterOf(shelf.read(id), memory.read(id));

  return {
    listHere,
    readHere,
    async list(): Promise<readonly Summary[]> {
      const [there, born] = await Promise.all([database.list(), birth()]);
      return saw(newest(there, shelf.list(born), memory.list()));
    },
    async read(id: string): Promise<Kept | null> {
      return laterOf(await database.read(id), readHere(id));
    },
    /** Reconciles them as soon as the database answers. */
    reconcile(): void {
      const done = birth().then((born) => reconcile(database, shelf, born));
      done.then(saw, () => undefined);
    },
    /** An order after every known one. */
    nextOrder: (): number => ++lastOrder,
    async patch(summary: Summary, patch: Patch): Promise<void> {
      saw([summary]);
      // Without the database the next save has it.
      await database.patch(summary, patch).catch(() => undefined);
    },
    /** A save begins: it is in memory until a storage has it. */
    begin(kept: Kept): void {
      saw([kept.summary]);
      memory.put(kept);
    },
    /** Whether this page has saved it. */
    began: memory.began,
    /** In localStorage. */
    shelve(kept: Kept): Written | "failed" {
      const put = shelf.put(kept, null);
      full = put === "failed";
      if (put === "saved") memory.stored(kept);
      // Only the database can have it now, and it has not answered.
      if (put === "failed") memory.refuse(kept);
      return put;
    },
    /** In the database, which may be late; once it has a save, the one on the shelf is a copy. */
    async store(kept: Kept): Promise<Written | "superseded"> {
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
    },
    /** Another tab's version is the work now. */
    forget: memory.drop,
    async remove(ids: readonly string[]): Promise<void> {
      for (const id of ids) {
        queue.drop(id);
        memory.drop(id);
      }
      shelf.drop(ids);
      await database.remove(ids);
    },
    /** Whether some work is only in memory, as far as is known. `typing`: something was typed that no save contains yet. */
    unstored: (typing: boolean): boolean => memory.anyRefused() || (full && typing),
  };
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
