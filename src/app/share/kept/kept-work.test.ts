import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { type KeptWork, openKeptWork, type Trouble } from "./kept-work.ts";
import { localShelf } from "./local.ts";
import type { Kept, Summary } from "./records.ts";

/** As a browser's: what is stored are its own properties. */
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

let clock = 1_000;

function kept(id: string, source: string, part: Partial<Summary> = {}): Kept {
  const version = part.version ?? 1;
  const about = {
    title: id,
    lines: [source.slice(0, 20)],
    changed: ++clock,
    version,
    stamp: `${id}${version}${source.slice(0, 20)}`,
    own: true,
    pinned: false,
  };
  return { summary: { id, ...about, ...part }, data: { source, title: id } };
}

/** What the database and localStorage hold, put there as an earlier version of the page did. */
async function putLegacy(data: unknown): Promise<void> {
  const request = indexedDB.open("keyval-store");
  await new Promise<void>((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore("keyval");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const transaction = request.result.transaction("keyval", "readwrite");
      transaction.objectStore("keyval").put(data, "oriscope.work");
      transaction.oncomplete = () => {
        request.result.close();
        resolve();
      };
    };
  });
}

const textIn = (work: Kept | null): unknown => (work?.data as { readonly source?: unknown } | undefined)?.source;

const sources = async (works: KeptWork): Promise<readonly unknown[]> =>
  Promise.all((await works.list()).map(async ({ id }) => textIn(await works.read(id))));

