/** What goes wrong without the conditions of EQUIV: dropped one by one, each lets a program through that means something else. */

import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkEquivalent } from "../../fuzz/equivalence.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { ClassTable } from "../../structures/class-mask.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { resultsOf } from "../testing/results.ts";
import { runFixture } from "../testing/run-fixture.ts";
import { shownSteps, stepAt, stepsOf } from "../testing/shown-steps.ts";
import { Chains } from "./candidates.ts";
import { DomSets } from "./dom-sets.ts";
import { lateOriCommoning } from "./late-ori-commoning.ts";
import { WorkingSet } from "./working-set.ts";

const INPUTS = { inputs: 24, seed: 1 };

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}.ori`, import.meta.url), "utf8");

const STORE_BETWEEN = `.kernel store_between(p: RD0)
BB0:
    LDG     R1, [RD0]
    IADD    R2, R1, 1
    STG     [RD0], R2
    LDG     R3, [RD0]
    STG     [RD0+0x4], R3
    EXIT
`;

const MOVES = `.kernel moves(p: RD0, a: R0, b: R1)
BB0:
    MOV     R2, R0
    ISETP.LT P0, R0, R1
    SEL     R3, R2, R1, P0
    IADD    R4, R2, R3
    STG     [RD0], R4
    EXIT
`;

it.each([
  ["a block beside", fixture("sibling-block"), ["candidate-dominates", "value-overwritten"]],
  ["a store between", STORE_BETWEEN, ["state-unchanged"]],
  ["predicates", fixture("predicates"), ["same-guard"]],
  ["modifiers", fixture("modifiers"), ["modifiers"]],
  ["a register written since", fixture("overwritten"), ["value-overwritten"]],
])("%s", (_, text, drops) => {
  const { module } = parseModule(text);
  const fn = module.funcs[0]!;
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: ["late-ori-commoning"] }, module.target);
  const run = (dropped: readonly string[]) =>
    runPassOnce(lateOriCommoning, "late-ori-commoning", fn, {
      ...plan,
      module,
      rec: NO_RECORDER,
      interventions: { skips: new Set(), drops: new Set(dropped) },
    });
  expect(checkEquivalent(fn, run([]).fn, module, INPUTS).counterexample).toBe(null);
  const without = run(drops);
  expect(without.permits?.dropped.toSorted()).toEqual(drops.toSorted());
  expect(checkEquivalent(fn, without.fn, module, INPUTS).counterexample).not.toBe(null);
});

it("does nothing where it has run already", () => {
  const { module } = parseModule(STORE_BETWEEN.replace("    STG     [RD0], R2\n", ""));
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: ["late-ori-commoning"] }, module.target);
  const run = (fn: Func) =>
    runPassOnce(lateOriCommoning, "late-ori-commoning", fn, { ...plan, module, rec: NO_RECORDER, interventions: null });
  const first = run(module.funcs[0]!);
  expect(first.outcome?.rewrites).toBeGreaterThan(0);
  const second = run(first.fn);
  expect(second.outcome).toMatchObject({ matches: 0, rewrites: 0, why: "the function is already processed" });
});

describe("a wrong entry changes a result", () => {
  const right = resultsOf(import.meta.dirname);
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("in the class table", () => {
    vi.spyOn(ClassTable.prototype, "slot").mockReturnValue({ lo: 0, hi: 0 });
    expect(resultsOf(import.meta.dirname)).not.toEqual(right);
  });

  it("in the equivalence table", () => {
    const { add } = Chains.prototype;
    vi.spyOn(Chains.prototype, "add").mockImplementation(function (this: Chains, candidate) {
      add.call(this, { ...candidate, version: candidate.version + 1 });
    });
    expect(resultsOf(import.meta.dirname)).not.toEqual(right);
  });

  it("in the sets of dominators", () => {
    const sets = DomSets.prototype as unknown as { fill: (block: BlockId) => void };
    const { fill } = sets;
    vi.spyOn(sets, "fill").mockImplementation(function (this: { words: Uint32Array }, block: BlockId) {
      fill.call(this as never, block);
      this.words.fill(0);
    } as never);
    expect(resultsOf(import.meta.dirname)).not.toEqual(right);
  });

  it("in the representatives (+88)", () => {
    const { link } = WorkingSet.prototype;
    vi.spyOn(WorkingSet.prototype, "link").mockImplementation(function (this: WorkingSet, r, to, number, byMov) {
      link.call(this, r, to, number + 1, byMov);
    });
    expect(resultsOf(import.meta.dirname)).not.toEqual(right);
  });
});

it("knob 844 gates the whole dispatch: MOV, SEL, PHI and commoning", () => {
  const sentences = (knob: string): readonly string[] => {
    const run = runFixture(`// phase: late-ori-commoning\n// knob: 844=${knob}\n${MOVES}`);
    if (typeof run === "string") throw new Error(run);
    return Array.from({ length: run.trace.steps }, (_, step) => run.trace.event(step).sentence);
  };
  const reset = "the classes seen so far are forgotten";
  expect(sentences("100")).toEqual(expect.arrayContaining(["the representative of R2 is R0", reset]));
  expect(sentences("0").filter((text) => /representative of|candidate|are forgotten|take in/.test(text))).toEqual([]);
});

