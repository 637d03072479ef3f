/** Runs one phase: its gates, the pass on a copy-on-write clone, and the phase's begin and end events. */

import { messageOf } from "../../base/errors.ts";
import { plural } from "../../base/plural.ts";
import type { KnobSettings } from "../config/knob-parse.ts";
import { type Budget, createKnobReader, type KnobReader } from "../config/knob-store.ts";
import { OWN_FAMILY } from "../config/own-id.ts";
import { otherFacts, otherPolicy, type Policy } from "../config/policy.ts";
import type { Target } from "../config/targets.ts";
import { Editor } from "../ir/edit.ts";
import { sameFunc } from "../ir/equal.ts";
import type { Func, Module } from "../ir/types.ts";
import type { Pass, PassOutcome } from "../passes/pass.ts";
import { keepRecords } from "../passes/shared/control-flow/control-flow-service.ts";
import type { Fuel, Interventions, PermitReport } from "../remark/permits.ts";
import { Remarks } from "../remark/remarks.ts";
import type { RuleTable } from "../remark/rules.ts";
import type { Facts } from "../trace/event.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { Recording } from "../trace/recording.ts";
import type { Told } from "./future-plan.ts";
import { effectiveLevel, evaluateGates, type GateStep, type GateVerdict } from "./gates.ts";
import { addOther, hearBeside } from "./other-policy.ts";
import type { Plan, PlannedRun } from "./plan.ts";

/** What a pass needs in addition to the function. `level` is the effective one. */
export interface PassEnvironment {
  readonly module: Module;
  readonly target: Target;
  readonly level: number;
  readonly policy: Policy;
  readonly knobs: KnobSettings;
  readonly rec: Recorder;
  readonly fuel?: Fuel | null;
  readonly interventions?: Omit<Interventions, "fuel"> | null;
  /** What `--no-phase` named: a pass with named parts leaves those out. */
  readonly noPhase?: ReadonlySet<string>;
}

export interface PassResult {
  /** The function given when nothing at all was edited, else a new one that shares every block it did not touch. */
  readonly fn: Func;
  /** null when the pass failed. */
  readonly outcome: PassOutcome | null;
  /** The program changed, not only annotations. */
  readonly changed: boolean;
  /** An internal error's message; then `fn` is the function given. */
  readonly error: string | null;
  /** The permits that rewrites requested and the effect of the interventions; null if the pass failed or requests none. */
  readonly permits: PermitReport | null;
}

const NOTHING_SKIPPED: ReadonlySet<string> = new Set();
const NO_INTERVENTIONS: Omit<Interventions, "fuel"> = { skips: new Set(), drops: new Set() };
const NO_RULES: RuleTable = {};

/** Runs a pass's code, without gates and without the phase's own events. `fn` stays valid and unchanged. */
export function runPassOnce(pass: Pass, id: string, fn: Func, env: PassEnvironment): PassResult {
  const edit = new Editor(fn, env.rec);
  const { module, target, level, policy, rec } = env;
  const asks = pass.rules !== undefined;
  const fuel = env.fuel ?? null;
  const knobs = withFuel(createKnobReader(env.knobs, env.rec), asks ? null : fuel);
  const remark = new Remarks(edit, rec, pass.rules ?? NO_RULES, { ...(env.interventions ?? NO_INTERVENTIONS), fuel });
  const version = fn.version;
  const spentBefore = fuel?.left ?? 0;
  const recording = rec instanceof Recording ? rec : null;
  if (recording !== null) recording.inPass = true;
  try {
    const outcome = pass.run({ id, edit, remark, rec, knobs, target, level, policy, module, skipped: env.noPhase ?? NOTHING_SKIPPED });
    fuel?.snapshots?.end(edit);
    keepRecords(fn, edit, { rule: pass.records ?? null, remark, rec });
    // Rewrites that went through no budget are counted afterwards.
    if (fuel !== null && !asks) fuel.left = Math.min(fuel.left, spentBefore - outcome.rewrites);
    const result = edit.func.version === version ? fn : edit.func;
    return { fn: result, outcome, changed: edit.editCount > 0, error: null, permits: asks ? remark.report() : null };
  } catch (error) {
    return { fn, outcome: null, changed: false, error: messageOf(error), permits: null };
  } finally {
    if (recording !== null) recording.inPass = false;
  }
}

