/** Records in IndexedDB: a summary and the content of each, written together. Rejects when the database does; never answers when it does not. */

import { type IDBPDatabase, type IDBPObjectStore, openDB } from "idb";
import { isPatchOf, type Patch, patched, readPatch } from "./patch.ts";
import { type Kept, newId, readSummary, relation, type Summary } from "./record.ts";

/** The database and the store that all builds of the page have used. */
const NAME = "keyval-store";
const STORE = "keyval";
const SUMMARY = "oriscope.kept/summary/";
const DATA = "oriscope.kept/data/";
/** What was typed since the data was written; the summary's version includes it. */
const PATCH = "oriscope.kept/patch/";
/** Names this database: a deleted one is created again, empty, under another name. */
const BIRTH = "oriscope.kept/birth";
/** The order given last. */
const ORDER = "oriscope.kept/order";
/** The one work that the first builds of the page kept. */
const LEGACY = "oriscope.work";
/** Name of a database that had records before it had a name. */
export const UNNAMED = "unnamed";

/** The result of a save; `apart`: another tab saved a version that this one has not seen, and nothing was written. */
export type Written = "saved" | "apart";

/** `birth`: of the database that was queried, which may be deleted by now. */
export interface Answer {
  readonly written: Written;
  readonly birth: string;
}

/** In a transaction that writes. */
type Store = IDBPObjectStore<unknown, [typeof STORE], typeof STORE, "readwrite">;

export interface Database {
  list(): Promise<readonly Summary[]>;
  read(id: string): Promise<Kept | null>;
  /** Pinned works stay pinned, and a later version in the database stays. */
  write(kept: Kept): Promise<Answer>;
  /** What changed in the texts of a record; nothing is written if the database does not have the version that it changes. */
  patch(summary: Summary, patch: Patch): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  birth(): Promise<string>;
  /** Turns the work of the first builds into a record; `drop`: it is already saved elsewhere. */
  migrate(make: (data: unknown) => Kept | "drop" | null): Promise<void>;
  /** Calls back when the database was deleted under this page, or failed: the next question opens a new one. */
  onGone(listener: () => void): void;
}

/** The connection: opened on first use, and again after it was lost. */
interface Connection {
  reading(): Promise<IDBPObjectStore<unknown, [typeof STORE], typeof STORE, "readonly">>;
  /** One transaction: all of it is written, or nothing. */
  writing<T>(work: (store: Store) => Promise<T>): Promise<T>;
  onGone(listener: () => void): void;
}

function connect(): Connection {
  let opened: Promise<IDBPDatabase> | null = null;
  let gone: () => void = () => undefined;
  const lost = (): void => {
    opened = null;
    gone();
  };
  const open = (): Promise<IDBPDatabase> => {
    opened ??= openDB(NAME, 1, {
      upgrade: (db) => void db.createObjectStore(STORE),
      // It is being deleted, or a later build needs a new version: this page closes it.
      blocking: (_now, _next, event) => {
        (event.target as IDBDatabase).close();
        lost();
      },
      terminated: lost,
    });
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  return {
    reading: async () => (await open()).transaction(STORE, "readonly").store,
    async writing(work) {
      const transaction = (await open()).transaction(STORE, "readwrite");
      const { done } = transaction;
      done.catch(() => undefined);
      try {
        const value = await work(transaction.store);
        await done;
        return value;
      } catch (error) {
        try {
          transaction.abort();
        } catch {
          // It has already ended.
        }
        throw error;
      }
    },
    onGone(listener) {
      gone = listener;
    },
  };
}

const summaries = (): IDBKeyRange => IDBKeyRange.bound(SUMMARY, `${SUMMARY}\uffff`);

async function birthIn(store: Store): Promise<string> {
  const known: unknown = await store.get(BIRTH);
  if (typeof known === "string") return known;
  const name = (await store.count(summaries())) > 0 ? UNNAMED : newId();
  await store.put(name, BIRTH);
  return name;
}

/** A work that was changed is the latest, independently of the clocks. */
async function putSummary(store: Store, summary: Summary, stored: Summary | null): Promise<void> {
  const last: unknown = await store.get(ORDER);
  const moved = stored === null || summary.order > stored.order;
  const order = moved ? Math.max((typeof last === "number" ? last : 0) + 1, summary.order) : stored.order;
  await store.put({ ...summary, order, pinned: stored?.pinned ?? summary.pinned }, SUMMARY + summary.id);
  if (moved) await store.put(order, ORDER);
}

export function openDatabase(): Database {
  const { reading, writing, onGone } = connect();
  return {
    async list() {
      const all: readonly unknown[] = await (await reading()).getAll(summaries());
      return all.flatMap((value) => readSummary(value) ?? []);
    },
    async read(id) {
      const store = await reading();
      const [about, data, typed] = (await Promise.all([
        store.get(SUMMARY + id),
        store.get(DATA + id),
        store.get(PATCH + id),
      ])) as readonly unknown[];
      const summary = readSummary(about);
      const patch = readPatch(typed);
      return summary === null || data === undefined ? null : { summary, data: patch === null ? data : patched(data, patch) };
    },
    write: ({ summary, data }) =>
      writing(async (store) => {
        const { id } = summary;
        const stored = readSummary(await store.get(SUMMARY + id));
        const to = stored === null ? "later" : relation(summary.version, stored.version);
        const birth = await birthIn(store);
        if (to === "apart") return { written: "apart", birth };
        if (to !== "later") return { written: "saved", birth };
        await Promise.all([putSummary(store, summary, stored), store.put(data, DATA + id), store.delete(PATCH + id)]);
        return { written: "saved", birth };
      }),
    patch: (summary, patch) =>
      writing(async (store) => {
        const { id } = summary;
        const stored = readSummary(await store.get(SUMMARY + id));
        if (stored === null || relation(summary.version, stored.version) !== "later") return;
        const before = readPatch(await store.get(PATCH + id));
        if (isPatchOf(patch, before?.on ?? stored.version))
          await Promise.all([putSummary(store, summary, stored), store.put(patch, PATCH + id)]);
      }),
    remove: (ids) =>
      writing(async (store) => {
        await Promise.all(ids.flatMap((id) => [store.delete(SUMMARY + id), store.delete(DATA + id), store.delete(PATCH + id)]));
      }),
    pin: (id, pinned) =>
      writing(async (store) => {
        const stored = readSummary(await store.get(SUMMARY + id));
        if (stored !== null) await store.put({ ...stored, pinned }, SUMMARY + id);
      }),
    async birth() {
      const known: unknown = await (await reading()).get(BIRTH);
      if (typeof known === "string") return known;
      return writing(birthIn);
    },
    async migrate(make) {
      // There is nearly always nothing: no need to block writes of other tabs.
      if ((await (await reading()).count(LEGACY)) === 0) return;
      await writing(async (store) => {
        const kept = make(await store.get(LEGACY));
        if (kept === null) return;
        if (kept !== "drop")
          await Promise.all([store.put(kept.summary, SUMMARY + kept.summary.id), store.put(kept.data, DATA + kept.summary.id)]);
        await store.delete(LEGACY);
      });
    },
    onGone,
  };
}
