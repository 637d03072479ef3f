/** The gates of each pass: whether it runs at a level, on a target, with these knobs, and the one that closed it. */

import type { KnobSettings } from "../config/knob-parse.ts";
import { knobValue } from "../config/knob-store.ts";
import { type KnobKey, knobLabel, knobOf } from "../config/knobs.ts";
import { otherPolicy, type Policy } from "../config/policy.ts";
import type { Target } from "../config/targets.ts";
import type { GateAbout } from "../passes/about.ts";
import { aboutPhase, type PassId, type Position, passName } from "../passes/positions.ts";
import type { RunnableId } from "./named-phases.ts";

/** Optimization levels, as `-O` takes them. */
export const MIN_LEVEL = 0;
export const MAX_LEVEL = 4;

export interface GateEnvironment {
  /** The level of the options, 0 to 4. */
  readonly level: number;
  readonly target: Target;
  readonly knobs: KnobSettings;
  readonly policy: Policy;
  /** What `--no-phase` named. */
  readonly noPhase: ReadonlySet<RunnableId>;
  /** The text is PTX as a compiler wrote it, and nothing names the phases before it. */
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

/** A gate, and the other policy's decision if it differs. */
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

/** By the environment of the plan: gates read nothing else, so that the kernels of a module share their verdicts. */
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

/** The lowest level at which a pass runs under a policy; 0: always. */
export const minimumLevel = (pass: PassId, policy: Policy): number => aboutPhase(pass)?.level?.[policy] ?? 0;

function levelGate(pass: PassId): Gate {
  return ({ level, knobs, policy }) => {
    const needed = minimumLevel(pass, policy);
    const effective = effectiveLevel(level, knobs);
    const capped = effective < level;
    const have = capped ? `level ${effective} (knob 499, OptBudget, caps -O${level})` : `-O${level}`;
    const ok = effective >= needed;
    const open = capped ? `${have} allows it, which needs level ${needed}` : `enabled at -O${needed} and above`;
    const sentence = ok ? open : `needs level ${needed}, but this is ${have}`;
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
      sentence: skipped ? `skipped by --no-phase ${spelling}` : `${spelling} is not switched off by --no-phase`,
      knob: null,
    };
  };
}

function numberedLabel(key: KnobKey): string {
  const knob = knobOf(key);
  const label = knobLabel(knob);
  return knob.index === null || knob.name === null ? label : `knob ${knob.index} (${label})`;
}

/** A gate of the pass itself. */
const further =
  (about: GateAbout): Gate =>
  ({ knobs, target, policy, afterCicc }) => {
    const answer = about.test({ knob: (key) => knobValue(knobs, key), target, policy, afterCicc });
    if (answer === null) return null;
    const knob = answer.knob ?? about.knob;
    const sentence = knob === null ? answer.sentence : `${numberedLabel(knob)} ${answer.sentence}`;
    return { gate: about.gate, ok: answer.ok, sentence, knob };
  };

function gatesOf(pass: PassId): readonly Gate[] {
  const { level, gates = [] } = aboutPhase(pass) ?? {};
  return [noPhaseGate(pass), ...(level === undefined ? [] : [levelGate(pass)]), ...gates.map(further)];
}
