/** Tries the registered passes on random programs: settings as a person writes them in, plain results out. */

import { parseKnobs } from "../../config/knob-parse.ts";
import { isPolicy, POLICIES } from "../../config/policy.ts";
import { isTargetId, TARGETS, targetOf } from "../../config/targets.ts";
import {
  type CaseOptions,
  type Check,
  EVERY_LAW,
  type LawShares,
  NO_DRAWN_LAW,
  REFUSALS,
  runCase,
  SOME_LAWS,
} from "../../fuzz/campaign.ts";
import { generateText } from "../../fuzz/generate/generate.ts";
import { ALL_PROFILES, isProfile, PROFILES } from "../../fuzz/generate/options.ts";
import { PASSES } from "../../passes/registry.ts";
import { lookupPhase } from "../../pipeline/named-phases.ts";
import { reasonsOf } from "../../remark/rules.ts";

/** null: drawn from the seed; for `phase`: every position, and the whole pipeline. */
export interface FuzzSettings {
  /** One or several, with commas between; so is `profile`. */
  readonly phase: string | null;
  readonly profile: string | null;
  readonly target: string | null;
  readonly policy: string | null;
  readonly knobs: readonly string[];
  readonly inputs: number;
  readonly size: number | null;
  /** Conditions (reasons of the rule tables) that phases must assume: a campaign must find the resulting errors. */
  readonly drops: readonly string[];
  /** All laws on every check, not on drawn ones. */
  readonly everyLaw: boolean;
  /** None of the randomly drawn laws: only those that every result must satisfy, including the verifier and the meaning. */
  readonly noDrawn: boolean;
  /** Drawn sets of refused rewrites for each phase and program, for a run that is about them; null: some laws, one set. */
  readonly subsets: number | null;
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
  /** The difference, or the verifier's message, in one line. */
  readonly message: string;
  readonly instructions: number;
  /** The program as Ori text, with comments that say how to repeat it. */
  readonly text: string;
}

/** One phase on one program under one policy. */
export interface FuzzCheck {
  readonly id: string;
  readonly policy: string;
  readonly changed: boolean;
  /** The result was equal to that of another check of the program, and was not run again. */
  readonly known: boolean;
  /** Settings other than the defaults, as assignments. */
  readonly knobs: readonly string[];
  readonly repeated: boolean;
  readonly printed: boolean;
  /** Sets of its rewrites that were refused and judged. */
  readonly subsets: number;
  readonly traced: boolean;
}

export interface FuzzCase {
  readonly profile: string;
  readonly target: string;
  readonly checks: readonly FuzzCheck[];
  /** Phases that ran when the whole pipeline was tried, each verified; empty when it was not. */
  readonly pipeline: readonly string[];
  readonly failures: readonly FuzzFailure[];
}

export interface Fuzzer {
  /** Ids of the positions and sub-passes that are tried. */
  readonly positions: readonly string[];
  readonly try: (seed: number) => FuzzCase;
}

export const FUZZ_PROFILES: readonly string[] = ALL_PROFILES;
export const FUZZ_POLICIES: readonly string[] = POLICIES;

const SHRINK_ATTEMPTS = 2000;
const SHRUNK_OF_A_KIND = 3;