export interface PhaseResult extends PassResult {
  readonly ran: boolean;
  /** Why it did not run, or why it changed nothing; null when it changed something. */
  readonly reason: string | null;
  readonly gates: readonly GateStep[];
}

/** The facts of a plan that one phase sees. */
export type PhasePlan = Pick<Plan, "target" | "level" | "policy" | "knobs" | "noPhase" | "afterCicc">;

export interface PhaseContext {
  readonly module: Module;
  readonly plan: PhasePlan;
  readonly rec: Recorder;
  readonly fuel?: Fuel | null;
  readonly interventions?: Omit<Interventions, "fuel"> | null;
}

/**
 * Tries the gates of a planned run and runs its pass. `pass` undefined: not modelled, or not part of this build.
 * Records a span for the phase, one `gate` event per gate, the pass's events, and a closing note; those of the pipeline carry `facts.pipeline`.
 */
export function runPhase(planned: PlannedRun, pass: Pass | undefined, fn: Func, given: PhaseContext): PhaseResult {
  const ctx = withTold(given, planned.told);
  const { rec, plan } = ctx;
  if (rec.on) {
    const facts = { pipeline: true, phase: planned.position?.number ?? null, id: planned.id, name: planned.name, ...sizes(fn) };
    rec.begin("span", 1, "the phase begins: {blocks} {blocks:block|blocks}, {instructions} {instructions:instruction|instructions}", facts);
  }
  const verdict = planned.position === null ? OPEN : evaluateGates(planned.position, plan);
  if (rec.on) {
    for (const step of verdict.steps) {
      const { gate, ok, knob, sentence, other } = step;
      const beside = other === null ? {} : otherFacts(other.policy, other.ok ? "yes" : "no", other.sentence);
      rec.event("gate", 1, "{sentence}", { pipeline: true, gate, ok, knob, sentence, ...beside });
    }
  }
  const heard = rec.on;
  const fuel = ctx.fuel ? { left: ctx.fuel.left } : null;
  const result = verdict.runs ? runOpen(planned, pass, fn, ctx, verdict.steps) : closed(fn, verdict.reason, verdict.steps);
  const other = heard ? runOther(planned, pass, fn, { ...ctx, fuel }, verdict.runs) : null;
  if (rec.on) {
    rec.end();
    const facts = {
      pipeline: true,
      id: planned.id,
      name: planned.name,
      changed: result.changed,
      said: sayResult(result),
      ...sizes(result.fn),
      ...sayOther(other, result, otherPolicy(plan.policy)),
    };
    const further = result.outcome?.further ?? null;
    if (further === null) rec.event("note", 1, "the phase ends: {said}", facts);
    else rec.event("note", 1, "the phase ends: {said}. A further run may find more, since {further}", { ...facts, further });
  }
  return result;
}

/** The context with the interventions of this run. */
function withTold(ctx: PhaseContext, told: Told | undefined): PhaseContext {
  if (told === undefined) return ctx;
  const plan = told.knobs === null ? ctx.plan : { ...ctx.plan, knobs: told.knobs };
  return { ...ctx, plan, interventions: { skips: told.skips, drops: told.drops } };
}

const OPEN: GateVerdict = { runs: true, reason: null, steps: [] };

/**
 * The phase under the other policy, on the same input; null where the policy decides nothing. Its decisions are reported next to those recorded; of a
 * recording that was cut, only up to the cut. `ended`: its run was so long that it was not finished.
 */
