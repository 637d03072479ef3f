/** Shows why a legality condition is needed: a program and an input on which assuming the condition makes a difference. */

import { createPrng } from "../../../base/prng.ts";
import { type InputText, inputText } from "../../../engine/api/exec/input-text.ts";
import { compareVersions, type Difference, EquivalenceChecker } from "../../../engine/fuzz/equivalence.ts";
import { generateModule } from "../../../engine/fuzz/generate/generate.ts";
import { PROFILES } from "../../../engine/fuzz/generate/options.ts";
import type { InputSpec } from "../../../engine/fuzz/inputs.ts";
import { shrinkInput, shrinkProgram } from "../../../engine/fuzz/shrink.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import type { Pass } from "../../../engine/passes/pass.ts";
import { DEFAULT_OPTIONS } from "../../../engine/pipeline/defaults.ts";
import { planPipeline } from "../../../engine/pipeline/plan.ts";
import { runPipeline } from "../../../engine/pipeline/run.ts";
import { type PassEnvironment, runPassOnce } from "../../../engine/pipeline/run-phase.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { NO_RECORDER } from "../../../engine/trace/recorder.ts";
import { verifyChange } from "../../../engine/verify/verify.ts";

export interface NeedRequest {
  readonly pass: Pass;
  readonly id: string;
  /** The name of the reason in the pass's table. */
  readonly condition: string;
  readonly env: Omit<PassEnvironment, "rec" | "module" | "fuel" | "interventions">;
  /** Programs that are known to show it, tried before all others, each under its own settings and with all that it drops. */
  readonly kept?: readonly KeptProgram[];
  /** Programs to try before random ones. */
  readonly programs: readonly { readonly module: Module; readonly fn: Func }[];
  /** Random programs to try. */
  readonly count: number;
  readonly seed: number;
  /** Called now and then with the programs tried; true stops the search. */
  readonly stop?: (searched: number) => boolean;
}

export interface KeptProgram {
  readonly module: Module;
  readonly fn: Func;
  readonly drops: readonly string[];
  readonly env: NeedRequest["env"];
  /** The member of the family that it is about. */
  readonly pass: Pass;
  readonly id: string;
  /** Threads of its runs. */
  readonly threads: number;
}

export interface Need {
  readonly found: boolean;
  /** Conditions that are dropped to show it: the requested one, and others that hide it. */
  readonly drops: readonly string[];
  /** It was known, and not searched. */
  readonly kept: boolean;
  /** The minimized program, with comments that say what is dropped; null if none was found. */
  readonly program: string | null;
  /** null when the verifier refuses the result. */
  readonly input: InputText | null;
  readonly difference:
    | Pick<Difference, "kind" | "where" | "before" | "after">
    | { readonly kind: "verifier"; readonly message: string }
    | null;
  /** Programs tried. */
  readonly searched: number;
  /** Of those, programs in which the condition decided something. */
  readonly decided: number;
  /** Seed of the random program; null for one that was given. */
  readonly seed: number | null;
}

/** As the seeds that people kept have it: what is added to the profiles does not change their programs. */
const SEARCHED = PROFILES.filter((profile) => profile !== "large" && profile !== "effects");
const INPUTS = 12;
/** As the suite tries what is kept, with its seed. */
const KEPT_INPUTS = 24;
const FUEL = 100_000;
const SHRINK_ATTEMPTS = 1500;
/** Programs between two calls of `stop`. */
const STRIDE = 50;

/** What is tried: a phase, its settings, and what is dropped. */
type Trial = Pick<NeedRequest, "pass" | "id" | "env" | "seed"> & {
  readonly drops: readonly string[];
  readonly inputs: number;
  readonly threads?: number;
};

export function findNeed(request: NeedRequest): Need {
  let searched = 0;
  let decided = 0;
  const { pass, id, env: usual, seed: first } = request;
  const alone: Trial = { pass, id, env: usual, seed: first, drops: [request.condition], inputs: INPUTS };
  const attempt = (fn: Func, module: Module, seed: number | null, trial: Trial, kept = false): Need | null => {
    searched++;
    const problem = problemOf(trial, fn, module);
    if (problem === null) return null;
    decided++;
    if (problem === "sound") return null;
    // What is kept is small already, and written for a reader.
    const shown = shownOf(trial, kept ? fn : smallest(trial, fn, module, problem), module, problem);
    return { ...shown, drops: trial.drops, kept, searched, decided, seed };
  };
  for (const { fn, module, ...own } of request.kept ?? []) {
    const need = attempt(fn, module, null, { ...own, seed: 1, inputs: KEPT_INPUTS }, true);
    if (need !== null) return need;
  }
  for (const { fn, module } of request.programs) {
    const need = attempt(fn, module, null, alone);
    if (need !== null) return need;
  }
  for (let i = 0; i < request.count; i++) {
    if (i % STRIDE === 0 && request.stop?.(searched) === true) break;
    const seed = request.seed + i;
    const { fn, module } = randomProgram(request, seed);
    // Its inputs are drawn from its own seed, by which it is found again.
    const need = attempt(fn, module, seed, { ...alone, seed });
    if (need !== null) return need;
  }
  const { drops } = alone;
  return { found: false, drops, kept: false, program: null, input: null, difference: null, searched, decided, seed: null };
}

