/** The gates of each pass: whether it runs at a level, on a target, with these knobs, and the one that closed it. */

import type { KnobSettings } from "../config/knob-parse.ts";
import { knobValue } from "../config/knob-store.ts";
import { type KnobKey, knobLabel, knobOf } from "../config/knobs.ts";
import { otherPolicy, type Policy } from "../config/policy.ts";
import { type PassId, type Position, passName } from "../config/positions.ts";
import type { BackendSlot, SlotPhase, Target } from "../config/targets.ts";
import type { RunnableId } from "./named-phases.ts";

/** Optimization levels, as `-O` takes them. */
export const MIN_LEVEL = 0;
export const MAX_LEVEL = 4;

export interface GateEnvironment {
  /** The level asked for, 0 to 4. */
  readonly level: number;
  readonly target: Target;
  readonly knobs: KnobSettings;
  readonly policy: Policy;
  /** What `--no-phase` named. */
  readonly noPhase: ReadonlySet<RunnableId>;
  /** The text is PTX as a compiler wrote it, and nothing asks for the phases before it by name. */
  readonly afterCicc: boolean;
}

/** One gate as it was tried. */
export interface GateResult {
  readonly gate: "modelled" | "no-phase" | "level" | "knob" | "slot" | "policy";
  readonly ok: boolean;
  readonly sentence: string;
  /** The knob that the gate reads, if it reads one. */
  readonly knob: KnobKey | null;
}

/** A gate, and what the other policy would say where it decides otherwise. */
export interface GateStep extends GateResult {
  readonly other: { readonly policy: Policy; readonly ok: boolean; readonly sentence: string } | null;
}

export interface GateVerdict {
  readonly runs: boolean;
  /** The sentence of the closed gate; null when the phase runs. */
  readonly reason: string | null;
  /** The gates in the order they were tried, up to the first closed one. */
  readonly steps: readonly GateStep[];
}

/** null: the gate is none of this text. */
type Gate = (env: GateEnvironment) => GateResult | null;

/** By the plan that was asked with: gates read nothing else, so that the kernels of a module share their verdicts. */
const verdicts = new WeakMap<GateEnvironment, Map<Position, GateVerdict>>();

/** Tries the gates of a position in order and stops at the first closed one. Gates on the state of a function belong to the passes. */
export function evaluateGates(position: Position, env: GateEnvironment): GateVerdict {
  let known = verdicts.get(env);
  if (known === undefined) {
    known = new Map();
    verdicts.set(env, known);
  }
  let verdict = known.get(position);
  if (verdict === undefined) {
    verdict = tryGates(position, env);
    known.set(position, verdict);
  }
  return verdict;
}

function tryGates(position: Position, env: GateEnvironment): GateVerdict {
  if (position.pass === null) {
    const step: GateStep = { gate: "modelled", ok: false, sentence: "not modelled", knob: null, other: null };
    return { runs: false, reason: step.sentence, steps: [step] };
  }
  const steps: GateStep[] = [];
  const policy = otherPolicy(env.policy);
  for (const gate of gatesOf(position.pass)) {
    const step = gate(env);
    if (step === null) continue;
    const other = gate({ ...env, policy });
    steps.push({ ...step, other: other === null || other.ok === step.ok ? null : { policy, ok: other.ok, sentence: other.sentence } });
    if (!step.ok) return { runs: false, reason: step.sentence, steps };
  }
  return { runs: true, reason: null, steps };
}

/** The level that the phases see: knob 499 (OptBudget) at 0 caps it at 1. */
export const effectiveLevel = (level: number, knobs: KnobSettings): number =>
  knobValue(knobs, "opt-budget") === 0 ? Math.min(level, 1) : level;

type LevelByPolicy = Readonly<Record<Policy, number>>;

const at = (notes: number, measured: number): LevelByPolicy => ({ notes, measured });

/**
 * The lowest level at which each pass runs; absent: every level. 'notes': levels of the reference pages (`sub_7DDB50`). 'measured': ptxas
 * 13.0.88 does all of this from -O1, except commoning across blocks, which starts at -O2.
 */
const STATED_LEVELS: Partial<Record<PassId, LevelByPolicy>> = {
  "analyze-control-flow": at(1, 1),
  "general-optimize-early": at(2, 1),
  "do-switch-opt-first": at(2, 1),
  "ori-branch-opt": at(2, 1),
  "general-optimize": at(2, 1),
  "do-switch-opt-second": at(2, 1),
  "general-optimize-mid": at(2, 1),
  "optimize-nested-cond-branches": at(2, 1),
  "general-optimize-mid2": at(2, 1),
  "ori-reassociate-and-common": at(2, 1),
  "general-optimize-late": at(3, 1),
  "late-ori-commoning": at(2, 2),
  "general-optimize-late2": at(2, 1),
};

