/** One fuzzing case: a random program, every pass position (or one) on it, and what breaks, made small. */

import type { Func, Module } from "../ir/types.ts";
import type { Pass } from "../passes/pass.ts";
import { DEFAULT_OPTIONS, DEFAULT_POLICY } from "../pipeline/defaults.ts";
import type { KnobSettings } from "../pipeline/knob-parse.ts";
import { planPipeline } from "../pipeline/plan.ts";
import { runPipeline } from "../pipeline/run.ts";
import { type PassEnvironment, runPassOnce } from "../pipeline/run-phase.ts";
import { DEFAULT_TARGET_ID, TARGETS, targetOf } from "../pipeline/targets.ts";
import { printModule } from "../text/printer.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyChange, verifyFunc } from "../verify/verify.ts";
import { compareVersions, EquivalenceChecker } from "./equivalence.ts";
import { generateModule } from "./generate/generate.ts";
import { PROFILES, type Profile } from "./generate/options.ts";
import { describeInput, type InputSpec } from "./inputs.ts";
import { checkLaws, type LawOptions, type Subject, type Violation } from "./laws.ts";
import { createPrng, type Prng } from "./prng.ts";
import { shrinkInput, shrinkProgram } from "./shrink.ts";

export interface CaseOptions {
  readonly seed: number;
  /** null: drawn from the seed. */
  readonly profile: Profile | null;
  /** Ids of positions to run; null: all, and the whole pipeline. */
  readonly ids: readonly string[] | null;
  readonly passes: readonly Pass[];
  /** Share of the positions to try, drawn from the seed; all by default. */
  readonly share?: number;
  readonly inputs: number;
  readonly size?: number;
  readonly trace: boolean;
  /** Candidates to try when a failure is made smaller; 0 leaves it as it is. */
  readonly shrink: number;
  /** Settings to run with instead of those drawn from the seed. */
  readonly settings?: Partial<Pick<Subject["env"], "target" | "policy" | "knobs">>;
}

export interface Failure {
  readonly seed: number;
  readonly profile: Profile;
  readonly violation: Violation;
  /** Passes that ran before the one that failed, on the program as generated; empty when `text` needs none of them. */
  readonly text: string;
  readonly instructions: number;
}

export interface CaseResult {
  readonly profile: Profile;
  /** Runs of a pass, and those that changed something. */
  readonly runs: number;
  readonly changed: number;
  readonly failures: readonly Failure[];
}

const FUEL = 100_000;

/** Generates the program of a seed and tries everything on it. At most one failure a position. */
export function runCase(options: CaseOptions): CaseResult {
  const rng = createPrng(options.seed);
  const profile = options.profile ?? rng.pick(PROFILES.filter((p) => p !== "large" || rng.chance(0.2)));
  const size = options.size === undefined ? {} : { size: options.size };
  const module = generateModule({ seed: options.seed, profile, ...size });
  const fn = module.funcs[0] as Func;
  const laws: LawOptions = { inputs: options.inputs, seed: options.seed, trace: options.trace };
  const failures: Failure[] = [];
  let runs = 0;
  let changed = 0;
  const env = { ...environment(rng), ...options.settings };
  const start = rng.chance(0.4) ? prepared(fn, module, env, options.passes, rng) : fn;
  const checker = new EquivalenceChecker(start, module, laws);
  const share = options.share ?? 1;
  for (const subject of subjects(options, env)) {
    if (!rng.chance(share)) continue;
    runs++;
    const report = checkLaws(start, module, subject, laws, checker);
    if (report.changed) changed++;
    if (report.violation !== null) failures.push(failureOf(start, module, report.violation, options, profile, laws));
  }
  if (options.ids === null && rng.chance(share)) {
    const failure = wholePipeline(fn, module, env, options, profile, laws);
    runs++;
    if (failure !== null) failures.push(failure);
  }
  return { profile, runs, changed, failures };
}

function subjects(options: CaseOptions, env: Subject["env"]): Subject[] {
  return options.passes.flatMap((pass) =>
    pass.ids.filter((id) => options.ids === null || options.ids.includes(id)).map((id) => ({ pass, id, env })),
  );
}

