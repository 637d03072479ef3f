/** The described structures decide: a wrong entry in one changes what a fixture becomes. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ReachingDefs } from "../../analysis/reaching-defs.ts";
import { printFunc } from "../../text/printer.ts";
import { STATUS } from "../shared/copies/dead-code.ts";
import { MARK, OperandMarks } from "../shared/copies/marks.ts";
import { OperandMarking } from "../shared/copies/operand-marking.ts";
import { RegisterConstraints } from "../shared/copies/options.ts";
import { TwoPass } from "../shared/copies/two-pass.ts";
import { runFixture } from "../testing/run-fixture.ts";
import { shownSteps, stepAt } from "../testing/shown-steps.ts";

const folder = join(import.meta.dirname, "fixtures");
const textOf = (name: string): string => readFileSync(join(folder, `${name}.ori`), "utf8");
const TEXTS = ["across-a-loop", "copy-seen", "fold-tier", "interface", "limit-fold-fp-chain", "two-pass"].map(textOf);

const ran = (text: string) => {
  const run = runFixture(text);
  if (typeof run === "string") throw new Error(run);
  return run;
};
const results = (): string[] => TEXTS.map((text) => printFunc(ran(text).run.after));
const RIGHT = results();

/** Private state, to corrupt it. */
interface State {
  copySeen: boolean;
  context: unknown;
}

describe("a wrong entry changes a result", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([true, false])("in copy_seen (always %s)", (wrong) => {
    const { visit } = OperandMarking.prototype;
    vi.spyOn(OperandMarking.prototype, "visit").mockImplementation(function (this: OperandMarking, ...given) {
      (this as unknown as State).copySeen = wrong;
      visit.apply(this, given);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in def_ctx", () => {
    const { visit } = OperandMarking.prototype;
    vi.spyOn(OperandMarking.prototype, "visit").mockImplementation(function (this: OperandMarking, ...given) {
      (this as unknown as State).context = { block: 0, at: -1 };
      visit.apply(this, given);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it.each(["always a copy", "never a copy"])("in the transitive chain (%s)", (wrong) => {
    vi.spyOn(OperandMarking.prototype as unknown as { chain(): boolean }, "chain").mockReturnValue(wrong === "always a copy");
    expect(results()).not.toEqual(RIGHT);
  });

  it.each([STATUS.DEAD, STATUS.LIVE_RESULT])("in the status of an instruction (always %i)", (status) => {
    const right = { ...STATUS };
    try {
      Object.assign(STATUS, { DEAD: status, LIVE_RESULT: status, EFFECT: status });
      expect(results()).not.toEqual(RIGHT);
    } finally {
      Object.assign(STATUS, right);
    }
  });

  it("in the word of a marked operand (bit 0x100)", () => {
    const { set } = OperandMarks.prototype;
    vi.spyOn(OperandMarks.prototype, "set").mockImplementation(function (this: OperandMarks, block, inst, bits) {
      return set.call(this, block, inst, bits & ~MARK.PROPAGATED);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the array of register constraints", () => {
    vi.spyOn(RegisterConstraints.prototype, "of").mockReturnValue(0);
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the definitions that reach a read", () => {
    const { reachingAt } = ReachingDefs.prototype;
    // Of several definitions only the first is known.
    vi.spyOn(ReachingDefs.prototype, "reachingAt").mockImplementation(function (this: ReachingDefs, ...given) {
      return reachingAt.apply(this, given).slice(0, 1);
    });
    expect(results()).not.toEqual(RIGHT);
  });

  it("in the set of visited instructions", () => {
    const { run } = TwoPass.prototype;
    vi.spyOn(TwoPass.prototype, "run").mockImplementation(function (this: TwoPass, ...given) {
      const { visited } = this as unknown as { visited: Set<number> };
      for (let id = 0; id < 100; id++) visited.add(id);
      return run.apply(this, given);
    });
    expect(results()).not.toEqual(RIGHT);
  });
});

it("a select that the chain leaves unmarked stays one", () => {
  const { run, trace } = ran(textOf("fold-tier"));
  const sentences = Array.from({ length: trace.steps }, (_, step) => trace.event(step).sentence);
  expect(sentences).toContain("'FSEL R3, R1, R1, P1' is not marked 0x100, so it stays a select: the chain after it ends without a copy");
  const after = printFunc(run.after);
  for (const left of ["SEL R2, R0, R0, P1", "FSEL R3, R1, R1, P1", "STG [RD0+0xc], R0", "STG [RD0+0x10], R1"]) {
    expect(after.replaceAll(/ +/g, " ")).toContain(left);
  }
});

describe("a structure changes at the step that says so", () => {
  it("the definitions of a read, and those of its copy's source", () => {
    const steps = shownSteps(import.meta.dirname, "across-a-loop");
    const several = stepAt(steps, /keeps reading R4: several definitions/);
    expect(several.before.row("reaching-definitions/R4")).toBeUndefined();
    const definitions = ["'MOV R4, 0' in BB0", "'IADD R4, R4, 1' in BB1"];
    expect(several.step.row("reaching-definitions/R4")).toEqual({ read: "in BB1", definitions, source: [] });
    const written = stepAt(steps, /keeps reading R5: the source of its copy/);
    expect(written.before.row("reaching-definitions/R5")).toBeUndefined();
    const source = ["'IADD R4, R4, 1' in BB1"];
    expect(written.step.row("reaching-definitions/R5")).toEqual({ read: "in BB1", definitions: ["'MOV R5, R4' in BB1"], source });
  });

  it("the counts of the round", () => {
    const steps = shownSteps(import.meta.dirname, "across-a-loop");
    const use = stepAt(steps, /so 'IADD R6, R5, R2' reads R1$/);
    expect([use.before, use.step].map(({ row }) => row("rounds/copy propagation/1"))).toEqual([undefined, 1]);
    const dead = stepAt(steps, /^nothing reads R2 any more/);
    expect([dead.before, dead.step].map(({ row }) => row("rounds/dead code/1"))).toEqual([undefined, 1]);
  });

  it("copies and marks, as an instruction is replaced", () => {
    const { before, step } = stepAt(shownSteps(import.meta.dirname, "fold-tier"), /^in BB2, 'SEL R5, R0, R0, P1' becomes 'MOV R5, R0'$/);
    expect([before, step].map(({ row }) => row("copies/w0"))).toEqual([0, 1 << 7]);
    expect(before.row("operand-marks/i7")).toBeDefined();
    expect(step.row("operand-marks/i7")).toBeUndefined();
  });
});
