/** A browser for tests of kept work, in one process: storages that can fail, a clock that can be wrong, tabs that can be closed, reloaded or killed. */

import * as fake from "fake-indexeddb";
import { vi } from "vitest";
import { type DraftKeeper, keepDraft } from "../../labs/writer/draft.ts";
import { localPort } from "../../session/engine-port.ts";
import { createSession, type Session } from "../../session/session.ts";
import { createFakeEngine } from "../../testing/fake-engine.ts";
import { type Database, openDatabase } from "../database.ts";
import { type Keeper, keepWork } from "../keeper.ts";
import type { Tab } from "../tab.ts";
import { openWorks, type Works } from "../works.ts";

// For good: a page that has ended may still be in the middle of a question.
for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) Reflect.set(globalThis, name, value);

type Mode = "ok" | "full" | "missing";

/** As a browser's: what is stored are its own properties. */
class TestStorage {
  static mode: Mode = "ok";
  getItem(key: string): string | null {
    if (TestStorage.mode === "missing") throw new DOMException("not here", "SecurityError");
    return (Reflect.get(this, key) as string | undefined) ?? null;
  }
  setItem(key: string, text: string): void {
    if (TestStorage.mode !== "ok") throw new DOMException("full", "QuotaExceededError");
    Reflect.set(this, key, text);
  }
  removeItem(key: string): void {
    if (TestStorage.mode === "missing") throw new DOMException("not here", "SecurityError");
    Reflect.deleteProperty(this, key);
  }
}

/** What survives a reload of a tab. */
export interface TabMemory {
  program: string | null;
  lab: string | null;
}

export interface OpenTab {
  readonly session: Session;
  readonly works: Works;
  readonly keeper: Keeper;
  readonly drafts: DraftKeeper;
  readonly memory: TabMemory;
  /** The texts that undo brings back, the latest last. */
  readonly undo: string[];
  /** The events of a page that is left. */
  readonly leave: () => void;
  asks: boolean;
  readonly end: () => void;
}

export class TestBrowser {
  database: Mode = "ok";
  readonly tabs: OpenTab[] = [];
  private storage = new TestStorage();
  /** What the browser has written of localStorage so far: it is later than the database. */
  private readonly written: Readonly<Record<string, string>>[] = [];
  private readonly locks = new Map<string, object>();
  private busy = 0;
  private clock = 1_700_000_000_000;

  constructor() {
    TestStorage.mode = "ok";
    vi.stubGlobal("indexedDB", new fake.IDBFactory());
    vi.stubGlobal("localStorage", this.storage);
    vi.stubGlobal("window", {
      location: { hash: "", pathname: "/", search: "" },
      history: { state: null, replaceState: () => undefined },
    });
    vi.spyOn(Date, "now").mockImplementation(() => ++this.clock);
  }

  dispose(): void {
    for (const tab of this.tabs) tab.end();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }

  setLocal(mode: Mode): void {
    TestStorage.mode = mode;
  }
  get local(): Mode {
    return TestStorage.mode;
  }
  moveClock(by: number): void {
    this.clock += by;
  }

  /** Opens a page, which goes on with the work of this tab, or with the latest. */
  async open(memory: TabMemory = { program: null, lab: null }): Promise<OpenTab> {
    const works = openWorks({ database: this.watched(openDatabase()), readMs: 5_000, writeMs: 5_000 });
    const session = createSession(localPort(createFakeEngine));
    const owner = {};
    let leave: () => void = () => undefined;
    let asks = false;
    const page = {
      listen(events: { readonly hidden: () => void; readonly leave: () => void }) {
        const before = leave;
        leave = () => {
          before();
          events.leave();
        };
        return () => undefined;
      },
      askBeforeLeaving: (ask: boolean) => {
        asks = ask;
      },
    };
    const search = works.find(memory.program);
    const keeper = keepWork(session, works, this.tab(owner, memory, "program"), page, Promise.resolve([]));
    const drafts = keepDraft(session, works, this.tab(owner, memory, "lab"), page);
    const undo: string[] = [];
    let doing = "";
    session.store.subscribe(({ document }) => {
      if (document.text === doing) return;
      undo.push(doing);
      doing = document.text;
    });
    const end = (): void => {
      keeper.stop();
      drafts.stop();
      session.dispose();
      for (const [id, holder] of this.locks) if (holder === owner) this.locks.delete(id);
    };
    const tab: OpenTab = {
      session,
      works,
      keeper,
      drafts,
      memory,
      undo,
      leave: () => leave(),
      get asks() {
        return asks;
      },
      set asks(ask) {
        asks = ask;
      },
      end,
    };
    const found = await search.soon;
    if (found.kept === null || !(await keeper.reopen(found.kept)))
      session.actions.document.openText({ text: ".kernel first(n: R0)\nA:\n    MOV R1, 0\n    EXIT\n", title: "first", origin: "example" });
    undo.length = 0;
    session.actions.lab.set({ draft: "wanted" });
    this.tabs.push(tab);
    await this.settle();
    return tab;
  }

