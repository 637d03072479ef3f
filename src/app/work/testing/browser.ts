/** A browser for tests of saved work, in one process: storages that can fail, a clock that can be wrong, tabs that can be closed, reloaded or killed. */

import * as fake from "fake-indexeddb";
import { vi } from "vitest";
import type { LinkData } from "../../../links/link-data.ts";
import { COMPARE } from "../../compare/feature.ts";
import { localPort } from "../../session/engine-port.ts";
import type { Feature } from "../../session/feature.ts";
import { createSession, type Session } from "../../session/session.ts";
import type { SessionState } from "../../session/state.ts";
import { createFakeEngine } from "../../testing/fake-engine.ts";
import { type Database, openDatabase } from "../database.ts";
import { type Keeper, ProgramKeeper } from "../keeper.ts";
import type { PageEvents } from "../page-events.ts";
import { recentOf } from "../record.ts";
import type { Tab } from "../tab.ts";
import { openWorks, type Works } from "../works.ts";

// Permanently: a page that has ended may still have an open question.
for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) Reflect.set(globalThis, name, value);

type LocalMode = "ok" | "full" | "missing";
/** `silent`: it answers nothing at all. */
type DatabaseMode = LocalMode | "silent";

/** A pause at a keyboard, longer than any wait of the page for one, or for a storage that does not answer. */
const PAUSE_SECONDS = 20;

/** As in a browser, stored items are its own properties. */
class TestStorage {
  static mode: LocalMode = "ok";
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

/** Of Node, where the tests run; the types of a page do not have it. */
declare const setImmediate: (done: () => void) => unknown;

/** What survives a reload of a tab: the work that it has, and that of its other keeper. */
export interface TabMemory {
  program: string | null;
  other: string | null;
}

/** What the page has besides the core. */
export interface PageParts {
  readonly features: readonly Feature[];
  /** Keeps records of another kind than programs. */
  readonly keep?: (session: Session, works: Works, tab: Tab, page: PageEvents) => Keeper;
  /** After its program is open. */
  readonly opened?: (session: Session) => void;
}

export interface OpenTab {
  readonly session: Session;
  readonly works: Works;
  readonly keeper: Keeper;
  readonly other: Keeper | undefined;
  readonly memory: TabMemory;
  /** The texts that undo brings back, the latest last. */
  readonly undo: string[];
  /** The events of a page that is left. */
  readonly leave: () => void;
  asks: boolean;
  readonly end: () => void;
}

export class TestBrowser {
  readonly tabs: OpenTab[] = [];
  private storage = new TestStorage();
  /** What the browser has written of localStorage so far: it is later than the database. */
  private readonly written: Readonly<Record<string, string>>[] = [];
  private readonly locks = new Map<string, object>();
  private busy = 0;
  private mode: DatabaseMode = "ok";
  /** Questions that a silent database has not answered. */
  private waiting: (() => void)[] = [];
  private clock = 1_700_000_000_000;
  private readonly parts: PageParts;

  constructor(parts: PageParts = { features: [] }) {
    this.parts = parts;
    TestStorage.mode = "ok";
    // Time passes in `settle` only.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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
    vi.useRealTimers();
  }

  get database(): DatabaseMode {
    return this.mode;
  }
  set database(mode) {
    this.mode = mode;
    if (mode === "silent") return;
    for (const answer of this.waiting.splice(0)) answer();
  }
  setLocal(mode: LocalMode): void {
    TestStorage.mode = mode;
  }
  get local(): LocalMode {
    return TestStorage.mode;
  }
  moveClock(by: number): void {
    this.clock += by;
  }