/** A fuzzer with these settings, or what is wrong with them. */
export function createFuzzer(settings: FuzzSettings): Fuzzer | string {
  const { profile, target, policy, knobs, size } = settings;
  const profiles = profile === null ? null : profile.split(",");
  const unknown = profiles?.find((name) => !isProfile(name));
  if (unknown !== undefined) return `there is no profile ${unknown}; known are ${ALL_PROFILES.join(", ")}`;
  const undroppable = settings.drops.find((reason) => !PASSES.some((pass) => reasonOf(pass, reason)));
  if (undroppable !== undefined) return `no phase has a condition ${undroppable} that can be dropped`;
  if (target !== null && !isTargetId(target)) return `there is no target ${target}; known are ${TARGETS.map((t) => t.id).join(", ")}`;
  if (policy !== null && !isPolicy(policy)) return `there is no policy ${policy}; known are ${POLICIES.join(", ")}`;
  const parsed = parseKnobs(knobs);
  if (parsed.errors[0] !== undefined) return parsed.errors[0].message;
  const ids = settings.phase === null ? null : idsOf(settings.phase);
  if (typeof ids === "string") return ids;
  const kinds = new Map<string, number>();
  const options: Omit<CaseOptions, "seed"> = {
    profiles: profiles === null ? null : profiles.filter(isProfile),
    ids,
    passes: PASSES,
    inputs: settings.inputs,
    ...(size === null ? {} : { size }),
    subsets: settings.subsets ?? 1,
    shares: {
      ...sharesOf(settings),
      ...(settings.trace ? {} : { trace: 0 }),
    },
    // Only the first few of a kind are minimized; more of them add nothing.
    shrink: ({ law, subject }) => {
      const kind = `${subject.id} ${law}`;
      const before = kinds.get(kind) ?? 0;
      kinds.set(kind, before + 1);
      return settings.shrink && before < SHRUNK_OF_A_KIND ? SHRINK_ATTEMPTS : 0;
    },
    settings: {
      ...(target === null ? {} : { target: targetOf(target) }),
      ...(policy === null ? {} : { policy }),
      ...(knobs.length === 0 ? {} : { knobs: parsed.settings }),
      ...(settings.drops.length === 0 ? {} : { interventions: { skips: new Set<number>(), drops: new Set(settings.drops) } }),
    },
  };
  return { positions: ids ?? PASSES.flatMap((pass) => pass.ids), try: (seed) => tryCase({ ...options, seed }) };
}

const reasonOf = ({ rules }: (typeof PASSES)[number], name: string): boolean =>
  rules !== undefined && reasonsOf(rules).some((reason) => reason.name === name && reason.droppable !== null);

function sharesOf({ everyLaw, noDrawn, drops, subsets }: FuzzSettings): LawShares {
  // Without a condition a phase keeps its other guarantees, but the sets of refused rewrites are drawn with all conditions.
  if (noDrawn || drops.length > 0) return NO_DRAWN_LAW;
  if (everyLaw) return EVERY_LAW;
  return subsets === null ? SOME_LAWS : REFUSALS;
}

/** A random program of the seed, as Ori text. */
export function randomProgram(seed: number): string {
  return generateText({ seed, profile: PROFILES[seed % PROFILES.length] ?? "any", size: 4 });
}

function tryCase(options: CaseOptions): FuzzCase {
  const { profile, target, checks, pipeline, failures } = runCase(options);
  return {
    profile,
    target,
    checks: checks.map(plainCheck),
    pipeline,
    failures: failures.map(({ seed, profile, violation, instructions, text }) => {
      const { law, message, subject } = violation;
      // A counterexample begins with its input and ends with the difference.
      const lines = message.split("\n");
      const said = lines.at(law === "meaning" ? -1 : 0) ?? "";
      return { seed, profile, kind: `${subject.id}: ${law}`, id: subject.id, law, message: said, instructions, text };
    }),
  };
}

function plainCheck({ id, policy, changed, known, knobs, laws, subsets }: Check): FuzzCheck {
  const set = Object.entries(knobs).map(([key, value]) => `${key}=${value ?? "unset"}`);
  return { id, policy, changed, known, knobs: set, repeated: laws.repeat, printed: laws.text, subsets, traced: laws.trace };
}

/** Of one phase, or of several with commas between. */
function idsOf(names: string): readonly string[] | string {
  const found = names.split(",").map(idsOfOne);
  return found.find((ids) => typeof ids === "string") ?? [...new Set(found.flat())];
}

function idsOfOne(name: string): readonly string[] | string {
  const found = lookupPhase(name);
  if (!found.ok) return found.message;
  const registered = found.ids.filter((id) => PASSES.some((pass) => pass.ids.includes(id)));
  return registered.length === 0 ? `${name} is not registered` : registered;
}
