/** One kernel of `run`: the pipeline's result, and what is printed of it. Plain data, so that a thread can produce it, too. */

import type { EngineSession } from "../engine/api/session.ts";
import type { PhaseRun, RunResult } from "../engine/api/types.ts";
import type { Args } from "./args.ts";
import type { RunKernelJson, RunPhaseJson } from "./shapes.ts";

export interface KernelRun {
  /** Without the phases about which nothing is printed. */
  readonly result: RunResult;
  readonly json: RunKernelJson;
  /** Null unless requested. */
  readonly dot: string | null;
}

/** What `run` prints: `--json` is short for `--emit json`. */
export const emitOf = (args: Args): string => (args.has("json") ? "json" : (args.value("emit") ?? "ori"));

/** Of the run that the session did last. */
export function kernelRun(session: EngineSession, result: RunResult, args: Args): KernelRun {
  const dot = args.value("emit") === "dot" ? session.exportAs(lastMoment(result), "dot") : null;
  return { result: { ...result, phases: result.phases.filter(isHeard) }, json: kernelJson(session, result, args), dot };
}

/** Phases about which something may be printed. A module has thousands of kernels, and a run 159 positions: the others are not kept. */
const isHeard = ({ verifyErrors, check, figures }: PhaseRun): boolean =>
  verifyErrors.length > 0 || check !== null || (figures.phis ?? 0) > 0;

const lastMoment = (result: RunResult): { readonly run: number; readonly step: null } => ({ run: result.phases.length - 1, step: null });

/** The target of the printed module: the requested one, else the one named in the text. */
export function targetSaid(result: RunResult, args: Args): string | null {
  return args.has("target") ? result.target : null;
}

function kernelJson(session: EngineSession, result: RunResult, args: Args): RunKernelJson {
  const emit = emitOf(args);
  const told = emit === "json" || emit === "summary";
  const graph = args.value("emit") === "json" ? { graph: JSON.parse(session.exportAs(lastMoment(result), "json")) as unknown } : {};
  return {
    name: result.kernel,
    phases: told ? result.phases.map((phase): RunPhaseJson => pick(phase, PHASE_FIELDS)) : [],
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