/** The default settings most of the time; else another target or policy. */
function environment(rng: Prng): Subject["env"] {
  const target = rng.chance(0.6) ? targetOf(DEFAULT_TARGET_ID) : rng.pick(TARGETS);
  return { target, level: 3, policy: rng.chance(0.7) ? DEFAULT_POLICY : "measured", knobs: {} };
}

/** The program after a few other passes, for states that no generator writes. Passes that fail are left out: their own turn comes. */
function prepared(fn: Func, module: Module, env: Subject["env"], passes: readonly Pass[], rng: Prng): Func {
  let current = fn;
  const full: PassEnvironment = { ...env, module, rec: NO_RECORDER };
  for (let i = 1 + rng.below(3); i > 0 && passes.length > 0; i--) {
    const pass = rng.pick(passes);
    const result = runPassOnce(pass, rng.pick(pass.ids), current, full);
    const sound = result.error === null && !verifyChange(current, result.fn, module).some((d) => d.severity === "error");
    if (sound) current = result.fn;
  }
  return current;
}

/** Runs the whole pipeline; when the result is wrong, finds the phase that is to blame. */
function wholePipeline(
  fn: Func,
  module: Module,
  env: Subject["env"],
  options: CaseOptions,
  profile: Profile,
  laws: LawOptions,
): Failure | null {
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target: env.target.id, policy: env.policy, knobs: knobWords(env.knobs) }, null);
  const run = runPipeline(fn, module, plan, { passes: options.passes, verify: (after, m, before) => verifyChange(before, after, m) });
  const clean = run.runs.every((r) => r.error === null && !r.verifyErrors.some((d) => d.severity === "error"));
  if (clean && new EquivalenceChecker(fn, module, laws).check(run.result).ok) return null;
  for (const { pass, planned, before, ran } of run.runs) {
    if (!ran || pass === null) continue;
    const subject = { pass, id: planned.id, env: { ...env, level: plan.level, knobs: plan.knobs } };
    const { violation } = checkLaws(before, module, subject, { ...laws, trace: false });
    if (violation !== null) return failureOf(before, module, violation, options, profile, laws);
  }
  // No single phase shows it on these inputs: report the pipeline as a whole, with its last phase as the name.
  const last = run.runs.findLast((r) => r.pass !== null);
  if (last === undefined || last.pass === null) return null;
  const { counterexample } = new EquivalenceChecker(fn, module, laws).check(run.result);
  const message = `the whole pipeline: ${counterexample?.text ?? "the verifier objects"}`;
  const violation: Violation = {
    law: "meaning",
    subject: { pass: last.pass, id: last.planned.id, env },
    message,
    input: counterexample?.input ?? null,
  };
  return { seed: options.seed, profile, violation, text: printModule({ ...module, funcs: [fn] }), instructions: count(fn) };
}

function failureOf(fn: Func, module: Module, violation: Violation, options: CaseOptions, profile: Profile, laws: LawOptions): Failure {
  let small = fn;
  let final = violation;
  if (options.shrink > 0) {
    small = shrinkProgram(fn, module, (candidate) => stillFails(candidate, module, violation, laws), options.shrink).fn;
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
  if (law !== "meaning" || input === null) {
    return checkLaws(candidate, module, subject, { ...laws, inputs: 0 }).violation?.law === law;
  }
  return differsOn(candidate, module, subject, input) !== null;
}

function differsOn(fn: Func, module: Module, subject: Subject, input: InputSpec): string | null {
  const result = runPassOnce(subject.pass, subject.id, fn, { ...subject.env, module, rec: NO_RECORDER });
  if (result.error !== null || verifyFunc(result.fn, module).some((d) => d.severity === "error")) return null;
  return compareVersions(fn, result.fn, module, input, FUEL)?.difference ?? null;
}

/** The violation as the small program shows it, with its input made small, too. */
function restated(fn: Func, module: Module, violation: Violation, laws: LawOptions): Violation {
  if (violation.law !== "meaning" || violation.input === null) {
    return checkLaws(fn, module, violation.subject, { ...laws, inputs: 0 }).violation ?? violation;
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
