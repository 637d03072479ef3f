/** One fuzzing case: a random program, every pass position (or one) on it, and the failures, minimized. */

import { createPrng, type Prng } from "../../base/prng.ts";
import type { KnobSettings } from "../config/knob-parse.ts";
import { POLICIES, type Policy } from "../config/policy.ts";
import { DEFAULT_TARGET_ID, TARGETS, targetOf } from "../config/targets.ts";
import type { Func, Module } from "../ir/types.ts";
import type { Pass } from "../passes/pass.ts";
import { DEFAULT_OPTIONS } from "../pipeline/defaults.ts";
import { planPipeline } from "../pipeline/plan.ts";
import { runPipeline } from "../pipeline/run.ts";
import { type PassEnvironment, runPassOnce } from "../pipeline/run-phase.ts";
import { printModule } from "../text/printer.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyChange, verifyFunc } from "../verify/verify.ts";
import { compareVersions, type EquivalenceChecker } from "./equivalence.ts";
import { generateModule } from "./generate/generate.ts";
import { PROFILES, type Profile } from "./generate/options.ts";
import { describeInput, type InputSpec } from "./inputs.ts";
import { drawKnobs } from "./knob-draw.ts";
import { checkLaws, type LawOptions, SharedChecks, type Subject, type Violation } from "./laws.ts";
import { shrinkInput, shrinkProgram } from "./shrink.ts";

export interface CaseOptions {
  readonly seed: number;
  /** null: drawn from the seed. Of several, the seed selects one, so that it makes the same program as with that profile alone. */
  readonly profiles: readonly Profile[] | null;
  /** Ids of positions to run; null: all, and the whole pipeline. */
  readonly ids: readonly string[] | null;
  readonly passes: readonly Pass[];
  /** Share of the positions to try, drawn from the seed; all by default. */
  readonly share?: number;
  readonly inputs: number;
  readonly size?: number;
  readonly shares: LawShares;
  /** Drawn sets of refused rewrites for each phase and program (default 1). */
  readonly subsets?: number;
  /** Limit on the candidates tried to minimize a failure; 0 leaves it unchanged. */
  readonly shrink: (violation: Violation) => number;
  /** Settings to run with instead of those drawn from the seed. A policy given is the only one. */
  readonly settings?: Partial<Pick<Subject["env"], "target" | "policy" | "knobs" | "interventions">>;
}

/** How often the laws that cost more than they find are checked, drawn from the seed. */
export interface LawShares {
  readonly repeat: number;
  readonly text: number;
  readonly refuse: number;
  readonly trace: number;
}

type DrawnLaws = Readonly<Record<keyof LawShares, boolean>>;

const drawLaws = (shares: LawShares, rng: Prng): DrawnLaws => ({
  repeat: rng.chance(shares.repeat),
  text: rng.chance(shares.text),
  refuse: rng.chance(shares.refuse),
  trace: rng.chance(shares.trace),
});

export const EVERY_LAW: LawShares = { repeat: 1, text: 1, refuse: 1, trace: 1 };
export const NO_DRAWN_LAW: LawShares = { repeat: 0, text: 0, refuse: 0, trace: 0 };
export const SOME_LAWS: LawShares = { repeat: 0.1, text: 0.2, refuse: 0.1, trace: 0.03 };
/** For a campaign on refused rewrites. */
export const REFUSALS: LawShares = { repeat: 0.1, text: 0.1, refuse: 1, trace: 0.03 };

export interface Failure {
  readonly seed: number;
  readonly profile: Profile;
  readonly violation: Violation;
  /** The minimized program, after comments that say what fails and how to repeat it. */
  readonly text: string;
  readonly instructions: number;
}

/** One pass on one program under one policy. */
export interface Check {
  readonly id: string;
  readonly policy: Policy;
  readonly changed: boolean;
  /** The result was equal to that of another check of this program, so it was not run again. */
  readonly known: boolean;
  readonly knobs: KnobSettings;
  readonly laws: DrawnLaws;
  /** Sets of its rewrites that were refused and judged. */
  readonly subsets: number;
}

export interface CaseResult {
  readonly profile: Profile;
  readonly target: string;
  readonly checks: readonly Check[];
  /** If the whole pipeline was tried: ids of the phases that ran. Each was verified, and the result compared with the program. */
  readonly pipeline: readonly string[];
  readonly failures: readonly Failure[];
}

const FUEL = 100_000;

