/** Works in IndexedDB: a summary and the data of each, written together. Rejects when the database does; never answers when it does not. */

import { createStore } from "idb-keyval";
import { isNewer, type Kept, readSummary, type Saved, type Summary } from "./records.ts";

const SUMMARY = "oriscope.kept/summary/";
const DATA = "oriscope.kept/data/";
/** The one work that earlier versions of the page kept. */
const LEGACY_KEY = "oriscope.work";

export interface Database {
  list(): Promise<readonly Summary[]>;
  read(id: string): Promise<Kept | null>;
  /** Refuses to replace a version later than `base`. What is pinned stays so. */
  write(kept: Kept, base: number): Promise<Saved>;
  remove(ids: readonly string[]): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  /** Turns the work of an earlier version of the page, if there is one, into a record of this one; `drop`: it is kept elsewhere already. */
  migrate(make: (data: unknown) => Kept | "drop" | null): Promise<void>;
}

export function openDatabase(): Database {
  // The database that earlier versions of the page used, too.
  const open = createStore("keyval-store", "keyval");
  /** Runs requests in one transaction; resolves with what they left in the box once all of it is written. */
  const run = async <T>(mode: IDBTransactionMode, start: T, work: (store: IDBObjectStore, box: { value: T }) => void): Promise<T> =>
    open(
      mode,
      (store) =>
        new Promise<T>((resolve, reject) => {
          const { transaction } = store;
          const box = { value: start };
          transaction.oncomplete = () => resolve(box.value);
          transaction.onabort = () => reject(transaction.error ?? new Error("the browser's database failed"));
          transaction.onerror = transaction.onabort;
          work(store, box);
        }),
    );

  return {
    list: () =>
      run<readonly Summary[]>("readonly", [], (store, box) => {
        const all = store.getAll(IDBKeyRange.bound(SUMMARY, `${SUMMARY}\uffff`));
        all.onsuccess = () => {
          box.value = (all.result as readonly unknown[]).flatMap((value) => readSummary(value) ?? []);
        };
      }),
    read: (id) =>
      run<Kept | null>("readonly", null, (store, box) => {
        const about = store.get(SUMMARY + id);
        const data = store.get(DATA + id);
        data.onsuccess = () => {
          const summary = readSummary(about.result);
          if (summary !== null && data.result !== undefined) box.value = { summary, data: data.result };
        };
      }),
    write: (kept, base) =>
      run<Saved>("readwrite", "saved", (store, box) => {
        const { id } = kept.summary;
        const before = store.get(SUMMARY + id);
        before.onsuccess = () => {
          const stored = readSummary(before.result);
          if (isNewer(stored, kept.summary, base)) {
            box.value = "newer";
            return;
          }
          store.put({ ...kept.summary, pinned: stored?.pinned ?? kept.summary.pinned }, SUMMARY + id);
          store.put(kept.data, DATA + id);
        };
      }),
    remove: (ids) =>
      run<void>("readwrite", undefined, (store) => {
        for (const id of ids) {
          store.delete(SUMMARY + id);
          store.delete(DATA + id);
        }
      }),
    pin: (id, pinned) =>
      run<void>("readwrite", undefined, (store) => {
        const before = store.get(SUMMARY + id);
        before.onsuccess = () => {
          const stored = readSummary(before.result);
          if (stored !== null) store.put({ ...stored, pinned }, SUMMARY + id);
        };
      }),
    async migrate(make) {
      // Nearly always there is nothing: no need to keep other tabs from writing meanwhile.
      const some = await run("readonly", false, (store, box) => {
        const count = store.count(LEGACY_KEY);
        count.onsuccess = () => {
          box.value = count.result > 0;
        };
      });
      if (!some) return;
      await run<void>("readwrite", undefined, (store) => {
        const old = store.get(LEGACY_KEY);
        old.onsuccess = () => {
          const kept = make(old.result);
          if (kept === null) return;
          if (kept !== "drop") {
            store.put(kept.summary, SUMMARY + kept.summary.id);
            store.put(kept.data, DATA + kept.summary.id);
          }
          store.delete(LEGACY_KEY);
        };
      });
    },
  };
}