describe("the working set changes at the step that says so", () => {
  it("WS[0] and WS[2], where it is allocated", () => {
    const { step } = stepAt(shownSteps(import.meta.dirname, "move-chain"), /^a working set for/);
    expect(["WS[0]", "WS[2]"].map((name) => step.row(`ws/${name}`))).toEqual(["move_chain", 0]);
  });

  it.each(["class-slot", "sel-resets", "dominating-block"])("WS[9], in %s", (name) => {
    const steps = shownSteps(import.meta.dirname, name).filter(({ kind }) => kind === "class-mask");
    for (const { row, sentence } of steps) {
      const { lo, hi } = row("classes/acc") as { readonly lo: number; readonly hi: number };
      expect(row("ws/WS[9]"), sentence).toBe(hi.toString(2).padStart(32, "0") + lo.toString(2).padStart(32, "0"));
    }
    expect(steps.length).toBeGreaterThan(2);
  });
});

describe("what differs", () => {
  const OTHERS = ["LE", "GT", "GE", "EQ", "NE", "LT.U32", "LE.U32", "GT.U32"];
  /** A compare, others of its hash, and the compare again. */
  const told = (others: number): readonly string[] => {
    const compares = OTHERS.slice(0, others).map(
      (type, i) => `    ISETP.${type} P1, R0, R1\n@P1 STG [RD0+0x${(4 * i + 8).toString(16)}], R0\n`,
    );
    return stepsOf(`// phase: late-ori-commoning
.kernel k(a: R0, b: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, R1
@P0 STG [RD0], R0
${compares.join("")}BB1:
    ISETP.LT P2, R0, R1
@P2 STG [RD0+0x4], R0
    EXIT
`).map(({ sentence }) => sentence);
  };
  const commoned = expect.stringMatching(/^'ISETP.LT P2, R0, R1' computes again/);

  it("the equivalence table is the function's, and has the latest eight of a hash", () => {
    expect(told(7)).toContainEqual(commoned);
    expect(told(8)).not.toContainEqual(commoned);
  });

  it("the type is not in the hash, and C7b refuses it", () => {
    const sentences = told(1);
    expect(sentences).toContain("EQUIV('ISETP.LT P0, R0, R1', 'ISETP.LE P1, R0, R1')");
    expect(sentences).toContainEqual(expect.stringMatching(/^'ISETP.LE P1, R0, R1' stays: modifiers or signs differ/));
    const { step } = stepAt(stepsOf(`// phase: late-ori-commoning\n${STORE_BETWEEN}`), /^the hash of 'IADD .*' is mixed from 4 parts$/);
    const parts = [0, 1, 2, 3].map((i) => (step.row(`hash-parts/${i}`) as { readonly part: string }).part.split(" ")[0]);
    expect(parts).toEqual(["opcode", "operand", "operand", "space"]);
  });
});