  /** Opens a page, which continues with the work of this tab, or with the latest. */
  async open(memory: TabMemory = { program: null, other: null }): Promise<OpenTab> {
    let ended = false;
    const database = this.watched(openDatabase());
    const works = openWorks({
      // A page that was left receives nothing any more.
      database: { ...database, onGone: (listener) => database.onGone(() => (ended ? undefined : listener())) },
    });
    const { features, keep, opened } = this.parts;
    const session = createSession(localPort(createFakeEngine), { features: [COMPARE, ...features] });
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
    const keeper = new ProgramKeeper(session, works, this.tab(owner, memory, "program"), page, () => true);
    const other = keep?.(session, works, this.tab(owner, memory, "other"), page);
    const undo: string[] = [];
    let doing = "";
    session.store.subscribe(({ document }) => {
      if (document.text === doing) return;
      undo.push(doing);
      doing = document.text;
    });
    const end = (): void => {
      ended = true;
      keeper.stop();
      other?.stop();
      session.dispose();
      for (const [id, holder] of this.locks) if (holder === owner) this.locks.delete(id);
    };
    const tab: OpenTab = {
      session,
      works,
      keeper,
      other,
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
    const found = await this.answer(search.soon);
    if (found === null || !(await keeper.reopen(found)))
      session.actions.document.openText({ text: ".kernel first(n: R0)\nA:\n    MOV R1, 0\n    EXIT\n", title: "first", origin: "example" });
    undo.length = 0;
    opened?.(session);
    this.tabs.push(tab);
    await this.settle();
    return tab;
  }

  close(tab: OpenTab): void {
    tab.leave();
    tab.end();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  /** All tabs are killed; localStorage is as last written. */
  kill(pick: number): void {
    for (const tab of this.tabs) tab.end();
    this.tabs.length = 0;
    this.waiting.length = 0;
    const state = this.written[pick % Math.max(1, this.written.length)];
    // If the database accepts nothing, localStorage is the only storage, and has been for a while.
    if (state === undefined || this.database !== "ok") return;
    for (const key of Object.keys(this.storage)) Reflect.deleteProperty(this.storage, key);
    Object.assign(this.storage, state);
  }

  /** One tab is killed, the browser is not. */
  crash(tab: OpenTab): void {
    tab.end();
    this.tabs.splice(this.tabs.indexOf(tab), 1);
  }

  /** The database answers again. It was away for longer than the browser takes to write localStorage. */
  bringDatabaseBack(): void {
    if (this.database !== "ok") this.written.length = 0;
    this.database = "ok";
  }

  deleteDatabase(): void {
    indexedDB.deleteDatabase("keyval-store");
  }

  /** The works that localStorage has, whether it answers or not. */
  copies(): readonly unknown[] {
    return Object.entries(this.storage).flatMap(([key, text]) => (key.startsWith("oriscope.kept/") ? [text] : []));
  }
  /** What is in the storages that currently do not answer. */
  async outOfReach(): Promise<readonly unknown[]> {
    const local = TestStorage.mode === "missing" ? [this.copies()] : [];
    if (this.database !== "missing" && this.database !== "silent") return local;
    const database = openDatabase();
    return [...local, ...(await Promise.all((await database.list()).map(({ id }) => database.read(id))))];
  }

  /** A pause: everything that waits for one is done, and all requests to the storages are answered. */
  async settle(): Promise<void> {
    for (let second = 0; second < PAUSE_SECONDS; second++) {
      await this.second();
      if (vi.getTimerCount() === 0) break;
    }
    this.written.push({ ...this.storage } as unknown as Readonly<Record<string, string>>);
    if (this.written.length > 6) this.written.shift();
  }
  /** All requests to the storages are answered, but there was no pause. */
  async breath(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet = this.busy === 0 ? quiet + 1 : 0) await new Promise<void>((done) => setImmediate(done));
  }
  /** The result of a promise; time advances until it settles. */
  async answer<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    promise.then(done, done);
    await this.breath();
    while (!settled) await this.second();
    return promise;
  }
  private async second(): Promise<void> {
    await this.breath();
    vi.advanceTimersByTime(1_000);
    await this.breath();
  }

  private tab(owner: object, memory: TabMemory, key: keyof TabMemory): Tab {
    let claimed: string | null = null;
    const claim = async (id: string): Promise<boolean> => {
      if (claimed !== null && this.locks.get(claimed) === owner && claimed !== id) this.locks.delete(claimed);
      memory[key] = id;
      claimed = id;
      if ((this.locks.get(id) ?? owner) !== owner) return false;
      this.locks.set(id, owner);
      return true;
    };
    return {
      work: () => memory[key],
      claim,
      inAnyTab: async () => new Set(this.locks.keys()),
      sayCopied: () => undefined,
      onCopied: () => () => undefined,
    };
  }

  /** The database in its current state. */
  private watched(real: Database): Database {
    const ask = async <T>(writes: boolean, work: () => Promise<T>): Promise<T> => {
      if (this.database === "silent") await new Promise<void>((answer) => void this.waiting.push(answer));
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

export const stateOf = (tab: OpenTab): SessionState => tab.session.store.getState();

/** A program of this name. */
export const programText = (name: string): string =>
  `.kernel ${name}(n: R0)\nA:\n    MOV R1, 0\nB:\n    IADD R1, R1, 1\n@P0 BRA C\n    BRA B\nC:\n    EXIT\n`;

/** The works under Recent: a program's name, its pass and its futures. */
export async function recentIn(browser: TestBrowser, { works }: OpenTab): Promise<readonly string[]> {
  await browser.settle();
  const all = await Promise.all(recentOf(await works.list()).map(async ({ id }) => (await works.read(id))?.data as LinkData));
  return all.map(({ source, pass, futures }) =>
    [/kernel (\w+)/.exec(source ?? "")?.[1] ?? "", pass?.source, ...futures.map((f) => f.name)].join(" ").trimEnd(),
  );
}

/** Opens the saved program of this name. */
export async function reopenIn({ works, keeper }: OpenTab, name: string): Promise<void> {
  for (const { id } of await works.list()) {
    const kept = await works.read(id);
    if (kept !== null && (kept.data as LinkData).source?.includes(`kernel ${name}(`) === true) await keeper.reopen(kept);
  }
}
