/** Runs and compares functions by the interpreter, in the viewer's terms. */

import { FORMATS } from "../../../base/formats.ts";
import { checkReport } from "../../fuzz/equivalence.ts";
import type { SourceProgram } from "../../import/reader.ts";
import { runKernel } from "../../interp/interpreter.ts";
import { LANES } from "../../interp/machine.ts";
import type { ExecOutcome } from "../../interp/outcome.ts";
import { toExecReport } from "../../interp/report.ts";
import { parseExecRequest } from "../../interp/request.ts";
import type { Func, Module } from "../../ir/types.ts";
import type { CheckReport } from "../../pipeline/run.ts";
import type { Readers } from "../read/readers.ts";
import type { Diagnostic, ExecReport, ExecRequest } from "../types.ts";

/** Problems of the request come back as diagnostics with status `trap` and no run. */
export function execute(
  module: Module | null,
  fn: Func | null,
  request: ExecRequest,
  program: SourceProgram | null = null,
  readers: Readers = {},
): ExecReport {
  if (module === null || fn === null) return refused("There is nothing to run: open a program first.", []);
  const typed = program === null ? request : { ...request, args: request.args.map((arg) => program.argument(arg, fn)) };
  const { inputs, diagnostics } = parseExecRequest(typed, fn, module.symbols);
  if (inputs === null) return refused(diagnostics[0]?.message ?? "The request cannot be read.", diagnostics);
  const followed = { ...inputs, follow: true };
  const roomy = program?.roomy(module) ?? module;
  const first = runKernel(roomy, fn, program === null ? followed : { ...followed, callDepth: program.callDepth });
  const isStuck = first.status === "fuel" && (first.counters.divergentBranches > 0 || inputs.threads > LANES);
  const outcome = isStuck && hasIndependentThreads(module) ? independently(module, fn, typed, first) : first;
  const report = toExecReport(fn, outcome);
  const trap = outcome.status === "trap" ? (program?.trap(outcome.stop?.func ?? "", roomy.symbols) ?? null) : null;
  // Any language: Ori that was made from a text prints as that did.
  const printed = FORMATS.map((format) => readers[format]?.output?.(roomy.symbols, outcome.symbols?.bytes ?? null) ?? null);
  const output = printed.find((lines) => lines !== null);
  return {
    ...report,
    ...(trap === null ? {} : { message: `${report.message}: ${trap}` }),
    diagnostics,
    ...(output === undefined ? {} : { output }),
  };
}

/** From sm_70 on, while a thread waits, others run. */
function hasIndependentThreads({ target }: Module): boolean {
  const number = /^(?:sm|compute)_(\d+)/.exec(target ?? "")?.[1];
  return number === undefined || Number(number) >= 70;
}

/** Runs again with independent threads; `first` is what happened without, and counts unless that ends. */
function independently(module: Module, fn: Func, request: ExecRequest, first: ExecOutcome): ExecOutcome {
  const { inputs } = parseExecRequest(request, fn, module.symbols);
  const second = inputs === null ? first : runKernel(module, fn, { ...inputs, follow: true, independent: true });
  return second.status === "fuel" ? first : second;
}

/** The same inputs in every run: what was found once is found again. */
const CHECK_SEED = 1;

/** Whether a phase kept the meaning, on `inputs` inputs. */
export function checkPhase(before: Func, after: Func, module: Module, inputs: number): CheckReport {
  return checkReport(before, after, module, { inputs, seed: CHECK_SEED, known: true });
}

function refused(message: string, diagnostics: readonly Diagnostic[]): ExecReport {
  return {
    status: "trap",
    at: null,
    message,
    returns: [],
    memory: {},
    counters: { warpInstructions: 0, laneInstructions: 0, branches: 0, divergentBranches: 0, maxSyncDepth: 0, loads: 0, stores: 0 },
    heat: [],
    diagnostics,
  };
}
