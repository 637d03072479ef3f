/** Which tab has a work. */

import { afterEach, expect, it, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { thisTab } from "./tab.ts";

/** As in a browser, a lock is free a moment after its holder has released it. */
class Locks {
  private readonly names = new Set<string>();
  async request(name: string, _: object, hold: (lock: object | null) => Promise<void>): Promise<void> {
    if (this.names.has(name)) return hold(null);
    this.names.add(name);
    await Promise.resolve();
    await hold({ name });
    await new Promise((done) => setTimeout(done));
    this.names.delete(name);
  }
  readonly query = async () => ({ held: [...this.names].map((name) => ({ name })) });
}

afterEach(() => vi.unstubAllGlobals());

it("a work that a tab leaves and takes again at once is still its own, and no other tab's", async () => {
  vi.stubGlobal("navigator", { locks: new Locks() });
  const [tab, other] = [thisTab(), thisTab("other")];
  expect(await tab.claim("a")).toBe(true);
  void tab.claim("b");
  expect(await tab.claim("a")).toBe(true);
  expect(await other.claim("a")).toBe(false);
  await eventually(async () => expect([...(await other.inAnyTab())]).toEqual(["a"]));
  void tab.claim("c");
  await eventually(async () => expect(await other.claim("a")).toBe(true));
});
