import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeskLab } from "../engine/desk.ts";
import { linkedShelf, shelfOf } from "./shelf.ts";
import { newWork, withTask } from "./work.ts";

const COURSE = { id: "cfg-1", version: 1, digest: "aaaa" } as unknown as DeskLab;
const LINKED = { id: "cfg-1", version: 1, digest: "bbbb" } as unknown as DeskLab;
const answered = (lab: DeskLab) => withTask(newWork(lab, "", 0), "t", { answer: ["7"] }, null, 0);

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("the answers to a lab from a link", () => {
  it("are apart from those to another lab of its id", () => {
    const work = shelfOf("", COURSE, "42").write(answered(COURSE));
    const linked = linkedShelf(LINKED, "42");
    expect(linked.read()).toBeNull();
    linked.write(answered(LINKED));
    expect(shelfOf("", COURSE, "42").read()).toEqual(work);
    linked.removeAll();
    expect([linked.read(), shelfOf("", COURSE, "42").read()]).toEqual([null, work]);
  });

  it("are found where they were stored under the id alone, for this very text", () => {
    const work = shelfOf("", LINKED, "42").write(answered(LINKED));
    expect(linkedShelf(LINKED, "42").read()).toEqual(work);
  });
});
