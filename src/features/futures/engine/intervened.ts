/** The pipeline with interventions: conditions assumed true, rewrites left out; and how that changes a program's meaning. */

import { readText } from "../../../engine/api/read/read.ts";
import { hasError } from "../../../engine/api/read/read-with.ts";
import type { ExecCounters, ExecRequest, PipelineOptions } from "../../../engine/api/types.ts";
import { checkEquivalent, compareRuns } from "../../../engine/fuzz/equivalence.ts";
import { inputShape, makeInput, toRunInputs } from "../../../engine/fuzz/inputs.ts";
import { runKernel } from "../../../engine/interp/interpreter.ts";
import type { RunInputs } from "../../../engine/interp/outcome.ts";
import { describe } from "../../../engine/interp/report.ts";
import { parseExecRequest } from "../../../engine/interp/request.ts";
import { restsOn } from "../../../engine/interp/stand-ins.ts";
import { threadsFor } from "../../../engine/ir/one-thread.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import type { Intervention } from "../../../engine/pipeline/intervention.ts";
import { addressOfRun } from "../../../engine/pipeline/intervention-report.ts";
import { lookupPhase } from "../../../engine/pipeline/named-phases.ts";
import { type Plan, planPipeline } from "../../../engine/pipeline/plan.ts";
import { type PipelineRun, runPipeline } from "../../../engine/pipeline/run.ts";
import { reasonsOf } from "../../../engine/remark/rules.ts";
import { printModule, withFunc } from "../../../engine/text/printer.ts";
import { verifyChange } from "../../../engine/verify/verify.ts";
import { RewritePrefixes } from "./prefixes.ts";

/** A condition that a phase's rules may refuse for. */
export interface ConditionInfo {
  readonly family: string;
  /** The rule's own name, in words. */
  readonly name: string;
  /** What events call it: the reference's code where there is one. */
  readonly code: string;
  readonly why: string;
  /** What breaks without it; null: the code cannot continue without it. */
  readonly droppable: string | null;
}

/** Every condition of a phase that has a table of rules; null: there is no such phase, or it has no table. */
export function conditionsOf(phase: string): readonly ConditionInfo[] | null {
  const found = lookupPhase(phase);
  if (!found.ok) return null;
  const pass = PASSES.find((p) => p.ids.some((id) => (found.ids as readonly string[]).includes(id)));
  if (pass?.rules === undefined) return null;
  const seen = new Set<string>();
  return reasonsOf(pass.rules).flatMap(({ name, condition, why, droppable }) => {
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ family: pass.family, name, code: condition, why, droppable }];
  });
}

/** A condition by its phase and its name or code. */
export interface Drop {
  readonly phase: string;
  readonly condition: string;
}

/** Reads `49:leader-dominates`; the message says what is wrong with it. */
export function readDrop(text: string): Drop | string {
  const at = text.indexOf(":");
  if (at < 1) return `'${text}' is not PHASE:CONDITION`;
  const [phase, condition] = [text.slice(0, at), text.slice(at + 1)];
  const known = conditionsOf(phase);
  if (known === null) return `'${phase}' is not a phase with conditions that can be dropped`;
  const found = known.find((c) => c.name === condition) ?? known.find((c) => c.code === condition && c.droppable !== null);
  const able = known.filter((c) => c.droppable !== null).map((c) => c.name);
  if (found === undefined || found.droppable === null)
    return `'${condition}' is not a condition of ${phase} that can be dropped; ${able.length === 0 ? "it has none" : `there are ${able.join(", ")}`}`;
  return { phase, condition: found.name };
}

export interface IntervenedRun {
  readonly ok: true;
  readonly text: string;
  readonly phases: readonly {
    readonly run: number;
    readonly phase: number | null;
    readonly id: string;
    /** Rewrites that requested a permit. */
    readonly asked: number;
    /** Conditions that were checked and assumed to hold. */
    readonly dropped: readonly string[];
    /** Skips that named a request. */
    readonly skipped: readonly number[];
    /** The verifier's messages about the phase's result. */
    readonly broken: string | null;
  }[];
}

export type Refused = { readonly ok: false; readonly message: string };

export interface Interventions {
  readonly drops?: readonly Drop[];
  /** `49#2`. */
  readonly skips?: readonly string[];
}

/** Runs the pipeline with interventions on one kernel. Never throws because of the text or the options. */
export function runIntervened(
  text: string,
  kernel: string | null,
  options: PipelineOptions,
  given: Interventions,
): IntervenedRun | Refused {
  const ready = prepare(text, kernel, options);
  return ready.ok ? runPlan(ready, given).report : ready;
}