/** Levels that the reference leaves open: chosen so that -O0 optimizes nothing and predication starts where it was measured. */
const CHOSEN_LEVELS: Partial<Record<PassId, LevelByPolicy>> = {
  "branch-folding": at(1, 1),
  "ori-perform-live-dead-first": at(1, 1),
  "ori-linear-replacement": at(2, 1),
  "ori-perform-live-dead-second": at(1, 1),
  "gvn-cse": at(1, 1),
  "ori-perform-live-dead-third": at(1, 1),
  "ori-do-predication": at(1, 1),
  "advanced-phase-back-prop-vreg": at(1, 1),
  "ori-back-copy-propagate": at(1, 1),
  "ori-perform-live-dead-fourth": at(1, 1),
  "merge-equivalent-conditional-flow": at(2, 2),
  "late-merge-equivalent-conditional-flow": at(2, 2),
};

const MINIMUM_LEVELS: Partial<Record<PassId, LevelByPolicy>> = { ...STATED_LEVELS, ...CHOSEN_LEVELS };

/** The lowest level at which a pass runs under a policy; 0: always. */
export const minimumLevel = (pass: PassId, policy: Policy): number => MINIMUM_LEVELS[pass]?.[policy] ?? 0;

function levelGate(pass: PassId): Gate {
  return ({ level, knobs, policy }) => {
    const needed = minimumLevel(pass, policy);
    const effective = effectiveLevel(level, knobs);
    const capped = effective < level;
    const have = capped ? `level ${effective} (knob 499, OptBudget, caps -O${level})` : `-O${level}`;
    const ok = effective >= needed;
    const sentence = ok ? `${have} is enough: level ${needed} is needed` : `needs level ${needed}, but this is ${have}`;
    return { gate: "level", ok, sentence, knob: capped ? "opt-budget" : null };
  };
}

function noPhaseGate(pass: PassId): Gate {
  const spelling = passName(pass);
  return ({ noPhase }) => {
    const skipped = noPhase.has(pass);
    return {
      gate: "no-phase",
      ok: !skipped,
      sentence: skipped ? `skipped by --no-phase ${spelling}` : `--no-phase does not name ${spelling}`,
      knob: null,
    };
  };
}

function numberedLabel(key: KnobKey): string {
  const knob = knobOf(key);
  const label = knobLabel(knob);
  return knob.index === null || knob.name === null ? label : `knob ${knob.index} (${label})`;
}

const closedBy = (key: KnobKey, ok: boolean, open: string, closed: string): GateResult => ({
  gate: "knob",
  ok,
  sentence: `${numberedLabel(key)} ${ok ? open : closed}`,
  knob: key,
});

/** A switch that must be on. */
const enable =
  (key: KnobKey): Gate =>
  ({ knobs }) =>
    closedBy(key, knobValue(knobs, key) === true, "is on", "is off, which turns this phase off");

/** A switch that must not be set. */
const veto =
  (key: KnobKey): Gate =>
  ({ knobs }) =>
    closedBy(key, knobValue(knobs, key) !== true, "is not set", "is set, which skips this phase");

const nonZero =
  (key: KnobKey): Gate =>
  ({ knobs }) =>
    closedBy(key, knobValue(knobs, key) !== 0, "is not 0", "is 0, which turns this phase off");

/** Its symbol is in the table of what each backend holds. */
const slotName = (target: Target, slot: BackendSlot): string =>
  slot.slot === null ? target.backend.id : `${target.backend.id}, slot ${slot.slot}`;

function slotGate(phase: SlotPhase): (env: GateEnvironment) => GateResult {
  return ({ target }) => {
    const slot = target.backend.slots[phase];
    const where = slotName(target, slot);
    if (slot.handler === "no-op") return { gate: "slot", ok: false, sentence: `no-op on this target (${where})`, knob: null };
    const which = slot.handler === "A" || slot.handler === "B" ? `handler ${slot.handler}` : "a body";
    return { gate: "slot", ok: true, sentence: `${which} on this target (${where})`, knob: null };
  };
}

/** The oldest generation that ptxas 13.0.88 still compiles for, and that was measured. */
const MEASURED_GENERATION = 7;