/** A program of a seed: as it was generated, or as the phases before leave it. */
function randomProgram({ id, env }: NeedRequest, seed: number): { readonly fn: Func; readonly module: Module } {
  const rng = createPrng(seed);
  const profile = rng.pick(SEARCHED);
  const module = generateModule({ seed, profile, size: 2 + rng.below(8) });
  const [fn] = module.funcs;
  if (fn === undefined) throw new Error(`seed ${seed} gives no program`);
  if (rng.chance(0.6)) return { fn, module };
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target: env.target.id, level: env.level, policy: env.policy, until: id }, null);
  return { fn: runPipeline(fn, module, plan).result, module };
}

type Problem = { readonly kind: "verifier"; readonly message: string } | { readonly kind: "meaning"; readonly input: InputSpec };

/** null: the condition decides nothing here. `sound`: it decides, and the result is right without it too, or wrong with it too. */
function problemOf(request: Trial, fn: Func, module: Module): Problem | "sound" | null {
  const { without, dropped } = runWithout(request, fn, module);
  if (!dropped) return null;
  if (without === null) return "sound";
  const invalid = verifyChange(fn, without, module).find((d) => d.severity === "error");
  const { inputs, seed, threads } = request;
  const checker = new EquivalenceChecker(fn, module, { inputs, seed, ...(threads === undefined ? {} : { threads }) });
  const input = invalid === undefined ? (checker.check(without).counterexample?.input ?? null) : null;
  if (invalid === undefined && input === null) return "sound";
  const usual = runPassOnce(request.pass, request.id, fn, { ...request.env, module, rec: NO_RECORDER }).fn;
  if (verifyChange(fn, usual, module).some((d) => d.severity === "error") || !checker.check(usual).ok) return "sound";
  return invalid !== undefined
    ? { kind: "verifier", message: `${invalid.code}: ${invalid.message}` }
    : { kind: "meaning", input: input as InputSpec };
}

function runWithout({ pass, id, env, drops }: Trial, fn: Func, module: Module): { without: Func | null; dropped: boolean } {
  const interventions = { skips: new Set<number>(), drops: new Set(drops) };
  const result = runPassOnce(pass, id, fn, { ...env, module, rec: NO_RECORDER, interventions });
  return {
    without: result.error === null ? result.fn : null,
    dropped: drops.every((one) => result.permits?.dropped.includes(one) === true),
  };
}

function smallest(trial: Trial, fn: Func, module: Module, problem: Problem): Func {
  const same = (candidate: Func): boolean => {
    const found = problemOf(trial, candidate, module);
    return found !== null && found !== "sound" && found.kind === problem.kind;
  };
  return shrinkProgram(fn, module, same, SHRINK_ATTEMPTS).fn;
}

function shownOf(trial: Trial, best: Func, module: Module, problem: Problem): Pick<Need, "found" | "program" | "input" | "difference"> {
  const own = problemOf(trial, best, module);
  const shown = own === null || own === "sound" ? problem : own;
  if (shown.kind === "verifier") {
    const difference = { kind: "verifier", message: shown.message } as const;
    return { found: true, program: programText(trial, best, module, null, shown.message), input: null, difference };
  }
  const { without } = runWithout(trial, best, module);
  const compare = (input: InputSpec): ReturnType<typeof compareVersions> =>
    without === null ? null : compareVersions(best, without, module, input, FUEL);
  const found = compare(shrinkInput(shown.input, (input) => compare(input) !== null));
  if (found === null) throw new Error("the counterexample was lost while it was made small");
  const { kind, where, before, after, text } = found.found;
  const input = inputText(best, found.input);
  return { found: true, program: programText(trial, best, module, input, text), input, difference: { kind, where, before, after } };
}

/** The program as a witness file: its directives, and what goes wrong. */
function programText({ id, env, drops }: Trial, fn: Func, module: Module, input: InputText | null, said: string): string {
  const header = [
    `// phase: ${id}`,
    `// drops: ${drops.join(", ")}`,
    `// target: ${env.target.id}`,
    `// policy: ${env.policy}`,
    ...Object.entries(env.knobs).map(([key, value]) => `// knob: ${key}=${value ?? "unset"}`),
    ...(input === null ? [] : [`// threads: ${input.threads}`, `// input: ${[...input.args, ...input.mem].join(" ").slice(0, 400)}`]),
    `// ${said}`,
  ];
  // Comments of the program may be directives of a file that it came from.
  const bare = { ...fn, trivia: null };
  return `${header.join("\n")}\n${printModule({ ...module, target: null, funcs: [bare], tail: [] })}`;
}