/** Long enough for the database to have done what was asked of it. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 30));

beforeEach(() => {
  FakeStorage.limit = 1_000_000;
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("IDBKeyRange", IDBKeyRange);
  vi.stubGlobal("localStorage", new FakeStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("kept works", () => {
  it("come back to the tab that had them, and the one changed last to a tab that had none", async () => {
    const works = openKeptWork();
    await works.save(kept("a", "A"), 0);
    await works.save(kept("b", "B"), 0);
    const later = openKeptWork();
    expect((await later.find("a").soon).kept?.data).toMatchObject({ source: "A" });
    expect((await later.find(null).soon).kept?.data).toMatchObject({ source: "B" });
    expect((await later.find("gone").soon).kept?.data).toMatchObject({ source: "B" });
    expect(await later.find("a").late).toBeNull();
    expect((await later.list()).map((s) => s.id)).toEqual(["b", "a"]);
    // The journal is empty once the database has everything.
    expect(localShelf().list()).toEqual([]);
  });

  it("refuse a save that follows an older version", async () => {
    const [here, there] = [openKeptWork(), openKeptWork()];
    expect(await here.save(kept("a", "first"), 0)).toBe("saved");
    expect(await there.save(kept("a", "theirs", { version: 2 }), 1)).toBe("saved");
    expect(await here.save(kept("a", "mine", { version: 2 }), 1)).toBe("newer");
    expect(await sources(here)).toEqual(["theirs"]);
    expect(await there.save(kept("a", "theirs still", { version: 3 }), 2)).toBe("saved");
  });

  it("take the same save twice, as when another tab carried it to the database", async () => {
    const works = openKeptWork();
    const work = kept("a", "A", { version: 4 });
    expect(await works.save(work, 3)).toBe("saved");
    expect(await works.save(work, 3)).toBe("saved");
    expect(await works.save({ ...work, summary: { ...work.summary, stamp: "another" } }, 3)).toBe("newer");
  });

  it("that a page left in localStorage are moved to the database by the next one", async () => {
    const works = openKeptWork();
    await works.save(kept("a", "old"), 0);
    works.saveNow(kept("a", "last words", { version: 2 }), 1);
    const next = openKeptWork();
    expect((await next.find("a").soon).kept?.data).toMatchObject({ source: "last words" });
    await settled();
    expect(localShelf().list()).toEqual([]);
    expect((await openDatabase().read("a"))?.data).toMatchObject({ source: "last words" });
  });

  it("of two tabs on top of the same version are both kept", async () => {
    const works = openKeptWork();
    await works.save(kept("a", "base"), 0);
    works.saveNow(kept("a", "left by one", { version: 2 }), 1);
    await openDatabase().write(kept("a", "saved by the other", { version: 2 }), 1);
    const next = openKeptWork();
    await next.find("a").soon;
    await settled();
    expect([...(await sources(next))].sort()).toEqual(["left by one", "saved by the other"]);
    expect((await next.list()).map((s) => s.title).sort()).toEqual(["a", "a (copy)"]);
  });

  it("stay pinned through saves, and pinned ones are never too many", async () => {
    const works = openKeptWork();
    await works.save(kept("p", "P"), 0);
    await works.pin("p", true);
    await works.save(kept("p", "P2", { version: 2 }), 1);
    for (let n = 0; n < 25; n++) await works.save(kept(`w${n}`, `W${n}`), 0);
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
    const { kept: found } = await openKeptWork().find(null).soon;
    expect(found).toMatchObject({
      summary: { title: "mine", own: true, lines: [".kernel old()", "A:", "    EXIT"] },
      data: { source, level: 99 },
    });
    const again = openKeptWork();
    await again.find(null).soon;
    expect(await again.list()).toHaveLength(1);
  });

  it("is the later of the two states, where a page left one behind", async () => {
    await putLegacy({ source, title: "mine", step: 1 });
    localStorage.setItem("oriscope.left", JSON.stringify({ source, title: "mine", step: 2 }));
    const works = openKeptWork();
    expect((await works.find(null).soon).kept?.data).toMatchObject({ step: 2 });
    await settled();
    expect(await works.list()).toHaveLength(1);
  });

  it("is both, where they are two texts", async () => {
    await putLegacy({ source, title: "saved" });
    localStorage.setItem("oriscope.left", JSON.stringify({ source: `${source}// more`, title: "left" }));
    const works = openKeptWork();
    await works.find(null).soon;
    await settled();
    expect((await works.list()).map((s) => s.title).sort()).toEqual(["left", "saved"]);
  });

  it("is left where it is when there is no text in it", async () => {
    await putLegacy({ title: "nothing" });
    localStorage.setItem("oriscope.left", "{ damaged");
    const works = openKeptWork();
    expect((await works.find(null).soon).kept).toBeNull();
  });
});

describe("a database that fails", () => {
  const never = <T>() => new Promise<T>(() => undefined);
  const fails = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  const times = { readMs: 20, writeMs: 20, patienceMs: 25 };
  const broken = (part: Partial<Database>): Database => ({ ...openDatabase(), ...part });

  const cases: readonly (readonly [string, Partial<Database>])[] = [
    ["rejects", { list: fails, read: fails, write: fails, migrate: fails, remove: fails, pin: fails }],
    ["never answers", { list: never, read: never, write: never, migrate: never, remove: never, pin: never }],
    ["is full", { write: fails }],
  ];
  it.each(cases)("and %s: the work is in localStorage, said once", async (_, part) => {
    const told: Trouble[] = [];
    const works = openKeptWork({ ...times, database: broken(part) });
    works.onTrouble((trouble) => told.push(trouble));
    expect(await works.save(kept("a", "A"), 0)).toBe("saved");
    expect(await works.save(kept("a", "A2", { version: 2 }), 1)).toBe("saved");
    await vi.waitFor(() => expect(told).toEqual(["local"]));
    const next = openKeptWork({ ...times, database: broken(part) });
    expect((await next.find("a").soon).kept?.data).toMatchObject({ source: "A2" });
    expect(await sources(next)).toEqual(["A2"]);
    await works.pin("a", true);
    expect((await next.list())[0]?.pinned).toBe(true);
  });

  it("and is only slow: the work is in localStorage meanwhile, and nothing is said", async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const real = openDatabase();
    const told: Trouble[] = [];
    const slow = broken({ write: async (work, base) => gate.then(() => real.write(work, base)) });
    const works = openKeptWork({ ...times, patienceMs: 60_000, database: slow });
    works.onTrouble((trouble) => told.push(trouble));
    expect(await works.save(kept("a", "A"), 0)).toBe("saved");
    expect(localShelf().list()).toHaveLength(1);
    open();
    await vi.waitFor(() => expect(localShelf().list()).toEqual([]));
    expect(told).toEqual([]);
    expect(await real.list()).toHaveLength(1);
  });

  it("and never answers in a later session: the copies in localStorage are shown, and it is said what is not there", async () => {
    const works = openKeptWork();
    await works.save(kept("old", "O"), 0);
    await works.save(kept("long", "x".repeat(1_100_000)), 0);
    await works.save(kept("new", "N"), 0);
    expect(localShelf().list()).toEqual([]);
    const told: Trouble[] = [];
    const next = openKeptWork({
      ...times,
      now: () => ++clock,
      database: broken({ list: never, read: never, write: never, migrate: never }),
    });
    next.onTrouble((trouble) => told.push(trouble));
    expect((await next.find("old").soon).kept?.data).toMatchObject({ source: "O" });
    expect((await next.find("long").soon).kept?.data).toMatchObject({ source: "N" });
    expect((await next.list()).map((s) => [s.id, s.absent === true])).toEqual([
      ["new", false],
      ["long", true],
      ["old", false],
    ]);
    expect(next.absent().map((s) => s.title)).toEqual(["long"]);
    await settled();
    await settled();
    expect(told).toEqual(["silent"]);
    // One notice says both.
    await next.save(kept("new", "N2", { version: 2 }), 1);
    expect(told).toEqual(["silent"]);
    expect((await next.read("new"))?.data).toMatchObject({ source: "N2" });
  });

  it("gives the copies up, oldest first, for what the database has not taken", async () => {
    FakeStorage.limit = 6_000;
    const works = openKeptWork();
    for (let n = 0; n < 6; n++) await works.save(kept(`w${n}`, "y".repeat(800)), 0);
    const copied = Object.keys(localStorage).filter((key) => key.startsWith("oriscope.mirror/"));
    expect(copied.length).toBeGreaterThan(1);
    expect(copied).toContain("oriscope.mirror/w5");
    expect(copied).not.toContain("oriscope.mirror/w0");
    works.saveNow(kept("typed", "z".repeat(3_500)), 0);
    expect(
      localShelf()
        .list()
        .map((s) => s.id),
    ).toEqual(["typed"]);
  });

  it("fills the copies with what was kept before there were any, and forgets those of works that are removed", async () => {
    await openDatabase().write(kept("a", "A"), 0);
    const works = openKeptWork();
    await works.find(null).soon;
    await settled();
    const silent = () => openKeptWork({ ...times, database: broken({ list: never, read: never, migrate: never }) });
    expect(await sources(silent())).toEqual(["A"]);
    await works.remove("a");
    expect(await works.list()).toEqual([]);
    expect(await silent().list()).toEqual([]);
  });

  it("takes long texts to localStorage only then", async () => {
    const long = "x".repeat(300_000);
    const works = openKeptWork(times);
    const saving = works.save(kept("a", long), 0);
    expect(localShelf().list()).toEqual([]);
    await saving;
    const failing = openKeptWork({ ...times, database: broken({ write: fails }) });
    await failing.save(kept("a", long, { version: 2 }), 1);
    expect(localShelf().list()).toHaveLength(1);
  });

  it("and localStorage too: that is said, once", async () => {
    FakeStorage.limit = 10;
    const told: Trouble[] = [];
    const works = openKeptWork({ ...times, database: broken({ write: fails }) });
    works.onTrouble((trouble) => told.push(trouble));
    await works.save(kept("a", "A"), 0);
    await works.save(kept("a", "A", { version: 2 }), 1);
    expect(told).toEqual(["nowhere"]);
  });

  it("and answers late: it says what it had, and gets the latest of each work", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const real = openDatabase();
    await real.write(kept("before", "B"), 0);
    const late: Database = {
      ...real,
      list: () => gate.then(() => real.list()),
      migrate: (make) => gate.then(() => real.migrate(make)),
      write: (work, base) => gate.then(() => real.write(work, base)),
    };
    const works = openKeptWork({ ...times, database: late, now: () => clock });
    const search = works.find(null);
    expect((await search.soon).kept).toBeNull();
    for (let version = 1; version <= 5; version++) await works.save(kept("a", `A${version}`, { version }), version - 1);
    open();
    expect((await search.late)?.kept?.data).toMatchObject({ source: "B" });
    await settled();
    expect((await real.read("a"))?.summary.version).toBe(5);
    expect(localShelf().list()).toEqual([]);
  });
});
