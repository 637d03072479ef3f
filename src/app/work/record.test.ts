import { describe, expect, it } from "vitest";
import {
  copyTitle,
  excess,
  firstLines,
  firstVersion,
  latest,
  newest,
  nextVersion,
  readSummary,
  recentOf,
  relation,
  type Summary,
} from "./record.ts";

const summary = (id: string, part: Partial<Summary> = {}): Summary => ({
  id,
  kind: "program",
  title: id,
  lines: [],
  changed: 0,
  order: 0,
  version: firstVersion("page", 1),
  own: true,
  pinned: false,
  ...part,
});

describe("records of works", () => {
  it("show the first lines that say something", () => {
    expect(firstLines("\n//\n  // about it  \r\n.kernel k()\r\n\nA:\nB:")).toEqual(["  // about it", ".kernel k()", "A:"]);
    expect(firstLines("")).toEqual([]);
    expect(firstLines("x".repeat(10_000))).toEqual(["x".repeat(100)]);
  });

  it("are read whatever is stored, and are none without an id", () => {
    for (const value of [null, undefined, 3, "a", [], {}, { id: "" }, { id: 7 }]) expect(readSummary(value)).toBeNull();
    const read = readSummary({ id: "a", title: 7, lines: [1, "x", "y", "z", "w"], changed: Number.NaN, version: "2", kind: "other" });
    expect(read).toMatchObject({ title: "untitled", lines: ["x", "y", "z"], changed: 0, order: 0, kind: "program" });
    const version = nextVersion(firstVersion("one", 3), "two", 1);
    const full = summary("a", { kind: "lab", lines: ["x"], changed: 5, order: 9, version, own: false, pinned: true });
    expect(readSummary(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });

  it("of one work in two places are the later one, pinned where either is", () => {
    const first = firstVersion("page", 2);
    const then = nextVersion(first, "page", 3);
    const merged = newest(
      [summary("a", { version: first, order: 9, pinned: true })],
      [summary("a", { version: then, order: 4 }), summary("b")],
    );
    expect(merged).toEqual([summary("a", { version: then, order: 4, pinned: true }), summary("b")]);
  });

  it("are sorted by the order of their changes, whatever the clock showed", () => {
    const ahead = summary("ahead", { changed: 9e12, order: 1 });
    const now = summary("now", { changed: 5, order: 2 });
    const lab = summary("lab", { kind: "lab", order: 3 });
    expect(latest([ahead, now, lab])?.id).toBe("now");
    expect(latest([ahead, now, lab], "lab")?.id).toBe("lab");
    expect(recentOf([ahead, now]).map((s) => s.id)).toEqual(["now", "ahead"]);
    expect(latest([])).toBeNull();
  });

  it("list one's own, pinned first, then by date", () => {
    const list = [
      summary("a", { changed: 1, pinned: true }),
      summary("b", { changed: 3 }),
      summary("c", { changed: 2 }),
      summary("d", { own: false }),
    ];
    expect(recentOf(list).map((s) => s.id)).toEqual(["a", "b", "c"]);
  });

  it("are forgotten by age, but for pinned and open ones", () => {
    const own = Array.from({ length: 30 }, (_, n) => summary(`own${n}`, { order: n, pinned: n < 3 }));
    const looked = Array.from({ length: 20 }, (_, n) => summary(`look${n}`, { order: n, own: false }));
    const gone = excess([...own, ...looked], new Set(["own5", "look0"]));
    // 27 own ones that are not pinned, 20 stay; 20 looked at, 12 stay.
    const expected = ["own3", "own4", "own6", "own7", "own8", "own9", ...[1, 2, 3, 4, 5, 6, 7].map((n) => `look${n}`)];
    expect([...gone].sort()).toEqual(expected.sort());
  });

  it("of a copy have a name that no other has", () => {
    expect(copyTitle("k", [])).toBe("k (copy)");
    expect(copyTitle("k", ["k (copy)"])).toBe("k (copy 2)");
    expect(copyTitle("k (copy 2)", ["k (copy)", "k (copy 2)"])).toBe("k (copy 3)");
  });
});

describe("versions", () => {
  it("follow what they build on, and are apart from what they did not see", () => {
    const base = firstVersion("a", 1);
    const mine = nextVersion(base, "a", 2);
    const theirs = nextVersion(base, "b", 1);
    expect(relation(mine, mine)).toBe("same");
    expect(relation(mine, base)).toBe("later");
    expect(relation(base, mine)).toBe("earlier");
    expect(relation(mine, theirs)).toBe("apart");
    expect(relation(nextVersion(theirs, "a", 9), theirs)).toBe("later");
  });

  it("remember the pages before them, however many saves lie between, and not without end", () => {
    let version = firstVersion("page 0", 1);
    const old = nextVersion(version, "page 0", 500);
    for (let page = 0; page < 20; page++) for (let n = 1; n < 900; n += 300) version = nextVersion(version, `page ${page}`, n);
    expect(relation(old, version)).toBe("earlier");
    for (let page = 0; page < 90; page++) version = nextVersion(version, `other ${page}`, 1);
    expect(Object.keys(version.seen).length).toBeLessThan(50);
  });

  it("of the build before this one are compared by their numbers, and by their stamps where these are the same", () => {
    const old = (version: number, stamp: string) => readSummary({ id: "a", version, stamp })?.version ?? firstVersion("", 0);
    expect(relation(old(2, "x"), old(1, "y"))).toBe("later");
    expect(relation(old(2, "x"), old(2, "x"))).toBe("same");
    expect(relation(old(2, "x"), old(2, "y"))).toBe("apart");
    const next = nextVersion(old(2, "x"), "page", 1);
    expect([old(2, "x"), old(1, "y")].map((v) => relation(next, v))).toEqual(["later", "later"]);
    expect(relation(next, old(2, "y"))).toBe("apart");
  });
});
