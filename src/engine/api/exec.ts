/** Runs and checks functions by the interpreter, in the viewer's terms. */

import type { Func, Module } from "../ir/types.ts";
import type { CheckReport } from "../pipeline/run.ts";
import type { ExecReport, ExecRequest } from "./types.ts";

export function execute(_module: Module | null, _fn: Func | null, _request: ExecRequest): ExecReport {
  return { ...NOTHING, message: "This build has no interpreter yet." };
}

export function checkPhase(_before: Func, _after: Func, _module: Module, inputs: number): CheckReport {
  return { inputs, ok: false, counterexample: "This build has no interpreter yet." };
}

const NOTHING: ExecReport = {
  status: "trap",
  at: null,
  message: "",
  returns: [],
  memory: {},
  counters: { warpInstructions: 0, laneInstructions: 0, branches: 0, divergentBranches: 0, maxSyncDepth: 0, loads: 0, stores: 0 },
  heat: [],
  diagnostics: [],
};
