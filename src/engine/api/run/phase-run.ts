/** A run of a phase, and the problems of a plan, in the viewer's terms. */

import { OWN_FAMILY } from "../../config/own-id.ts";
import { dispatchOf } from "../../config/targets.ts";
import type { GateStep } from "../../pipeline/gates.ts";
import { addressOfRun } from "../../pipeline/intervention-report.ts";
import type { PlanProblem } from "../../pipeline/plan.ts";
import { type PositionRun, runSizes } from "../../pipeline/run.ts";
import type { Diagnostic, PhaseRun } from "../types.ts";

export function phaseRun(run: PositionRun<Diagnostic>, index: number, runs: readonly PositionRun<Diagnostic>[]): PhaseRun {
  const { planned, outcome, permits } = run;
  const { blocks, instructions } = runSizes(run);
  return {
    run: run.run,
    address: addressOfRun(runs, index),
    phase: planned.position?.number ?? null,
    group: planned.position?.group ?? "ptxas",
    id: planned.id,
    name: planned.name,
    modelled: planned.position?.modelled ?? true,
    ran: run.ran,
    ...(run.error === null ? {} : { stopped: true }),
    reason: run.reason,
    gates: gateRows(run.gates),
    dispatch: dispatchRows(planned.position?.number ?? null),
    changed: run.changed,
    blocks,
    instructions,
    matches: outcome?.matches ?? 0,
    rewrites: outcome?.rewrites ?? 0,
    asked: permits?.asked ?? outcome?.rewrites ?? 0,
    refused: (permits?.skipped.length ?? 0) + (permits?.unfuelled ?? 0),
    dropped: permits?.dropped ?? [],
    figures: outcome?.figures ?? {},
    ms: run.ms,
    verifyErrors: run.verifyErrors,
    check: run.check,
  };
}

type GateRows = PhaseRun["gates"];
type DispatchRows = PhaseRun["dispatch"];

/** Kernels of a module that run by one plan pass the same gates, so gate messages are reported once. */
const rowsOfGates = new WeakMap<readonly GateStep[], GateRows>();
const rowsOfPosition = new Map<number | null, DispatchRows>();

function gateRows(steps: readonly GateStep[]): GateRows {
  let rows = rowsOfGates.get(steps);
  if (rows === undefined) {
    rows = steps.map(({ gate, ok, sentence, other }) => ({ gate, ok, sentence, other }));
    rowsOfGates.set(steps, rows);
  }
  return rows;
}

function dispatchRows(position: number | null): DispatchRows {
  let rows = rowsOfPosition.get(position);
  if (rows === undefined) {
    rows = dispatchOf(position).map(({ backend, targets, slot }) => ({
      backend: backend.id,
      targets,
      vtable: backend.vtable,
      slot: slot.slot,
      symbol: slot.symbol,
      handler: slot.handler,
      does: slot.does,
    }));
    rowsOfPosition.set(position, rows);
  }
  return rows;
}

/** A problem of the options: it has no position in the text, so its line is 0. */
export function planDiagnostic({ severity, code, message, suggestion }: PlanProblem): Diagnostic {
  return { line: 0, column: 0, length: 0, severity, code, message, suggestion };
}

/** What stopped the pipeline, if anything did. */
export function internalErrors(runs: readonly PositionRun<Diagnostic>[]): Diagnostic[] {
  return runs.flatMap((run): Diagnostic[] => {
    if (run.pass?.family === OWN_FAMILY) return ownErrors(run);
    if (run.error === null) return [];
    const message = `Internal error in ${run.planned.name}: ${run.error}. The phases before it are shown; please report this program.`;
    return [{ line: 0, column: 0, length: 0, severity: "error", code: "PIPE010", message, suggestion: `--no-phase ${run.planned.id}` }];
  });
}

/** The user's own code is not an error of ours. */
function ownErrors({ planned, error, verifyErrors: [wrong] }: PositionRun<Diagnostic>): Diagnostic[] {
  const why = error ?? (wrong === undefined ? null : `the verifier rejects its result: ${wrong.code} ${wrong.message}`);
  if (why === null) return [];
  const message = `${planned.name} stopped the pipeline: ${why}`;
  return [{ line: 0, column: 0, length: 0, severity: "error", code: "PIPE015", message, suggestion: null }];
}