/** The stub of phase 49 is what the reference says; the measured compiler commons across blocks on every architecture it has. */
const gvnSlot: Gate = (env) => {
  const step = slotGate(49)(env);
  if (step.ok || env.policy === "notes" || env.target.generation < MEASURED_GENERATION) return step;
  return {
    gate: "slot",
    ok: true,
    sentence: `${step.sentence} in the reference, but ptxas 13.0.88 commons across blocks here too`,
    knob: null,
  };
};

const gvnMode: Gate = ({ knobs }) => {
  const mode = knobValue(knobs, "gvn-mode");
  const ok = typeof mode !== "number" || (mode >= 1 && mode <= 6);
  return closedBy("gvn-mode", ok, `= ${mode} is a mode`, `= ${mode}, which does nothing (modes go from 1 to 6)`);
};

const commoningState: Gate = ({ knobs }) => {
  if (knobValue(knobs, "force-late-commoning") === true)
    return closedBy("force-late-commoning", true, "runs the phase whatever the function's commoning state", "");
  return closedBy(
    "late-commoning-state",
    knobValue(knobs, "late-commoning-state") === true,
    "says that the function's commoning state is on",
    "says that the function's commoning state is off, and ForceLateCommoning is off",
  );
};

/** Knob 31's extended value makes phase 58 ask for the dual-issue class. */
const extendedFold: Gate = ({ knobs, target }) => {
  const closed = knobValue(knobs, "allow-reassociate-cse") === 2 && target.backend.capabilities.dualIssue;
  return closedBy(
    "allow-reassociate-cse",
    !closed,
    "lets the phase run",
    `has its extended value, and ${target.backend.id} is a dual-issue backend`,
  );
};

const backProp: Gate = ({ knobs, target }) =>
  closedBy(
    "back-copy-prop-enable",
    knobValue(knobs, "back-copy-prop-enable") === true,
    "installs the body",
    `is off: ${target.backend.id} installs no backward copy propagation by itself`,
  );

/** Tail merging is in the reference; the measured compiler was never seen to do it. */
const tailsMerged: Gate = ({ policy }) => ({
  gate: "policy",
  ok: policy === "notes",
  sentence:
    policy === "notes" ? "policy 'notes' merges equal blocks" : "policy 'measured': ptxas 13.0.88 was never seen to merge equal blocks",
  knob: null,
});

/** A compiler wrote the PTX and folded its branches; what ptxas makes of it is measured without doing so again. */
const ciccIsDone: Gate = ({ policy, afterCicc }) =>
  afterCicc
    ? {
        gate: "policy",
        ok: policy === "notes",
        sentence:
          policy === "notes"
            ? "policy 'notes' runs it on PTX, too"
            : "policy 'measured': PTX has been through cicc, and ptxas begins after it; it runs where a list of phases names it",
        knob: null,
      }
    : null;

/** Gates after --no-phase and the level, in the order of the reference. */
const FURTHER: Partial<Record<PassId, readonly Gate[]>> = {
  "branch-folding": [ciccIsDone, veto("disable-branch-fold")],
  "analyze-control-flow": [veto("analyze-control-flow-veto")],
  "general-optimize-early": [veto("disable-early-and-branch-opt"), enable("general-opt-enable")],
  "do-switch-opt-first": [slotGate(14)],
  "ori-branch-opt": [veto("disable-early-and-branch-opt"), enable("general-opt-enable")],
  "general-optimize": [enable("general-opt-enable"), veto("skip-general-optimize"), nonZero("membar-flow-control")],
  "general-optimize-mid": [enable("general-opt-enable")],
  "general-optimize-mid2": [slotGate(46)],
  "gvn-cse": [enable("enable-gvn-cse"), gvnSlot, gvnMode],
  "ori-reassociate-and-common": [nonZero("allow-reassociate-cse"), slotGate(50)],
  "general-optimize-late": [extendedFold],
  "late-ori-commoning": [enable("general-opt-enable"), commoningState],
  "general-optimize-late2": [slotGate(65)],
  "advanced-phase-back-prop-vreg": [backProp],
  "ori-back-copy-propagate": [backProp],
  "merge-equivalent-conditional-flow": [tailsMerged],
  "late-merge-equivalent-conditional-flow": [tailsMerged],
};

function gatesOf(pass: PassId): readonly Gate[] {
  const gates: Gate[] = [noPhaseGate(pass)];
  if (MINIMUM_LEVELS[pass] !== undefined) gates.push(levelGate(pass));
  return [...gates, ...(FURTHER[pass] ?? [])];
}
