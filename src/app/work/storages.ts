/**
 * The storages of works as one: the database, localStorage for what that has not accepted yet (and copies of the rest, if there is room), and this page's memory for what
 * neither has accepted. Answers when the database does; functions whose names end in `Here` do not need it.
 */

import type { Answer, Database, Written } from "./database.ts";
import type { Patch } from "./patch.ts";
import { reconcile } from "./reconcile.ts";
import { copyOf, type Kept, laterOf, latest, newest, oldWork, relation, type Summary, textOf } from "./record.ts";
import { isLong, openShelf, type Shelf } from "./shelf.ts";

export class Storages {
  private readonly database: Database;
  private readonly shelf: Shelf = openShelf();
  private readonly queue: ReturnType<typeof writeQueue>;
  private readonly memory = pageMemory();
  private readonly typing: (() => boolean)[] = [];
  private readonly lost: (() => void)[] = [];
  /** localStorage did not accept the last save. */
  private full = false;
  private lastOrder = 0;

  constructor(database: Database) {
    this.database = database;
    this.queue = writeQueue(database);
    database.onGone(() => {
      this.shelf.trust(null);
      this.reconcile();
      for (const listener of this.lost) listener();
    });
  }

  // --- reading ---

  async list(): Promise<readonly Summary[]> {
    const [there, born] = await Promise.all([this.database.list(), this.birth()]);
    return this.saw(newest(there, this.shelf.list(born), this.memory.list()));
  }

  /** What is on the shelf, and what is known about the rest. */
  listHere(): readonly Summary[] {
    return this.saw(newest(this.shelf.known(), this.memory.list()));
  }

  async read(id: string): Promise<Kept | null> {
    return laterOf(await this.database.read(id), this.readHere(id));
  }

  readHere(id: string): Kept | null {
    return laterOf(this.shelf.read(id), this.memory.read(id));
  }

  /** A program by its id, or (if null, or if it was removed) the one changed last. */
  async find(preferred: string | null): Promise<Kept | null> {
    await moveOldWork(this.database, this.shelf);
    const picked = this.pick(await this.list(), preferred);
    return picked === null ? null : this.read(picked.id);
  }

  findHere(preferred: string | null): Kept | null {
    const picked = this.pick(this.listHere(), preferred);
    return picked === null ? null : this.readHere(picked.id);
  }

  /** What this page saves while the database has not answered is not the work it is looking for. */
  private pick(summaries: readonly Summary[], preferred: string | null): Summary | null {
    const there = summaries.filter((s) => s.absent !== true);
    return there.find((s) => s.id === preferred && s.kind === "program") ?? latest(there.filter((s) => !this.memory.began(s.id)));
  }

  /** Whether localStorage has works, or knows of any. */
  knowsAny(): boolean {
    return this.shelf.known().length > 0;
  }

  /** Reconciles them as soon as the database answers. */
  reconcile(): void {
    const done = this.birth().then((born) => reconcile(this.database, this.shelf, born));
    done.then(
      (summaries) => this.saw(summaries),
      () => undefined,
    );
  }

  private async birth(): Promise<string> {
    const now = await this.database.birth();
    this.shelf.trust(now);
    return now;
  }

  private saw(summaries: readonly Summary[]): readonly Summary[] {
    for (const { order } of summaries) this.lastOrder = Math.max(this.lastOrder, order);
    return summaries;
  }

  /** An order after every known one. */
  nextOrder(): number {
    return ++this.lastOrder;
  }

  // --- saving ---

  /** A save begins: it is in memory until a storage has it. */
  begin(kept: Kept): void {
    this.saw([kept.summary]);
    this.memory.put(kept);
  }

  /** In localStorage. */
  shelve(kept: Kept): Written | "failed" {
    const put = this.shelf.put(kept, null);
    this.full = put === "failed";
    if (put === "saved") this.memory.stored(kept);
    // Only the database can have it now, and it has not answered.
    if (put === "failed") this.memory.refuse(kept);
    return put;
  }

  /** In the database, which may be late; once it has a save, the one on the shelf is a copy. */
  async store(kept: Kept): Promise<Written | "superseded"> {
    const { id } = kept.summary;
    const answer = await this.queue.add(kept);
    if (answer === "superseded") return answer;
    if (answer.written === "saved") {
      this.memory.stored(kept);
      // In neither: it was removed meanwhile.
      const there = isLong(kept) || this.shelf.read(id) !== null || (await this.database.read(id).catch(() => null)) !== null;
      if (there) this.shelf.copy(kept, answer.birth);
    }
    return answer.written;
  }

  /** All three, for a page that is left: done when it returns. */
  saveNow(kept: Kept): void {
    this.begin(kept);
    const shelved = this.shelve(kept);
    // If another tab has changed it too, it becomes a separate work.
    const copy = (): Kept => copyOf(kept, this.shelf.known());
    const left = shelved === "apart" ? copy() : kept;
    const put = shelved === "apart" ? this.shelf.put(left, null) : shelved;
    // What was sent before the page ends is usually written.
    const send = async (): Promise<unknown> => (await this.store(left)) === "apart" && this.store(copy());
    if (put === "failed") send().catch(() => undefined);
  }

  async patch(summary: Summary, patch: Patch): Promise<void> {
    this.saw([summary]);
    // Without the database the next save has it.
    await this.database.patch(summary, patch).catch(() => undefined);
  }

  /** Another tab's version is the work now. */
  forget(id: string): void {
    this.memory.drop(id);
  }

  async pin(id: string, pinned: boolean): Promise<void> {
    this.shelf.pin(id, pinned);
    const inDatabase = this.database.pin(id, pinned);
    // A work that only localStorage has is pinned there.
    if (this.shelf.read(id)?.taken === null) inDatabase.catch(() => undefined);
    else await inDatabase;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.queue.drop(id);
      this.memory.drop(id);
    }
    this.shelf.drop(ids);
    await this.database.remove(ids);
  }

  watchTyping(waits: () => boolean): void {
    this.typing.push(waits);
  }

  unstored(): boolean {
    return this.memory.anyRefused() || (this.full && this.typing.some((waits) => waits()));
  }

  onLost(listener: () => void): void {
    this.lost.push(listener);
  }
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
