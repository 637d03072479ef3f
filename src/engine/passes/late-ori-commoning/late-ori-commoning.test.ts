/** What goes wrong without the conditions of EQUIV: dropped one by one, each lets a program through that means something else. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkEquivalent } from "../../fuzz/equivalence.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { lateOriCommoning } from "./late-ori-commoning.ts";

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
