/** The described structures decide: a wrong entry in one changes what a fixture becomes. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ObservedBitSet } from "../../structures/bitset.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printFunc } from "../../text/printer.ts";
import { runFixture } from "../testing/run-fixture.ts";
import { Cse } from "./cse.ts";
import { DominanceCache } from "./dominance-cache.ts";

const folder = join(import.meta.dirname, "fixtures");
const TEXTS = readdirSync(folder)
  .filter((file) => file.endsWith(".ori"))
  .map((file) => readFileSync(join(folder, file), "utf8"));

function results(): string[] {
  return TEXTS.map((text) => {
    const run = runFixture(text);
    if (typeof run === "string") throw new Error(run);
    return printFunc(run.run.after);
  });
}

const RIGHT = results();

describe("a wrong entry changes a result", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("in the dominance cache", () => {
    const { denies } = DominanceCache.prototype;
    // The entry that it keeps is turned around after each answer.
    vi.spyOn(DominanceCache.prototype, "denies").mockImplementation(function (this: DominanceCache, above, below) {
      const answer = denies.call(this, above, below);
      const cache = this as unknown as { result: boolean };
      cache.result = !cache.result;
      return answer;
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in visited[]", () => {
    vi.spyOn(ObservedBitSet.prototype, "has").mockReturnValue(false);
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the marks of the EBB pre-pass", () => {
    const { block } = Cse.prototype;
    vi.spyOn(Cse.prototype, "block").mockImplementation(function (this: Cse, place) {
      this.ebbMarks?.fill(1);
      block.call(this, place);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the value table", () => {
    const { insert } = ValueTable.prototype;
    vi.spyOn(ValueTable.prototype, "insert").mockImplementation(function (this: ValueTable, key, value) {
      return insert.call(this, key & ~1, value);
    });
    expect(results()).not.toEqual(RIGHT);
  });
});
