/** One kernel of `run`: what the pipeline made of it, and what is printed of that. Plain data, so that a thread can make it, too. */

import type { RunResult } from "../engine/api/types.ts";
import type { Args } from "./args.ts";
import type { Program } from "./program.ts";
import type { RunKernelJson, RunPhaseJson } from "./shapes.ts";

export interface KernelRun {
  readonly result: RunResult;
  readonly json: RunKernelJson;
  /** Null unless it is asked for. */
  readonly dot: string | null;
}

/** Of the run that the program's session did last. */
export function kernelRun(program: Program, result: RunResult, args: Args): KernelRun {
  const dot = args.value("emit") === "dot" ? program.session.exportAs(lastMoment(result), "dot") : null;
  return { result, json: kernelJson(program, result, args), dot };
}

const lastMoment = (result: RunResult): { readonly run: number; readonly step: null } => ({ run: result.phases.length - 1, step: null });

/** What the printed module says it was compiled for: the target that was asked for, else the text's own word. */
export function targetSaid(result: RunResult, args: Args): string | null {
  return args.has("target") ? result.target : null;
}

function kernelJson({ session }: Program, result: RunResult, args: Args): RunKernelJson {
  const graph = args.value("emit") === "json" ? { graph: JSON.parse(session.exportAs(lastMoment(result), "json")) as unknown } : {};
  return {
    name: result.kernel,
    phases: result.phases.map((phase): RunPhaseJson => pick(phase, PHASE_FIELDS)),
    text: session.headerText(targetSaid(result, args)) + session.text(lastMoment(result)).text,
    digest: result.digest,
    interventions: result.interventions,
    ...graph,
  };
}

/** What of a phase's run the command promises, in this order. */
const PHASE_FIELDS = [
  "run",
  "phase",
  "id",
  "name",
  "ran",
  "reason",
  "changed",
  "blocks",
  "instructions",
  "matches",
  "rewrites",
  "ms",
  "check",
  "verifyErrors",
  "address",
  "asked",
  "refused",
  "dropped",
] as const satisfies readonly (keyof RunPhaseJson)[];

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