function runOther(planned: PlannedRun, pass: Pass | undefined, fn: Func, ctx: PhaseContext, runs: boolean): PhaseResult | "ended" | null {
  const plan = { ...ctx.plan, policy: otherPolicy(ctx.plan.policy) };
  const verdict = planned.position === null ? OPEN : evaluateGates(planned.position, plan);
  if (!verdict.runs) return runs ? closed(fn, verdict.reason, verdict.steps) : null;
  if (pass === undefined || (runs && pass.readsPolicy !== true)) return null;
  const { rec } = ctx;
  if (!(rec instanceof Recording)) return runOpen(planned, pass, fn, { ...ctx, plan, rec: NO_RECORDER }, verdict.steps);
  const heard = hearBeside(rec, plan.policy);
  const result = runOpen(planned, pass, fn, { ...ctx, plan, rec: heard.recorder }, verdict.steps);
  addOther(rec, heard);
  return heard.ended ? "ended" : result;
}

/** The other policy's result of the whole phase, for the closing note. */
function sayOther(other: PhaseResult | "ended" | null, own: PhaseResult, policy: Policy): Facts {
  if (other === null) return otherFacts(policy, "same", "the same: nothing here depends on the policy");
  if (other === "ended") return otherFacts(policy, "unknown", "not known: that run takes more steps than are compared, and was ended");
  if (sameFunc(other.fn, own.fn)) return otherFacts(policy, "same", `the same program (${sayResult(other)})`);
  return otherFacts(policy, "other", `a different program (${sayResult(other)})`);
}

function runOpen(planned: PlannedRun, pass: Pass | undefined, fn: Func, ctx: PhaseContext, gates: readonly GateStep[]): PhaseResult {
  if (pass === undefined) return closed(fn, "this build has no code for it", gates);
  const { module, plan, rec } = ctx;
  const level = effectiveLevel(plan.level, plan.knobs);
  const env = {
    module,
    target: plan.target,
    level,
    policy: plan.policy,
    knobs: plan.knobs,
    rec,
    fuel: ctx.fuel ?? null,
    interventions: ctx.interventions ?? null,
    noPhase: plan.noPhase,
  };
  const result = runPassOnce(pass, planned.id, fn, env);
  if (result.error !== null) {
    const what = pass.family === OWN_FAMILY ? "stopped by an error" : "stopped by an internal error";
    return { ...result, ran: true, reason: `${what}: ${result.error}`, gates };
  }
  return { ...result, ran: true, reason: result.changed ? null : (result.outcome?.why ?? "no candidate"), gates };
}

/** A position whose pass does not run. */
export function closed(fn: Func, reason: string | null, gates: readonly GateStep[]): PhaseResult {
  return { fn, outcome: null, changed: false, error: null, permits: null, ran: false, reason, gates };
}

/** The one-line summary of what a phase did. */
export function sayResult(result: Pick<PhaseResult, "changed" | "outcome" | "reason">): string {
  const { changed, outcome, reason } = result;
  if (outcome === null) return reason ?? "nothing was done";
  const counted = `${plural(outcome.matches, "match", "matches")}, ${plural(outcome.rewrites, "rewrite")}`;
  return changed ? counted : `nothing changed (${counted}): ${reason ?? "no candidate"}`;
}

/** Blocks in the layout and instructions in them. */
export function sizes(fn: Func): { readonly blocks: number; readonly instructions: number } {
  let instructions = 0;
  for (const id of fn.layout) instructions += fn.blocks[id]?.insts.length ?? 0;
  return { blocks: fn.layout.length, instructions };
}

/**
 * A reader whose budgets also spend fuel: a budget refuses when either is used up. For passes without a rule table; those with one ask before
 * each rewrite (`remark/permits.ts`).
 */
function withFuel(reader: KnobReader, fuel: Fuel | null): KnobReader {
  if (fuel === null) return reader;
  return { ...reader, budget: (key, line) => fuelled(reader.budget(key, line), fuel) };
}

function fuelled(budget: Budget, fuel: Fuel): Budget {
  return {
    limit: budget.limit,
    get spent() {
      return budget.spent;
    },
    take(line) {
      if (fuel.left <= 0 || !budget.take(line)) return false;
      fuel.left--;
      return true;
    },
  };
}
