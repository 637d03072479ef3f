import * as fake from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { type Database, openDatabase } from "./database.ts";
import { firstVersion, type Kept, nextVersion, type Summary } from "./record.ts";
import { openShelf } from "./shelf.ts";
import oldStore from "./testing/old-store.json" with { type: "json" };
import { openWorks, type Trouble, type Works } from "./works.ts";

/** As in a browser, stored items are its own properties. */
class FakeStorage {
  private room(): number {
    return FakeStorage.limit - Object.values(this).reduce((n, text) => n + String(text).length, 0);
  }
  static limit = 1_000_000;
  getItem(key: string): string | null {
    return (Reflect.get(this, key) as string | undefined) ?? null;
  }
  setItem(key: string, text: string): void {
    if (text.length > this.room()) throw new DOMException("full", "QuotaExceededError");
    Reflect.set(this, key, text);
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key);
  }
}

let order = 0;

/** A record of the page `by`, saved for the `n`-th time, based on the previous one. */
function kept(id: string, source: string, part: Partial<Summary> & { readonly n?: number; readonly by?: string } = {}): Kept {
  const { n = 1, by = "page", ...rest } = part;
  const version = n === 1 ? firstVersion(by, 1) : nextVersion(firstVersion("page", n - 1), by, n);
  const about = { title: id, lines: [source.slice(0, 20)], changed: 1, order: ++order, version, own: true, pinned: false } as const;
  return { summary: { id, kind: "program", ...about, ...rest }, data: { source, title: id } };
}