interface Ready {
  readonly ok: true;
  readonly fn: Func;
  readonly module: Module;
  readonly plan: Plan;
  readonly options: PipelineOptions;
  readonly isPtx: boolean;
}

function prepare(text: string, kernel: string | null, options: PipelineOptions): Ready | Refused {
  const { module, ok, diagnostics, format } = readText(text, null);
  if (!ok || hasError(diagnostics))
    return { ok: false, message: diagnostics.find((d) => d.severity === "error")?.message ?? "The text has errors." };
  const fn = kernel === null ? module.funcs[0] : module.funcs.find((f) => f.name === kernel);
  if (fn === undefined) return { ok: false, message: kernel === null ? "The text contains no kernel." : `There is no kernel '${kernel}'.` };
  const { plan, problems } = planPipeline(options, module.target, format === "ptx");
  const problem = problems.find((p) => p.severity === "error");
  return problem === undefined ? { ok: true, fn, module, plan, options, isPtx: format === "ptx" } : { ok: false, message: problem.message };
}

function runPlan(
  ready: Ready,
  given: Interventions,
): { readonly report: IntervenedRun; readonly pipeline: PipelineRun; readonly plan: Plan } {
  const { fn, module } = ready;
  const plan = planWith(ready, given);
  const pipeline = runPipeline(fn, module, plan, {
    verify: (after, _, before) => verifyChange(before, after, module).filter((d) => d.severity === "error"),
  });
  const phases = pipeline.runs.flatMap(({ run, planned, pass, permits, error, verifyErrors }) => {
    if (planned.beyond !== null || pass === null) return [];
    const { asked = 0, dropped = [], skipped = [] } = permits ?? {};
    const broken = error ?? verifyErrors[0]?.message ?? null;
    return [{ run, phase: planned.position?.number ?? null, id: planned.id, asked, dropped, skipped, broken }];
  });
  return { report: { ok: true, text: printModule(withFunc(module, fn, pipeline.result)), phases }, pipeline, plan };
}

/** The plan that does all this; a skip of a phase that is not in it names nothing. */
function planWith({ module, plan, options, isPtx }: Ready, { drops = [], skips = [] }: Interventions): Plan {
  const interventions: Intervention[] = drops
    .filter(({ phase }) => plan.runs.some(({ id }, run) => namesPhase(phase, id, run)))
    .map((drop) => ({ kind: "drop", ...drop }));
  for (const skip of skips) {
    const [word = "", n] = skip.split("#");
    for (const [run, { id, address }] of plan.runs.entries())
      if (namesPhase(word, id, run)) interventions.push({ kind: "skip", run: address ?? `r${run}`, n: Number(n) });
  }
  return planPipeline({ ...options, interventions: [...(options.interventions ?? []), ...interventions] }, module.target, isPtx).plan;
}

function namesPhase(word: string, id: string, run: number): boolean {
  if (word === `r${run}`) return true;
  const found = lookupPhase(word);
  return found.ok && (found.ids as readonly string[]).includes(id);
}

export interface Verdict {
  /** `broken`: the verifier rejects the result. `unknown`: not decided. */
  readonly verdict: "same" | "different" | "broken" | "unknown";
  readonly message: string;
}

/** Whether dropping conditions changes what a program means: on the inputs given, else on generated ones. */
export function judgeDrops(
  text: string,
  kernel: string | null,
  options: PipelineOptions,
  drops: readonly Drop[],
  inputs: { readonly requests: readonly ExecRequest[] } | { readonly count: number; readonly seed: number },
): Verdict {
  const ready = prepare(text, kernel, options);
  if (!ready.ok) return { verdict: "unknown", message: ready.message };
  const { report, pipeline } = runPlan(ready, { drops });
  const broken = report.phases.find((p) => p.broken !== null);
  if (broken !== undefined) return { verdict: "broken", message: `after ${broken.id}: ${broken.broken}` };
  return judgeFuncs(ready, pipeline.result, inputs);
}

function judgeFuncs(
  { fn, module }: Ready,
  result: Func,
  inputs: { readonly requests: readonly ExecRequest[] } | { readonly count: number; readonly seed: number },
): Verdict {
  if ("count" in inputs) {
    const options = { inputs: inputs.count, seed: inputs.seed, known: true };
    const { ok, effective, doubt, counterexample } = checkEquivalent(fn, result, module, options);
    if (!ok) return { verdict: "different", message: counterexample?.text ?? "the programs differ" };
    if (effective === 0 && doubt !== null) return { verdict: "unknown", message: `not decided: ${doubt}` };
    if (effective === 0) return { verdict: "unknown", message: "on no input did the program end normally" };
    return { verdict: "same", message: `no difference on ${effective} inputs` };
  }
  let said = "no input was given";
  for (const request of inputs.requests) {
    const found = compareOnRequest(fn, result, module, request);
    if (found.verdict === "different") return found;
    said = found.message;
    if (found.verdict === "unknown") return found;
  }
  return { verdict: inputs.requests.length === 0 ? "unknown" : "same", message: said };
}