  close(tab: OpenTab): void {
    tab.leave();
    tab.end();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  /** Every tab is gone without a word; localStorage is as it was written last. */
  kill(pick: number): void {
    for (const tab of this.tabs) tab.end();
    this.tabs.length = 0;
    const state = this.written[pick % Math.max(1, this.written.length)];
    // Where the database takes nothing, localStorage is all there is, and has been for a while.
    if (state === undefined || this.database !== "ok" || TestStorage.mode !== "ok") return;
    for (const key of Object.keys(this.storage)) this.storage.removeItem(key);
    for (const [key, text] of Object.entries(state)) this.storage.setItem(key, text);
  }

  /** The database answers again. It was away for longer than the browser takes to write localStorage. */
  bringDatabaseBack(): void {
    this.database = "ok";
    this.written.length = 0;
  }

  deleteDatabase(): void {
    indexedDB.deleteDatabase("keyval-store");
  }

  /** What is in the storages that do not answer today. */
  async outOfReach(): Promise<readonly unknown[]> {
    const local = TestStorage.mode === "missing" ? [{ ...this.storage }] : [];
    if (this.database !== "missing") return local;
    const database = openDatabase();
    return [...local, ...(await Promise.all((await database.list()).map(({ id }) => database.read(id))))];
  }

  /** Everything typed is saved, as after a pause, and all that was asked of the storages is done. */
  async settle(flush = true): Promise<void> {
    if (flush)
      for (const { keeper, drafts } of this.tabs) {
        keeper.flush();
        drafts.flush();
      }
    for (let quiet = 0; quiet < 4; quiet = this.busy === 0 ? quiet + 1 : 0) await new Promise((done) => setTimeout(done, 0));
    this.written.push({ ...this.storage } as unknown as Readonly<Record<string, string>>);
    if (this.written.length > 6) this.written.shift();
  }

  private tab(owner: object, memory: TabMemory, key: keyof TabMemory): Tab {
    let held: string | null = null;
    const take = (id: string): boolean => {
      if (held !== null && this.locks.get(held) === owner && held !== id) this.locks.delete(held);
      memory[key] = id;
      held = id;
      if ((this.locks.get(id) ?? owner) !== owner) return false;
      this.locks.set(id, owner);
      return true;
    };
    return {
      work: () => memory[key],
      take: async (id) => take(id),
      begin: (id) => void take(id),
      everywhere: async () => new Set(this.locks.keys()),
      sayCopied: () => undefined,
      onCopied: () => () => undefined,
    };
  }

  /** The database, as it is today. */
  private watched(real: Database): Database {
    const ask = async <T>(writes: boolean, work: () => Promise<T>): Promise<T> => {
      this.busy++;
      try {
        if (this.database === "missing" || (writes && this.database === "full")) throw new DOMException("not today", "QuotaExceededError");
        return await work();
      } finally {
        this.busy--;
      }
    };
    return {
      list: () => ask(false, real.list),
      read: (id) => ask(false, () => real.read(id)),
      birth: () => ask(false, real.birth),
      write: (kept) => ask(true, () => real.write(kept)),
      patch: (summary, patch) => ask(true, () => real.patch(summary, patch)),
      remove: (ids) => ask(true, () => real.remove(ids)),
      pin: (id, pinned) => ask(true, () => real.pin(id, pinned)),
      migrate: (make) => ask(true, () => real.migrate(make)),
      onGone: real.onGone,
    };
  }
}
