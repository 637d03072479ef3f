import { describe, expect, it } from "vitest";
import { copyTitle, excess, firstLines, latest, newest, readSummary, recentOf, type Summary } from "./records.ts";

const summary = (id: string, part: Partial<Summary> = {}): Summary => ({
  id,
  title: id,
  lines: [],
  changed: 0,
  version: 1,
  stamp: "",
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
    expect(readSummary({ id: "a", title: 7, lines: [1, "x", "y", "z", "w"], changed: Number.NaN, version: "2" })).toEqual(
      summary("a", { title: "untitled", lines: ["x", "y", "z"], version: 0 }),
    );
    const full = summary("a", { lines: ["x"], changed: 5, version: 3, stamp: "s", own: false, pinned: true });
    expect(readSummary(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });

  it("of one work in two places are the later one, pinned where either is", () => {
    const merged = newest(
      [summary("a", { version: 2, changed: 9, pinned: true })],
      [summary("a", { version: 3, changed: 4 }), summary("b")],
    );
    expect(merged).toEqual([summary("a", { version: 3, changed: 4, pinned: true }), summary("b")]);
  });

  it("a place in an older text does not make it the latest work", () => {
    const edited = summary("edited", { changed: 20, version: 7 });
    const looked = summary("looked", { changed: 10, version: 40, own: false });
    expect(latest([looked, edited])?.id).toBe("edited");
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
    const own = Array.from({ length: 30 }, (_, n) => summary(`own${n}`, { changed: n, pinned: n < 3 }));
    const looked = Array.from({ length: 20 }, (_, n) => summary(`look${n}`, { changed: n, own: false }));
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
