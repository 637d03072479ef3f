/** Runs and compares functions by the interpreter, in the viewer's terms. */

import { checkReport } from "../exec/equivalence.ts";
import { runKernel } from "../exec/interpreter.ts";
import { toExecReport } from "../exec/report.ts";
import { parseExecRequest } from "../exec/request.ts";
import type { Func, Module } from "../ir/types.ts";
import type { CheckReport } from "../pipeline/run.ts";
import type { Diagnostic, ExecReport, ExecRequest } from "./types.ts";

/** Problems of the request come back as diagnostics with status `trap` and no run. */
export function execute(module: Module | null, fn: Func | null, request: ExecRequest): ExecReport {
  if (module === null || fn === null) return refused("There is nothing to run: open a program first.", []);
  const { inputs, diagnostics } = parseExecRequest(request, fn);
  if (inputs === null) return refused(diagnostics[0]?.message ?? "The request cannot be read.", diagnostics);
  return { ...toExecReport(fn, runKernel(module, fn, inputs)), diagnostics };
}

/** The same inputs in every run: what was found once is found again. */
const CHECK_SEED = 1;

/** Whether a phase kept the meaning, on `inputs` inputs. */
export function checkPhase(before: Func, after: Func, module: Module, inputs: number): CheckReport {
  return checkReport(before, after, module, { inputs, seed: CHECK_SEED });
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