/** Generates the program of a seed and tries everything on it. At most one failure per position and policy. */
export function runCase(options: CaseOptions): CaseResult {
  const rng = createPrng(options.seed);
  const { profiles } = options;
  const profile = profiles?.[options.seed % profiles.length] ?? rng.pick(PROFILES.filter((p) => p !== "large" || rng.chance(0.2)));
  const size = options.size ?? drawSize(rng);
  const module = generateModule({ seed: options.seed, profile, size, kinds: true });
  const fn = module.funcs[0] as Func;
  // Two of the boundary inputs are enough for most programs; after them come the drawn ones.
  const laws: LawOptions = {
    inputs: options.inputs,
    firstInput: options.inputs < 12 ? 2 : 0,
    seed: options.seed,
    trace: false,
    subsets: options.subsets ?? 1,
  };
  const failures: Failure[] = [];
  const checks: Check[] = [];
  const env = { ...environment(rng), ...options.settings };
  const shared = new SharedChecks(fn, module, laws);
  const start = rng.chance(0.4) ? prepared(fn, module, env, options.passes, rng, shared) : fn;
  const share = options.share ?? 1;
  for (const subject of subjects(options, env, rng)) {
    if (!rng.chance(share)) continue;
    const drawn = drawLaws(options.shares, rng);
    const { changed, known, violation, subsets } = checkLaws(start, module, subject, { ...laws, ...drawn }, shared);
    checks.push({ id: subject.id, policy: subject.env.policy, changed, known, knobs: subject.env.knobs, laws: drawn, subsets });
    if (violation !== null) failures.push(failureOf(start, module, violation, options, profile, { ...laws, ...drawn }));
  }
  let pipeline: readonly string[] = [];
  if (options.ids === null && rng.chance(Math.min(share, PIPELINE_SHARE))) {
    const tried = wholePipeline(fn, module, env, options, profile, laws, shared.checker);
    pipeline = tried.ids;
    if (tried.failure !== null) failures.push(tried.failure);
  }
  return { profile, target: env.target.id, checks, pipeline, failures };
}

/** The whole pipeline costs about as much as all positions one by one. */
const PIPELINE_SHARE = 0.25;

/** Small programs most often: they show most faults and cost least. */
function drawSize(rng: Prng): number {
  return rng.chance(0.7) ? 2 + rng.below(5) : 6 + rng.below(10);
}

/** Each position, under both policies if its code reads the policy and the options set none. */
function subjects(options: CaseOptions, env: Subject["env"], rng: Prng): Subject[] {
  const bothPolicies = options.settings?.policy === undefined;
  const ownKnobs = options.settings?.knobs === undefined;
  return options.passes.flatMap((pass) =>
    pass.ids
      .filter((id) => options.ids === null || options.ids.includes(id))
      .flatMap((id) => {
        const knobs = ownKnobs && rng.chance(KNOB_SHARE) ? drawKnobs(rng, id) : env.knobs;
        const policies = bothPolicies && pass.readsPolicy === true ? POLICIES : [env.policy];
        return policies.map((policy): Subject => ({ pass, id, env: { ...env, policy, knobs } }));
      }),
  );
}

const KNOB_SHARE = 0.3;

/** The default target most of the time; else a different one. */
function environment(rng: Prng): Subject["env"] {
  const target = rng.chance(0.6) ? targetOf(DEFAULT_TARGET_ID) : rng.pick(TARGETS);
  return { target, level: rng.chance(0.8) ? 3 : rng.pick([1, 2, 4]), policy: rng.pick(POLICIES), knobs: {} };
}

/**
 * The program after a few other passes, for states that no generator writes. Passes that fail are left out, and a program whose meaning
 * they changed is not used: these passes are checked separately.
 */
function prepared(fn: Func, module: Module, env: Subject["env"], passes: readonly Pass[], rng: Prng, shared: SharedChecks): Func {
  let current = fn;
  const full: PassEnvironment = { ...env, module, rec: NO_RECORDER };
  for (let i = 1 + rng.below(3); i > 0 && passes.length > 0; i--) {
    const pass = rng.pick(passes);
    const result = runPassOnce(pass, rng.pick(pass.ids), current, full);
    const sound = result.error === null && !verifyChange(current, result.fn, module).some((d) => d.severity === "error");
    if (sound) current = result.fn;
  }
  return current === fn || shared.checker.check(current).ok ? current : fn;
}