function compareOnRequest(before: Func, after: Func, module: Module, request: ExecRequest): Verdict {
  const { inputs, diagnostics } = parseExecRequest(request, before, module.symbols);
  if (inputs === null) return { verdict: "unknown", message: diagnostics[0]?.message ?? "the input cannot be read" };
  const first = runKernel(module, before, { ...inputs, follow: true });
  if (first.status !== "ok") return { verdict: "unknown", message: `before: ${describe(before, first)}` };
  const doubt = first.standIns === null ? null : restsOn(first.standIns);
  if (doubt !== null) return { verdict: "unknown", message: `not decided: ${doubt}` };
  const fresh = (fuel: number): RunInputs => ({ ...(parseExecRequest(request, before, module.symbols).inputs ?? inputs), fuel });
  const { found, why } = compareRuns(before, after, module, first, fresh);
  if (found === null || why === "clock") return { verdict: "same", message: "both programs behave the same on this input" };
  // A result that depends on the order of the threads shows nothing.
  if (why === "race") return { verdict: "unknown", message: "the program itself has a race on this input" };
  return { verdict: "different", message: found.text };
}

/** What a program executes on inputs, summed; a string says why it is not known. */
export function executed(
  text: string,
  kernel: string | null,
  inputs: { readonly requests: readonly ExecRequest[] } | { readonly count: number; readonly seed: number },
): ExecCounters | string {
  const { module, ok } = readText(text, null);
  const fn = kernel === null ? module.funcs[0] : module.funcs.find((f) => f.name === kernel);
  if (!ok || fn === undefined) return "the program has errors";
  const runs: RunInputs[] = [];
  if ("count" in inputs) {
    const threads = threadsFor(module, CHECK_THREADS);
    const shape = inputShape(fn, threads);
    for (let i = 0; i < inputs.count; i++) runs.push(toRunInputs(makeInput(shape, inputs.seed, i, threads), EXEC_FUEL));
  } else {
    for (const request of inputs.requests) {
      const read = parseExecRequest(request, fn, module.symbols);
      if (read.inputs === null) return read.diagnostics[0]?.message ?? "an input cannot be read";
      runs.push(read.inputs);
    }
  }
  const sum = { warpInstructions: 0, laneInstructions: 0, branches: 0, divergentBranches: 0, maxSyncDepth: 0, loads: 0, stores: 0 };
  for (const input of runs) {
    const outcome = runKernel(module, fn, { ...input, follow: true });
    if (outcome.status !== "ok") return describe(fn, outcome);
    const undecided = outcome.standIns?.undecided;
    if (undecided != null) return `not decided: ${undecided.what} depends on ${undecided.source.what}, so what it executes is made up`;
    const { counters } = outcome;
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += counters[key];
  }
  return sum;
}

const CHECK_THREADS = 32;
const EXEC_FUEL = 1_000_000;

/** Rewrites of one phase that are tried one by one. */
const MOST_TRIED = 200;

export type FirstWrong =
  | { readonly found: true; readonly address: string; readonly message: string }
  | { readonly found: false; readonly message: string };

/** The first rewrite after which a program means something else, with conditions dropped. */
export function firstWrongRewrite(
  text: string,
  kernel: string | null,
  options: PipelineOptions,
  drops: readonly Drop[],
  check: { readonly count: number; readonly seed: number },
): FirstWrong {
  const ready = prepare(text, kernel, options);
  if (!ready.ok) return { found: false, message: ready.message };
  const { pipeline, plan } = runPlan(ready, { drops });
  const prefixes = new RewritePrefixes(ready.fn, ready.module, plan, pipeline, { inputs: check.count, seed: check.seed });
  const total = prefixes.rewrites;
  if (total > MOST_TRIED) return { found: false, message: `${total} rewrites are more than the limit of ${MOST_TRIED}` };
  for (let n = 1; n <= total; n++) {
    const light = prefixes.light(n);
    if (light.colour !== "red") continue;
    const rewrite = prefixes.rewriteAt(n);
    return {
      found: true,
      address: `${addressOfRun(pipeline.runs, rewrite.run)}#${rewrite.n}`,
      message: light.counterexample?.text ?? light.reason,
    };
  }
  return { found: false, message: "no rewrite changes the meaning" };
}
