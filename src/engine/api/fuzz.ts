/** Tries the registered passes on random programs: settings as a person writes them in, plain results out. */

import { type CaseOptions, runCase } from "../exec/campaign.ts";
import { isProfile, PROFILES } from "../exec/generate/options.ts";
import { PASSES } from "../passes/registry.ts";
import { parseKnobs } from "../pipeline/knob-parse.ts";
import { lookupPhase } from "../pipeline/named-phases.ts";
import { isPolicy, POLICIES } from "../pipeline/policy.ts";
import { isTargetId, TARGETS, targetOf } from "../pipeline/targets.ts";

/** null: drawn from the seed; for `phase`: every position, and the whole pipeline. */
export interface FuzzSettings {
  readonly phase: string | null;
  readonly profile: string | null;
  readonly target: string | null;
  readonly policy: string | null;
  readonly knobs: readonly string[];
  readonly inputs: number;
  readonly size: number | null;
  /** Record and replay, too. */
  readonly trace: boolean;
  /** Make failures small. */
  readonly shrink: boolean;
}

export interface FuzzFailure {
  readonly seed: number;
  readonly profile: string;
  /** Position and promise that was broken: `ori-branch-opt: meaning`. */
  readonly kind: string;
  readonly id: string;
  readonly law: string;
  /** The difference, or what the verifier says, in one line. */
  readonly message: string;
  readonly instructions: number;
  /** The program as Ori text, with comments that say how to repeat it. */
  readonly text: string;
}

export interface FuzzCase {
  /** Runs of a pass, and those that changed something. */
  readonly runs: number;
  readonly changed: number;
  readonly failures: readonly FuzzFailure[];
}

export interface Fuzzer {
  /** Positions that are tried. */
  readonly positions: number;
  readonly try: (seed: number) => FuzzCase;
}

export const FUZZ_PROFILES: readonly string[] = PROFILES;
export const FUZZ_POLICIES: readonly string[] = POLICIES;

const SHRINK_ATTEMPTS = 2000;

/** A fuzzer with these settings, or what is wrong with them. */
export function createFuzzer(settings: FuzzSettings): Fuzzer | string {
  const { profile, target, policy, knobs, size } = settings;
  if (profile !== null && !isProfile(profile)) return `there is no profile ${profile}; known are ${PROFILES.join(", ")}`;
  if (target !== null && !isTargetId(target)) return `there is no target ${target}; known are ${TARGETS.map((t) => t.id).join(", ")}`;
  if (policy !== null && !isPolicy(policy)) return `there is no policy ${policy}; known are ${POLICIES.join(", ")}`;
  const parsed = parseKnobs(knobs);
  if (parsed.errors[0] !== undefined) return parsed.errors[0].message;
  const ids = settings.phase === null ? null : idsOf(settings.phase);
  if (typeof ids === "string") return ids;
  const options: Omit<CaseOptions, "seed"> = {
    profile,
    ids,
    passes: PASSES,
    inputs: settings.inputs,
    ...(size === null ? {} : { size }),
    trace: settings.trace,
    shrink: settings.shrink ? SHRINK_ATTEMPTS : 0,
    settings: {
      ...(target === null ? {} : { target: targetOf(target) }),
      ...(policy === null ? {} : { policy }),
      ...(knobs.length === 0 ? {} : { knobs: parsed.settings }),
    },
  };
  return { positions: ids?.length ?? PASSES.flatMap((pass) => pass.ids).length, try: (seed) => tryCase({ ...options, seed }) };
}

function tryCase(options: CaseOptions): FuzzCase {
  const { runs, changed, failures } = runCase(options);
  return {
    runs,
    changed,
    failures: failures.map(({ seed, profile, violation, instructions, text }) => {
      const { law, message, subject } = violation;
      // A counterexample begins with its input and ends with the difference.
      const lines = message.split("\n");
      const said = lines.at(law === "meaning" ? -1 : 0) ?? "";
      return { seed, profile, kind: `${subject.id}: ${law}`, id: subject.id, law, message: said, instructions, text };
    }),
  };
}

function idsOf(name: string): readonly string[] | string {
  const found = lookupPhase(name);
  if (!found.ok) return found.message;
  const registered = found.ids.filter((id) => PASSES.some((pass) => pass.ids.includes(id)));
  return registered.length === 0 ? `${name} is not registered` : registered;
}