/** Runs the whole pipeline; if the result is wrong, finds the phase at fault. */
function wholePipeline(
  fn: Func,
  module: Module,
  env: Subject["env"],
  options: CaseOptions,
  profile: Profile,
  laws: LawOptions,
  checker: EquivalenceChecker,
): { readonly ids: readonly string[]; readonly failure: Failure | null } {
  const settings = { ...DEFAULT_OPTIONS, target: env.target.id, level: env.level, policy: env.policy, knobs: knobWords(env.knobs) };
  const { plan } = planPipeline(settings, null);
  const run = runPipeline(fn, module, plan, { passes: options.passes, verify: (after, m, before) => verifyChange(before, after, m) });
  const ids = run.runs.flatMap((r) => (r.ran && r.pass !== null ? [r.planned.id] : []));
  const clean = run.runs.every((r) => r.error === null && !r.verifyErrors.some((d) => d.severity === "error"));
  const check = clean ? checker.check(run.result) : null;
  if (check?.ok === true) return { ids, failure: null };
  for (const { pass, planned, before, ran } of run.runs) {
    if (!ran || pass === null) continue;
    const subject = { pass, id: planned.id, env: { ...env, level: plan.level, knobs: plan.knobs } };
    const { violation } = checkLaws(before, module, subject, { ...laws, trace: false });
    if (violation !== null) return { ids, failure: failureOf(before, module, violation, options, profile, laws) };
  }
  // No single phase fails on these inputs: report the pipeline as a whole, named after its last phase.
  const last = run.runs.findLast((r) => r.pass !== null);
  if (last === undefined || last.pass === null) return { ids, failure: null };
  const violation: Violation = {
    law: "meaning",
    subject: { pass: last.pass, id: last.planned.id, env },
    message: `the whole pipeline: ${check?.counterexample?.text ?? "the verifier objects"}`,
    input: check?.counterexample?.input ?? null,
  };
  const text = printModule({ ...module, funcs: [fn] });
  return { ids, failure: { seed: options.seed, profile, violation, text, instructions: count(fn) } };
}

function failureOf(fn: Func, module: Module, violation: Violation, options: CaseOptions, profile: Profile, laws: LawOptions): Failure {
  let small = fn;
  let final = violation;
  const attempts = options.shrink(violation);
  if (attempts > 0) {
    small = shrinkProgram(fn, module, (candidate) => stillFails(candidate, module, violation, laws), attempts).fn;
    final = restated(small, module, violation, laws);
  }
  return {
    seed: options.seed,
    profile,
    violation: final,
    text: failureText(small, module, final, options.seed, profile),
    instructions: count(small),
  };
}

/** True when the candidate breaks the same law; for the meaning, on the same input. */
function stillFails(candidate: Func, module: Module, violation: Violation, laws: LawOptions): boolean {
  const { law, subject, input } = violation;
  if (law !== "meaning" || input === null) return brokenAgain(candidate, module, violation, laws)?.law === law;
  return differsOn(candidate, module, subject, input) !== null;
}

/** Runs programs only if the violation is one of the meaning. */
const brokenAgain = (fn: Func, module: Module, { subject, input }: Violation, laws: LawOptions): Violation | null =>
  checkLaws(fn, module, subject, input === null ? { ...laws, inputs: 0 } : laws).violation;

function differsOn(fn: Func, module: Module, subject: Subject, input: InputSpec): string | null {
  const result = runPassOnce(subject.pass, subject.id, fn, { ...subject.env, module, rec: NO_RECORDER });
  if (result.error !== null || verifyFunc(result.fn, module).some((d) => d.severity === "error")) return null;
  return compareVersions(fn, result.fn, module, input, FUEL)?.difference ?? null;
}

/** The violation in the minimized program, with its input minimized, too. */
function restated(fn: Func, module: Module, violation: Violation, laws: LawOptions): Violation {
  if (violation.law !== "meaning" || violation.input === null) {
    return brokenAgain(fn, module, violation, laws) ?? violation;
  }
  const input = shrinkInput(violation.input, (candidate) => differsOn(fn, module, violation.subject, candidate) !== null);
  const difference = differsOn(fn, module, violation.subject, input) ?? violation.message;
  return { ...violation, input, message: `${describeInput(fn, input)}\n${difference}` };
}

/** The program with comments that say what fails and how to repeat it; the first ones are directives of fixtures. */
function failureText(fn: Func, module: Module, violation: Violation, seed: number, profile: Profile): string {
  const { env, id } = violation.subject;
  const header = [
    `// phase: ${id}`,
    `// target: ${env.target.id}`,
    `// policy: ${env.policy}`,
    ...knobWords(env.knobs).map((word) => `// knob: ${word}`),
    ...[...(env.interventions?.drops ?? [])].map((reason) => `// drops: ${reason}`),
    `// Found by fuzzing: seed ${seed}, profile ${profile}, law '${violation.law}'.`,
    ...violation.message.split("\n").map((line) => `//   ${line.length > 600 ? `${line.slice(0, 600)}…` : line}`),
  ];
  return `${header.join("\n")}\n${printModule({ ...module, target: null, funcs: [fn], tail: [] })}`;
}

/** Settings as assignments. */
function knobWords(knobs: KnobSettings): string[] {
  return Object.entries(knobs).map(([key, value]) => `${key}=${value ?? "unset"}`);
}

function count(fn: Func): number {
  return fn.layout.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0);
}
