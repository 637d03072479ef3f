/** The tables of phase 50 decide: a wrong entry changes what a fixture becomes. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { ValueTable } from "../../structures/value-table.ts";
import { resultsOf } from "../testing/results.ts";
import { shownSteps, stepAt, stepsOf } from "../testing/shown-steps.ts";
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

describe("what differs", () => {
  const told = (head: string, body: string): readonly string[] =>
    stepsOf(`// phase: ori-reassociate-and-common\n${head}.kernel k(a: R9, b: R5, c: R2, out: RD0)\nBB0:\n${body}    EXIT\n`).map(
      ({ sentence }) => sentence,
    );
  const rebuilt = (sentences: readonly string[]): readonly string[] => sentences.filter((text) => text.includes(" is rebuilt "));
  /** The last tree, which comes first, is canonical already. */
  const TREES = `    IMUL    R22, R9, R5
    IMUL    R23, R22, R2
    LOP.AND R24, R9, R5
    LOP.AND R25, R24, R2
    IADD    R20, R2, R5
    IADD    R21, R20, R9
    STG     [RD0], R21
    STG     [RD0+0x4], R23
    STG     [RD0+0x8], R25
`;

  it("leaves are sorted by register, not by the order in which they were numbered", () => {
    // R9 is read first, so by the order of values it would come first.
    expect(told("", TREES)).toEqual(expect.arrayContaining(["in canonical order: R2, R5, R9"]));
  });

  it("ReassociateCSEBudget counts rewrites: a tree that is only read costs nothing", () => {
    expect(rebuilt(told("// knob: ReassociateCSEBudget=2\n", TREES))).toHaveLength(2);
    expect(rebuilt(told("// knob: ReassociateCSEBudget=1\n", TREES))).toEqual([expect.stringContaining("LOP.AND R25")]);
  });

  it("ReassociateCSESkip counts trees from the last of a block", () => {
    const left = rebuilt(told("// knob: ReassociateCSESkip=2\n", TREES));
    expect(left).toEqual([expect.stringContaining("IMUL R23")]);
  });
});
