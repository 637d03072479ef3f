/** Runs a plan over one function: every position in order, each result kept by shared structure, with optional verifying and checking. */

import { forgetAnalyses } from "../analysis/cache.ts";
import type { Func, Module } from "../ir/types.ts";
import type { Pass, PassOutcome } from "../passes/pass.ts";
import { PASSES } from "../passes/registry.ts";
import type { Fuel, PermitReport } from "../remark/permits.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { FUEL_SPENT } from "./future-plan.ts";
import type { GateStep } from "./gates.ts";
import type { Plan, PlannedRun } from "./plan.ts";
import { closed, type PhaseResult, runPhase, sayResult, sizes } from "./run-phase.ts";

/** Something a verifier found, located in the function it was given. */
export interface Finding {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly message: string;
}

/** The result of an equivalence check of a phase's input and output. */
export interface CheckReport {
  readonly inputs: number;
  readonly ok: boolean;
  /** In words; null when none was found. */
  readonly counterexample: string | null;
  /** Why none of the inputs decides anything: the made-up value that the results rest on. Left out where some input does. */
  readonly notDecided?: string;
}

/** What the pipeline is given: the engine itself has no clock. */
export interface RunHooks<F extends Finding = Finding> {
  /** Milliseconds of any origin; without it every phase takes 0. */
  readonly now?: () => number;
  /** Called after each phase that edited the function. */
  readonly verify?: (after: Func, module: Module, before: Func, planned: PlannedRun) => readonly F[];
  /** Called after each phase that changed the program. */
  readonly check?: (before: Func, after: Func, module: Module) => CheckReport;
  /** At most this many rewrites over all phases. */
  readonly fuel?: number | null;
  /** Programs that interventions put in before a run, by the index of the intervention. */
  readonly edits?: ReadonlyMap<number, Func>;
  /** Runs of this input that the plan begins with and that are known already: they are not run again. */
  readonly known?: readonly PositionRun<F>[];
  /** Called after each run; true stops the pipeline there. */
  readonly stopAfter?: (run: PositionRun<F>) => boolean;
  /** The passes to run; default: the registry. */
  readonly passes?: readonly Pass[];
}

/** One position of the timeline after a run. `run` is its index; it, not the name, is the key of everything that refers to it. */
export interface PositionRun<F extends Finding = Finding> {
  readonly run: number;
  readonly planned: PlannedRun;
  readonly pass: Pass | null;
  readonly ran: boolean;
  /** Why it did not run, or why it changed nothing. */
  readonly reason: string | null;
  readonly gates: readonly GateStep[];
  readonly changed: boolean;
  /** The function before and after; the same object when nothing was edited. */
  readonly before: Func;
  readonly after: Func;
  readonly outcome: PassOutcome | null;
  /** One line: what it did or why it did nothing. */
  readonly summary: string;
  readonly ms: number;
  readonly verifyErrors: readonly F[];
  readonly check: CheckReport | null;
  /** An internal error of the pass; the pipeline stopped here. */
  readonly error: string | null;
  /** Fuel that was left when it started; null: unbounded. */
  readonly fuel: number | null;
  /** The permits it requested and their effect; null when it did not run, failed, or requests none. */
  readonly permits: PermitReport | null;
}

export interface PipelineRun<F extends Finding = Finding> {
  readonly runs: readonly PositionRun<F>[];
  /** The function after the last phase that ran. */
  readonly result: Func;
}

const byId = new WeakMap<readonly Pass[], ReadonlyMap<string, Pass>>();

/** The pass that implements an id, the first of several; undefined when none is registered. */
export function passFor(id: string, passes: readonly Pass[] = PASSES): Pass | undefined {
  let known = byId.get(passes);
  if (known === undefined) {
    known = new Map(passes.toReversed().flatMap((pass) => pass.ids.map((each) => [each, pass] as const)));
    byId.set(passes, known);
  }
  return known.get(id);
}

/** Runs a whole plan. Nothing is recorded; a phase is traced by running it again from its `before` (`runPhase`). */
export function runPipeline<F extends Finding = Finding>(fn: Func, module: Module, plan: Plan, hooks: RunHooks<F> = {}): PipelineRun<F> {
  const now = hooks.now ?? (() => 0);
  const fuel: Fuel | null = hooks.fuel === undefined || hooks.fuel === null ? null : { left: hooks.fuel };
  const runs: PositionRun<F>[] = [];
  let current = fn;
  let stopped: string | null = null;
  for (const [index, planned] of plan.runs.entries()) {
    const known = hooks.known?.[index];
    if (known !== undefined) {
      runs.push({ ...known, planned });
      current = known.after;
      continue;
    }
    const pass = passFor(planned.id, hooks.passes);
    const edit = planned.told?.edit ?? null;
    if (edit !== null) current = hooks.edits?.get(edit) ?? current;
    const given = least(fuel?.left ?? null, planned.told?.limit ?? null);
    const dry = given !== null && given <= 0 && pass !== undefined && rewrites(pass);
    const beyond: string | null = planned.beyond ?? stopped ?? (dry ? FUEL_SPENT : null);
    const place = { run: runs.length, planned, pass: pass ?? null, before: current, fuel: given };
    if (beyond !== null) {
      runs.push(recordOf(place, 0, closed(current, beyond, []), [], null));
      continue;
    }
    const started = now();
    const own: Fuel | null = given === null ? null : { left: given };
    const result = runPhase(planned, pass, current, { module, plan, rec: NO_RECORDER, fuel: own });
    const ms = now() - started;
    if (fuel !== null && own !== null && given !== null) fuel.left -= given - own.left;
    const edited = result.fn !== current;
    const verifyErrors = edited && hooks.verify !== undefined ? hooks.verify(result.fn, module, current, planned) : [];
    const check = result.changed && hooks.check !== undefined ? hooks.check(current, result.fn, module) : null;
    const run = recordOf(place, ms, result, verifyErrors, check);
    runs.push(run);
    if (edited) forgetAnalyses(current);
    current = result.fn;
    if (result.error !== null) stopped = `not reached: ${planned.name} stopped the pipeline`;
    else if (hooks.stopAfter?.(run) === true) stopped = `not reached: the run was stopped after ${planned.name}`;
  }
  return { runs, result: current };
}

/** Written out: there are 159 positions for each kernel, and copies by `...` cost more than most phases do. */
function recordOf<F extends Finding>(
  { run, planned, pass, before, fuel }: Pick<PositionRun, "run" | "planned" | "pass" | "before" | "fuel">,
  ms: number,
  result: PhaseResult,
  verifyErrors: readonly F[],
  check: CheckReport | null,
): PositionRun<F> {
  const { ran, reason, gates, changed, fn: after, outcome, error, permits } = result;
  return {
    run,
    planned,
    pass,
    ran,
    reason,
    gates,
    changed,
    before,
    after,
    outcome,
    summary: sayResult(result),
    ms,
    verifyErrors,
    check,
    error,
    fuel,
    permits,
  };
}

const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** Whether a pass may rewrite anything: one that only numbers and marks runs without fuel, too. */
function rewrites(pass: Pass): boolean {
  return pass.rules === undefined || Object.values(pass.rules).some((rule) => rule.founds.size > 0 || rule.dones.size > 0);
}

/** Blocks and instructions before and after a run. */
export function runSizes(run: PositionRun): {
  readonly blocks: readonly [number, number];
  readonly instructions: readonly [number, number];
} {
  const before = sizes(run.before);
  const after = run.before === run.after ? before : sizes(run.after);
  return { blocks: [before.blocks, after.blocks], instructions: [before.instructions, after.instructions] };
}
