/** The tables of phase 50 decide: a wrong entry changes what a fixture becomes. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { ValueTable } from "../../structures/value-table.ts";
import { resultsOf } from "../testing/results.ts";
import { shownSteps, stepAt } from "../testing/shown-steps.ts";
import { type BlockFacts, FactsMaker } from "./block-facts.ts";

const RIGHT = resultsOf(import.meta.dirname);

describe("a wrong entry changes a result", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("in the table of local commoning", () => {
    const { insert } = ValueTable.prototype;
    vi.spyOn(ValueTable.prototype, "insert").mockImplementation(function (this: ValueTable, key, value) {
      return insert.call(this, key & ~1, value);
    });
    expect(resultsOf(import.meta.dirname)).not.toEqual(RIGHT);
  });

  it.each(["uses", "writtenAt"] as const)("in what a block knows of its definitions: %s", (name) => {
    const { of } = FactsMaker.prototype;
    vi.spyOn(FactsMaker.prototype, "of").mockImplementation(function (this: FactsMaker, block): BlockFacts | null {
      const facts = of.call(this, block);
      facts?.[name].fill(0);
      return facts;
    });
    expect(resultsOf(import.meta.dirname)).not.toEqual(RIGHT);
  });
});

describe("the window", () => {
  const steps = shownSteps(import.meta.dirname, "window");

  it("shows a leader at the step that makes it one", () => {
    const { before, step } = stepAt(steps, /leader 0 becomes 1$/);
    expect(before.row("cse-window/s0")).toBeUndefined();
    expect(step.row("cse-window/s0")).toMatchObject({ at: 4, reg: "R4" });
  });

  it("loses a leader that is further back, also where none takes its slot", () => {
    const { before, step } = stepAt(steps, /^'LOP.AND R4, R0, R1' has the key/);
    expect(before.row("cse-window/s0")).toMatchObject({ at: 0 });
    expect(step.row("cse-window/s0")).toBeUndefined();
  });
});
