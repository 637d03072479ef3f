/** Turns options as a person writes them into a plan: target, level, knobs and the list of positions to run, or located errors. */

import { type KnobSettings, parseKnobs } from "../config/knob-parse.ts";
import { isPolicy, type Policy } from "../config/policy.ts";
import { DEFAULT_TARGET_ID, resolveTarget, TARGETS, type Target, targetOf } from "../config/targets.ts";
import { isPassId, type PassId, POSITIONS, type Position, positionAt, positionOf } from "../passes/positions.ts";
import { checkOrder } from "./constraints.ts";
import { DEFAULT_LEVEL, DEFAULT_POLICY } from "./defaults.ts";
import { planFuture, type Told } from "./future-plan.ts";
import { MAX_LEVEL, MIN_LEVEL } from "./gates.ts";
import type { Intervention, Place } from "./intervention.ts";
import { lookupPhase, type RunnableId, subPassName } from "./named-phases.ts";

/** What a user sets. The facade's `PipelineOptions` has these fields, too. */
export interface PlanOptions {
  /** null: the text's `.target`, else sm_90. */
  readonly target: string | null;
  readonly level: number;
  readonly policy: string;
  readonly knobs: readonly string[];
  readonly noPhases: readonly string[];
  readonly namedPhases: readonly string[];
  /** Position numbers or names, to run in this order; null: the whole pipeline. */
  readonly phases: readonly string[] | null;
  /** Stop before this position; null: run to the end. */
  readonly until: string | null;
  /** The changes to the pipeline; none by default. */
  readonly interventions?: readonly Intervention[];
  /** A user's pass among the runs; none by default or if null. */
  readonly own?: PlannedOwn | null;
}

/** A pass that is not in the registry. */
export interface PlannedOwn {
  readonly name: string;
  /** null: alone, without the pipeline. */
  readonly at: Place | null;
}

export interface PlanProblem {
  readonly severity: "error" | "warning" | "info";
  /** PIPE001 target, 002 level, 003 policy, 004 phase name, 005 order, 006 target approximated, 008 option without effect, 011 an address that names nothing, 013 a condition that cannot be dropped, 014 a position that does not exist; KNOB001–004 as in `knob-parse.ts`. */
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | null;
}

/** One thing to run. `position` is null for a sub-pass, which has a name but no position. */
export interface PlannedRun {
  readonly id: string;
  readonly name: string;
  readonly position: Position | null;
  /** Why it is not reached at all; null: it is run if its gates are open. */
  readonly beyond: string | null;
  /** Its key where there are interventions: `r12` by its index in the plan without them, `gvn-cse+1` when it was inserted. */
  readonly address?: string;
  /** Its interventions; none by default. */
  readonly told?: Told;
}

export interface Plan {
  readonly target: Target;
  /** As in the options, 0 to 4. */
  readonly level: number;
  readonly policy: Policy;
  readonly knobs: KnobSettings;
  readonly noPhase: ReadonlySet<RunnableId>;
  /** As in `GateEnvironment`. */
  readonly afterCicc: boolean;
  readonly runs: readonly PlannedRun[];
  /** As given in the options. */
  readonly interventions: readonly Intervention[];
}

/** Always returns a plan: options that cannot be read fall back to their defaults and are reported; a plan with an error among its problems should not be run. */
export function planPipeline(
  options: PlanOptions,
  moduleTarget: string | null,
  /** The text is PTX. */
  isPtx = false,
): { readonly plan: Plan; readonly problems: readonly PlanProblem[] } {
  const problems: PlanProblem[] = [];
  const parsed = parseKnobs(options.knobs);
  for (const error of parsed.errors) {
    problems.push({ severity: "error", code: error.code, message: error.message, suggestion: error.suggestion });
  }
  const policy = isPolicy(options.policy) ? options.policy : DEFAULT_POLICY;
  if (policy !== options.policy) {
    problems.push({ severity: "error", code: "PIPE003", message: `There is no policy '${options.policy}'.`, suggestion: "notes" });
  }
  const noPhase = new Set(options.noPhases.flatMap((name) => idsOf(name, problems)));
  const interventions = options.interventions ?? [];
  const plan: Plan = {
    target: chooseTarget(options.target ?? moduleTarget, problems),
    level: chooseLevel(options.level, problems),
    policy,
    knobs: parsed.settings,
    noPhase,
    afterCicc: isPtx && options.phases === null && options.namedPhases.length === 0,
    runs: planFuture(chooseRuns(options, problems), interventions, options.own ?? null, { knobs: parsed.settings, planRun, problems }),
    interventions,
  };
  if (interventions.some((i) => i.kind === "insert" || i.kind === "move")) warnOfOrder(plan.runs, problems);
  return { plan, problems };
}

