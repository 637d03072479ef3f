/** Runs a fixture before and after its phase on the same inputs: whether the meaning is kept, and what it costs. */

import { checkEquivalent } from "../../fuzz/equivalence.ts";
import { inputShape, makeInput, toRunInputs } from "../../fuzz/inputs.ts";
import { runKernel } from "../../interp/interpreter.ts";
import type { Counters } from "../../interp/outcome.ts";
import type { Func, Module } from "../../ir/types.ts";

export interface Evaluation {
  readonly ok: boolean;
  /** Rows of Markdown for the golden file. */
  readonly rows: readonly string[];
}

const SEED = 20_250_101;
const FUEL = 20_000;
/** Inputs whose costs are added up. */
const COUNTED = 8;

const SHOWN = [
  "warpInstructions",
  "laneInstructions",
  "branches",
  "divergentBranches",
  "loads",
  "stores",
] as const satisfies readonly (keyof Counters)[];

export function evaluate(before: Func, after: Func, module: Module, inputs: number, threads: number): Evaluation {
  if (inputs === 0) return { ok: true, rows: ["Not run."] };
  const { ok, effective, counterexample } = checkEquivalent(before, after, module, { inputs, seed: SEED, threads, fuel: FUEL });
  if (counterexample !== null) return { ok, rows: ["**Not equivalent**", "", "```", counterexample.text, "```"] };
  // Inputs on which the program traps or does not end decide nothing.
  if (effective === 0)
    return {
      ok: false,
      rows: ["**No input lets the program end**: give the fixture a meaning that can be tested, or say `// inputs: 0`."],
    };
  const costs = SHOWN.map((name) => [name, 0, 0] as [string, number, number]);
  const shape = inputShape(before, threads);
  for (let i = 0; i < COUNTED; i++) {
    const input = makeInput(shape, SEED, i, threads);
    const first = runKernel(module, before, toRunInputs(input, FUEL));
    if (first.status !== "ok") continue;
    const second = runKernel(module, after, toRunInputs(input, FUEL * 4));
    SHOWN.forEach((name, n) => {
      const row = costs[n];
      if (row === undefined) return;
      row[1] += first.counters[name];
      row[2] += second.counters[name];
    });
  }
  const table = costs.map(([name, a, b]) => `| ${name} | ${a} | ${b} |`);
  return { ok, rows: [`Equivalent on ${effective} of ${inputs} inputs tried.`, "", "| | before | after |", "|---|---|---|", ...table] };
}
