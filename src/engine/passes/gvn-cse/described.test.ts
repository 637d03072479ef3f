/** The described structures decide: a wrong entry in one changes what a fixture becomes. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ObservedBitSet } from "../../structures/bitset.ts";
import { ValueTable } from "../../structures/value-table.ts";
import { printFunc } from "../../text/printer.ts";
import { runFixture } from "../testing/run-fixture.ts";
import { shownSteps, stepAt } from "../testing/shown-steps.ts";
import { DominanceCache } from "./dominance-cache.ts";
import { DominatorRecords } from "./dominator-records.ts";

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

/** The content of a fixture's trace. */
function sentences(name: string): string[] {
  const run = runFixture(readFileSync(join(folder, `${name}.ori`), "utf8"));
  if (typeof run === "string") throw new Error(run);
  return Array.from({ length: run.trace.steps }, (_, step) => run.trace.event(step).sentence);
}

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
    const { ask } = DominatorRecords.prototype;
    vi.spyOn(DominatorRecords.prototype, "ask").mockImplementation(function (this: DominatorRecords, block) {
      (this as unknown as { marks: Uint8Array | null }).marks?.fill(1);
      return ask.call(this, block);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the record of a dominator", () => {
    const { put } = DominatorRecords.prototype;
    // Nothing is in the records of blocks that have leaders.
    vi.spyOn(DominatorRecords.prototype, "put").mockImplementation(function (this: DominatorRecords, block) {
      put.call(this, block, false);
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

describe("the RPO walk of modes 3 to 6", () => {
  it("ends at the instruction that knob 257 refuses, so that later blocks are not pushed", () => {
    const pushed = sentences("walk-budget").filter((text) => text.endsWith("is pushed"));
    expect(pushed).toEqual([expect.stringMatching(/of 'IADD R4, R0, R1', so 1 is pushed$/)]);
  });

  it("makes a barrier that slot 371 calls safe a candidate", () => {
    expect(sentences("barrier-candidate")).toContain("'BAR.SYNC 0' is safe to cross, so it is a candidate: visited[1] = 1");
  });
});

describe("a structure changes at the step that says so", () => {
  const steps = (name: string) => shownSteps(import.meta.dirname, name);

  it("a new leader of a value, and the record of its block", () => {
    const { before, step } = stepAt(steps("mode-2-no-candidate"), /leader 1 becomes 2$/);
    expect(before.row("leaders/2")).toBeUndefined();
    expect(step.row("leaders/2")).toMatchObject({ block: "BB2", before: 1 });
    const record = [before, step].map(({ row }) => row("dominator-records/BB2"));
    expect(record).toMatchObject([{ leaders: "above it" }, { leaders: "its own" }]);
  });

  it("a deferred MOV, as it is written", () => {
    const { before, step } = stepAt(steps("full"), /and becomes a MOV$/);
    const waiting = ({ row }: typeof step) =>
      Array.from({ length: 32 }, (_, i) => i).filter((i) => row(`deferred-moves/${i}`) !== undefined);
    expect(waiting(step)).toEqual(waiting(before).slice(1));
  });

  it("the marks of the pre-pass: cleared, then set", () => {
    const shown = steps("mode-2-followed");
    const cleared = stepAt(shown, /^the marks of \d+ blocks are cleared$/);
    expect([cleared.before, cleared.step].map(({ row }) => row("ebb-marks/BB0"))).toEqual([undefined, 0]);
    const marked = stepAt(shown, /BB0 is marked 2$/);
    expect([marked.before, marked.step].map(({ row }) => row("ebb-marks/BB0"))).toEqual([0, 2]);
  });
});

it("the pre-pass of mode 2 reads knob 257 and counts separately", () => {
  const told = sentences("mode-2-budget");
  const first = told.indexOf("EBB pre-pass");
  const prePass = told.slice(
    first,
    told.findIndex((text) => text.startsWith("mode 2: along")),
  );
  expect(prePass).toContain("EnableGvnCsePerInstr is spent: 4 of 4");
  expect(prePass.filter((text) => text.startsWith("BB"))).toEqual(["BB1 may find a leader above: BB0 is marked 2"]);
  expect(told.filter((text) => text.endsWith("is eligible: a pure instruction"))).toHaveLength(4);
});