function warnOfOrder(runs: readonly PlannedRun[], problems: PlanProblem[]): void {
  const ids = runs.filter((run) => run.beyond === null).map((run) => run.id);
  for (const violation of checkOrder(ids.filter((id): id is PassId => isPassId(id)))) {
    problems.push({ severity: "warning", code: "PIPE005", message: violation.message, suggestion: null });
  }
}

function chooseTarget(text: string | null, problems: PlanProblem[]): Target {
  if (text === null) return targetOf(DEFAULT_TARGET_ID);
  const found = resolveTarget(text);
  if (found === null) {
    const known = TARGETS.map((t) => t.id).join(", ");
    problems.push({
      severity: "error",
      code: "PIPE001",
      message: `There is no target '${clip(text)}'; known: ${known}.`,
      suggestion: DEFAULT_TARGET_ID,
    });
    return targetOf(DEFAULT_TARGET_ID);
  }
  if (found.match !== "exact") {
    const which = found.match === "older" ? "the nearest older one" : "the oldest one known";
    const message = `Target ${clip(text)} is not modelled; using ${found.target.id}, ${which}.`;
    problems.push({ severity: "info", code: "PIPE006", message, suggestion: null });
  }
  return found.target;
}

function chooseLevel(level: number, problems: PlanProblem[]): number {
  if (Number.isInteger(level) && level >= MIN_LEVEL && level <= MAX_LEVEL) return level;
  problems.push({
    severity: "error",
    code: "PIPE002",
    message: `The level must be from ${MIN_LEVEL} to ${MAX_LEVEL}, not ${level}.`,
    suggestion: String(DEFAULT_LEVEL),
  });
  return DEFAULT_LEVEL;
}

function chooseRuns(options: PlanOptions, problems: PlanProblem[]): readonly PlannedRun[] {
  if (options.own?.at === null) return [];
  const listed = options.namedPhases.length > 0 ? options.namedPhases : options.phases;
  if (options.namedPhases.length > 0 && options.phases !== null) {
    const message = "Both a list of phases and a list of named phases are given: only the named phases run.";
    problems.push({ severity: "warning", code: "PIPE008", message, suggestion: null });
  }
  if (listed === null) return untilPosition(POSITIONS.map(planPosition), options.until, problems);
  const ids = listed.flatMap((name) => idsOf(name, problems));
  const runs = ids.map(planRun);
  warnOfOrder(runs, problems);
  return untilPosition(runs, options.until, problems);
}

function planRun(id: RunnableId): PlannedRun {
  return isPassId(id) ? planPosition(positionOf(id)) : { id, name: subPassName(id), position: null, beyond: null };
}

function untilPosition(runs: readonly PlannedRun[], until: string | null, problems: PlanProblem[]): readonly PlannedRun[] {
  if (until === null) return runs;
  const number = /^\d{1,3}$/.test(until.trim()) ? positionAt(Number(until)) : undefined;
  const stop = number?.id ?? idsOf(until, problems)[0];
  if (stop === undefined) return runs;
  const at = runs.findIndex((run) => run.id === stop);
  if (at < 0) {
    const message = `The run does not stop before '${clip(until)}': it is not one of the requested phases.`;
    problems.push({ severity: "warning", code: "PIPE008", message, suggestion: null });
    return runs;
  }
  const reason = `the run was asked to stop before ${runs[at]?.name ?? until}`;
  return runs.map((run, i) => (i < at ? run : { ...run, beyond: reason }));
}

function planPosition(position: Position): PlannedRun {
  return { id: position.id, name: position.name ?? position.id, position, beyond: null };
}

function idsOf(name: string, problems: PlanProblem[]): readonly RunnableId[] {
  const found = lookupPhase(name);
  if (found.ok) return found.ids;
  problems.push({ severity: "error", code: "PIPE004", message: found.message, suggestion: found.suggestion });
  return [];
}

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