/** Stores that contain what they are given, under the names that all builds of the page use. */
async function put(rows: Readonly<Record<string, unknown>>): Promise<void> {
  const request = indexedDB.open("keyval-store");
  await new Promise<void>((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore("keyval");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction("keyval", "readwrite");
      for (const [key, value] of Object.entries(rows)) transaction.objectStore("keyval").put(value, key);
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
}

const putLegacy = (data: unknown) => put({ "oriscope.work": data });

const textIn = (work: Kept | null): unknown => (work?.data as { readonly source?: unknown } | undefined)?.source;

const sources = async (works: Works): Promise<readonly unknown[]> =>
  Promise.all((await works.list()).map(async ({ id }) => textIn(await works.read(id))));

/** What is on the shelf and not in the database. */
const journal = async () => openShelf().list(await openDatabase().birth());
const journalIs = (texts: readonly string[]) =>
  eventually(async () => expect((await journal()).map(({ id }) => textIn(openShelf().read(id)))).toEqual(texts));

beforeEach(() => {
  FakeStorage.limit = 1_000_000;
  for (const [name, value] of Object.entries(fake)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  vi.stubGlobal("indexedDB", new fake.IDBFactory());
  vi.stubGlobal("localStorage", new FakeStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("kept works", () => {
  it("come back to the tab that had them, and the one changed last to a tab that had none", async () => {
    const works = openWorks();
    await works.save(kept("a", "A"));
    await works.save(kept("b", "B"));
    const later = openWorks();
    expect((await later.find("a").soon)?.data).toMatchObject({ source: "A" });
    expect((await later.find(null).soon)?.data).toMatchObject({ source: "B" });
    expect((await later.find("gone").soon)?.data).toMatchObject({ source: "B" });
    expect(await later.find("a").late).toBeNull();
    expect((await later.list()).map((s) => s.id)).toEqual(["b", "a"]);
    // Nothing is only on the shelf once the database has everything.
    await journalIs([]);
  });

  it("refuse a save that follows an older version", async () => {
    const [here, there] = [openWorks(), openWorks()];
    expect(await here.save(kept("a", "first"))).toBe("saved");
    expect(await there.save(kept("a", "theirs", { n: 2 }))).toBe("saved");
    expect(await here.save(kept("a", "mine", { n: 2, by: "other" }))).toBe("apart");
    expect(await sources(here)).toEqual(["theirs"]);
    expect(await there.save(kept("a", "theirs still", { n: 3 }))).toBe("saved");
  });

  it("take the same save twice, as when another tab carried it to the database", async () => {
    const works = openWorks();
    const work = kept("a", "A", { n: 4 });
    expect(await works.save(work)).toBe("saved");
    expect(await works.save(work)).toBe("saved");
  });

  it("that a page left in localStorage are moved to the database by the next one", async () => {
    const works = openWorks();
    await works.save(kept("a", "old"));
    works.saveNow(kept("a", "last words", { n: 2 }));
    const next = openWorks();
    expect((await next.find("a").soon)?.data).toMatchObject({ source: "last words" });
    await journalIs([]);
    expect((await openDatabase().read("a"))?.data).toMatchObject({ source: "last words" });
  });

  it("of two tabs on top of the same version are both kept", async () => {
    const works = openWorks();
    await works.save(kept("a", "base"));
    works.saveNow(kept("a", "left by one", { n: 2 }));
    await openDatabase().write(kept("a", "saved by the other", { n: 2, by: "other" }));
    const next = openWorks();
    await next.find("a").soon;
    await eventually(async () => expect([...(await sources(next))].sort()).toEqual(["left by one", "saved by the other"]));
    expect((await next.list()).map((s) => s.title).sort()).toEqual(["a", "a (copy)"]);
  });

  it("of two tabs on top of the same version are both kept where localStorage has no room for a second", async () => {
    const works = openWorks();
    await works.save(kept("a", "base"));
    openShelf().put(kept("a", "saved by the other", { n: 2, by: "other" }), null);
    FakeStorage.limit = 0;
    works.saveNow(kept("a", "left by one", { n: 2 }));
    FakeStorage.limit = 1_000_000;
    const next = openWorks();
    await next.find("a").soon;
    await eventually(async () => expect([...(await sources(next))].sort()).toEqual(["left by one", "saved by the other"]));
  });

  it("stay pinned through saves, and pinned ones are never too many", async () => {
    const works = openWorks();
    await works.save(kept("p", "P"));
    await works.pin("p", true);
    await works.save(kept("p", "P2", { n: 2 }));
    for (let n = 0; n < 25; n++) await works.save(kept(`w${n}`, `W${n}`));
    await works.tidy(new Set(["w0"]));
    const ids = (await works.list()).map((s) => s.id);
    expect(ids).toHaveLength(22);
    expect(ids).toEqual(expect.arrayContaining(["p", "w0", "w24", "w5"]));
    expect(ids).not.toContain("w4");
    expect((await works.list()).find((s) => s.id === "p")?.pinned).toBe(true);
  });
});

describe("what earlier versions of the page kept", () => {
  const source = ".kernel old()\nA:\n    EXIT\n";

  it("is a work like any other, once", async () => {
    await putLegacy({ source, title: "mine", level: 99 });
    const found = await openWorks().find(null).soon;
    expect(found).toMatchObject({
      summary: { title: "mine", own: true, lines: [".kernel old()", "A:", "    EXIT"] },
      data: { source, level: 99 },
    });
    const again = openWorks();
    await again.find(null).soon;
    expect(await again.list()).toHaveLength(1);
  });

  it("is the later of the two states, where a page left one behind", async () => {
    await putLegacy({ source, title: "mine", step: 1 });
    localStorage.setItem("oriscope.left", JSON.stringify({ source, title: "mine", step: 2 }));
    const works = openWorks();
    expect((await works.find(null).soon)?.data).toMatchObject({ step: 2 });
    await journalIs([]);
    expect(await works.list()).toHaveLength(1);
  });

  it("is both, where they are two texts", async () => {
    await putLegacy({ source, title: "saved" });
    localStorage.setItem("oriscope.left", JSON.stringify({ source: `${source}// more`, title: "left" }));
    const works = openWorks();
    await works.find(null).soon;
    await journalIs([]);
    expect((await works.list()).map((s) => s.title).sort()).toEqual(["left", "saved"]);
  });

  it("is moved to the database where localStorage has no room for its record", async () => {
    localStorage.setItem("oriscope.left", JSON.stringify({ source, title: "left" }));
    FakeStorage.limit = 0;
    const failing = { ...openDatabase(), write: () => Promise.reject(new Error("full")) };
    await openWorks({ database: failing }).find(null).soon;
    expect(localStorage.getItem("oriscope.left")).not.toBeNull();
    const works = openWorks();
    expect((await works.find(null).soon)?.data).toMatchObject({ source });
    expect(localStorage.getItem("oriscope.left")).toBeNull();
  });

  it("is left where it is when there is no text in it", async () => {
    await putLegacy({ title: "nothing" });
    localStorage.setItem("oriscope.left", "{ damaged");
    const works = openWorks();
    expect(await works.find(null).soon).toBeNull();
  });
});

describe("what the build before this one kept", () => {
  it("is taken over: works, pins, passes and futures, what a page left behind, and the copies", async () => {
    await put(oldStore.database);
    for (const [key, value] of Object.entries(oldStore.localStorage)) localStorage.setItem(key, value);
    const works = openWorks();
    const found = await works.find(null).soon;
    expect(textIn(found)).toContain("fourth_later");
    await journalIs([]);
    expect((await works.list()).map(({ title, own, pinned }) => [title, own, pinned])).toEqual([
      ["fourth.ori", true, false],
      ["third.ori", true, false],
      ["Diamond", false, false],
      ["first.ori", true, true],
    ]);
    expect((await works.read("w3"))?.data).toMatchObject({
      pass: { title: "mine", source: "export default pass; // my pass", at: { side: "after", run: "15" } },
      futures: [{ name: "my future" }],
    });
    expect(Object.keys(localStorage).filter((key) => key.startsWith("oriscope.mirror"))).toEqual([]);
    // A save based on it follows it.
    const { summary, data } = (await works.read("w3")) ?? kept("", "");
    expect(
      await works.save({ summary: { ...summary, version: nextVersion(summary.version, "page", 1), order: works.nextOrder() }, data }),
    ).toBe("saved");
    expect((await works.list())[0]?.id).toBe("w3");
  });

  it("is in its copies where the database was lost before this build came", async () => {
    for (const [key, value] of Object.entries(oldStore.localStorage)) localStorage.setItem(key, value);
    const works = openWorks();
    expect(textIn(await works.find(null).soon)).toContain("fourth_later");
    await eventually(async () => expect(await openDatabase().list()).toHaveLength(4));
  });
});

describe("a database that is gone", () => {
  it("and comes back empty is filled from the copies; what was removed from it stays removed", async () => {
    const works = openWorks();
    await works.save(kept("a", "A"));
    await works.save(kept("b", "B"));
    await journalIs([]);
    // The browser wrote the removal of one to its database only before it was ended.
    await openDatabase().remove(["b"]);
    const next = openWorks();
    expect((await next.list()).map((s) => s.id)).toEqual(["a"]);
    expect(textIn(await next.find("b").soon)).toBe("A");
    await eventually(() =>
      expect(
        openShelf()
          .list()
          .map((s) => s.id),
      ).toEqual(["a"]),
    );
    vi.stubGlobal("indexedDB", new fake.IDBFactory());
    const later = openWorks();
    expect(textIn(await later.find(null).soon)).toBe("A");
    await eventually(async () => expect(await openDatabase().list()).toHaveLength(1));
  });

  it("because someone deletes it is let go of at once, and the works of this page are in the next one", async () => {
    const works = openWorks();
    await works.save(kept("a", "A"));
    await journalIs([]);
    const request = indexedDB.deleteDatabase("keyval-store");
    await new Promise((done, fail) => {
      request.onsuccess = done;
      request.onerror = fail;
    });
    await eventually(async () => expect(textIn(await openDatabase().read("a"))).toBe("A"));
    expect(await works.save(kept("a", "A2", { n: 2 }))).toBe("saved");
    expect(textIn(await openDatabase().read("a"))).toBe("A2");
  });
});

describe("a browser that was ended", () => {
  it("and had written localStorage earlier than its database shows what the database has, and no second work", async () => {
    const works = openWorks();
    await works.save(kept("a", "one line"));
    const stale = { ...localStorage };
    for (let n = 2; n < 9; n++) await works.save(kept("a", `one line, and ${n}`, { n }));
    for (const key of Object.keys(localStorage)) localStorage.removeItem(key);
    for (const [key, value] of Object.entries(stale)) localStorage.setItem(key, String(value));
    const next = openWorks();
    expect(textIn(await next.find(null).soon)).toBe("one line, and 8");
    await journalIs([]);
    expect(await sources(next)).toEqual(["one line, and 8"]);
  });

  it("and whose database is slow at first shows the older copy, and says that there is a later one", async () => {
    const works = openWorks();
    await works.save(kept("a", "one line"));
    const stale = { ...localStorage };
    await works.save(kept("a", "two lines", { n: 2 }));
    for (const [key, value] of Object.entries(stale)) localStorage.setItem(key, String(value));
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const real = openDatabase();
    const slow = { ...real, migrate: () => gate };
    const { soon, late } = openWorks({ database: slow, readMs: 20 }).find("a");
    expect(textIn(await soon)).toBe("one line");
    open();
    expect(textIn(await late)).toBe("two lines");
  });
});

describe("a database that fails", () => {
  const never = <T>() => new Promise<T>(() => undefined);
  const fails = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  const times = { readMs: 20, writeMs: 20, patienceMs: 25 };
  const broken = (part: Partial<Database>): Database => ({ ...openDatabase(), ...part });

  const cases: readonly (readonly [string, Partial<Database>])[] = [
    ["rejects", { list: fails, read: fails, write: fails, migrate: fails, remove: fails, pin: fails, birth: fails }],
    ["never answers", { list: never, read: never, write: never, migrate: never, remove: never, pin: never, birth: never }],
    ["is full", { write: fails }],
  ];
  it.each(cases)("and %s: the work is in localStorage, said once", async (_, part) => {
    const told: Trouble[] = [];
    const works = openWorks({ ...times, database: broken(part) });
    works.onTrouble((trouble) => told.push(trouble));
    expect(await works.save(kept("a", "A"))).toBe("saved");
    expect(await works.save(kept("a", "A2", { n: 2 }))).toBe("saved");
    await eventually(() => expect(told).toEqual(["local"]));
    const next = openWorks({ ...times, database: broken(part) });
    expect((await next.find("a").soon)?.data).toMatchObject({ source: "A2" });
    expect(await sources(next)).toEqual(["A2"]);
    await works.pin("a", true);
    expect((await next.list())[0]?.pinned).toBe(true);
  });

  it("and refuses a pin: that is reported, because the pin is lost with this page", async () => {
    const works = openWorks({ ...times, database: broken({ pin: fails }) });
    await works.save(kept("a", "A"));
    await eventually(() => expect(openShelf().read("a")?.taken).not.toBeNull());
    await expect(works.pin("a", true)).rejects.toThrow("full");
  });

  it("and is only slow: the work is in localStorage meanwhile, and nothing is said", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const real = openDatabase();
    const told: Trouble[] = [];
    const slow = broken({ write: async (work) => gate.then(() => real.write(work)) });
    const works = openWorks({ ...times, patienceMs: 60_000, database: slow });
    works.onTrouble((trouble) => told.push(trouble));
    expect(await works.save(kept("a", "A"))).toBe("saved");
    expect(openShelf().list()).toHaveLength(1);
    open();
    await journalIs([]);
    expect(told).toEqual([]);
    expect(await real.list()).toHaveLength(1);
  });

  it("and never answers in a later session: the copies in localStorage are shown, and it is said what is not there", async () => {
    const works = openWorks();
    await works.save(kept("old", "O"));
    await works.save(kept("long", "x".repeat(1_100_000)));
    await works.save(kept("new", "N"));
    await journalIs([]);
    const told: Trouble[] = [];
    const next = openWorks({
      ...times,
      database: broken({ list: never, read: never, write: never, migrate: never, birth: never }),
    });
    next.onTrouble((trouble) => told.push(trouble));
    expect((await next.find("old").soon)?.data).toMatchObject({ source: "O" });
    expect((await next.find("long").soon)?.data).toMatchObject({ source: "N" });
    expect((await next.list()).map((s) => [s.id, s.absent === true])).toEqual([
      ["new", false],
      ["long", true],
      ["old", false],
    ]);
    expect(next.absent().map((s) => s.title)).toEqual(["long"]);
    await eventually(() => expect(told).toEqual(["silent"]));
    // One notice says both.
    await next.save(kept("new", "N2", { n: 2 }));
    expect(told).toEqual(["silent"]);
    expect((await next.read("new"))?.data).toMatchObject({ source: "N2" });
  });

  it("gives the copies up, oldest first, for what the database has not taken", async () => {
    FakeStorage.limit = 6_000;
    const works = openWorks();
    await works.list();
    for (let n = 0; n < 6; n++) await works.save(kept(`w${n}`, "y".repeat(800)));
    const copied = Object.keys(localStorage).filter((key) => key.startsWith("oriscope.kept/"));
    expect(copied.length).toBeGreaterThan(1);
    expect(copied).toContain("oriscope.kept/w5");
    expect(copied).not.toContain("oriscope.kept/w0");
    works.saveNow(kept("typed", "z".repeat(3_500)));
    expect((await journal()).map((s) => s.id)).toEqual(["typed"]);
  });

  it("gives no copy up when the database that had it was deleted", async () => {
    FakeStorage.limit = 6_000;
    const before = openWorks();
    for (let n = 0; n < 3; n++) await before.save(kept(`w${n}`, "y".repeat(800)));
    const works = openWorks({ ...times, database: broken({ list: fails, read: fails, write: fails, birth: fails }) });
    expect(await works.save(kept("typed", "z".repeat(5_500)))).toBe("nowhere");
    expect(
      openShelf()
        .list()
        .map((s) => s.id)
        .sort(),
    ).toEqual(["w0", "w1", "w2"]);
  });

  it("fills the copies with what was kept before there were any, and forgets those of works that are removed", async () => {
    await openDatabase().write(kept("a", "A"));
    const works = openWorks();
    await works.find(null).soon;
    await eventually(() => expect(openShelf().list()).toHaveLength(1));
    const silent = () => openWorks({ ...times, database: broken({ list: never, read: never, migrate: never, birth: never }) });
    expect(await sources(silent())).toEqual(["A"]);
    await works.remove("a");
    expect(await works.list()).toEqual([]);
    expect(await silent().list()).toEqual([]);
  });

  it("takes long texts to localStorage only then", async () => {
    const long = "x".repeat(300_000);
    const works = openWorks(times);
    const saving = works.save(kept("a", long));
    expect(openShelf().list()).toEqual([]);
    await saving;
    const failing = openWorks({ ...times, database: broken({ write: fails }) });
    await failing.save(kept("a", long, { n: 2 }));
    expect(openShelf().list()).toHaveLength(1);
  });

  it("and localStorage too: that is said, once", async () => {
    FakeStorage.limit = 10;
    const told: Trouble[] = [];
    const works = openWorks({ ...times, database: broken({ write: fails }) });
    works.onTrouble((trouble) => told.push(trouble));
    await works.save(kept("a", "A"));
    await works.save(kept("a", "A2", { n: 2 }));
    expect(told).toEqual(["nowhere"]);
    // The page has it as long as it exists.
    expect(works.unstored()).toBe(true);
    expect(await sources(works)).toEqual(["A2"]);
    FakeStorage.limit = 10_000;
    expect(await works.save(kept("a", "A3", { n: 3 }))).toBe("saved");
    expect(works.unstored()).toBe(false);
  });

  it("and localStorage is full: what another tab has changed too is no longer this work's to store", async () => {
    await openDatabase().write(kept("a", "theirs", { n: 2, by: "other" }));
    FakeStorage.limit = 10;
    const works = openWorks();
    expect(await works.save(kept("a", "A", { n: 2 }))).toBe("apart");
    expect(works.unstored()).toBe(false);
  });

  it("and answers late: it says what it had, and gets the latest of each work", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const real = openDatabase();
    await real.write(kept("before", "B"));
    const late: Database = {
      ...real,
      list: () => gate.then(() => real.list()),
      migrate: (make) => gate.then(() => real.migrate(make)),
      write: (work) => gate.then(() => real.write(work)),
    };
    const works = openWorks({ ...times, database: late });
    const search = works.find(null);
    expect(await search.soon).toBeNull();
    for (let version = 1; version <= 5; version++) await works.save(kept("a", `A${version}`, { n: version }));
    open();
    expect((await search.late)?.data).toMatchObject({ source: "B" });
    await journalIs([]);
    expect(textIn(await real.read("a"))).toBe("A5");
  });
});
