/** Runs a user's pass on a program: its result, its recorded steps, and whether it satisfies the laws of every pass. */

import { digestOf } from "../../../base/hash.ts";
import { readText } from "../../../engine/api/read/read.ts";
import { stateDelta } from "../../../engine/api/run/state.ts";
import { traceInfo } from "../../../engine/api/run/trace-info.ts";
import type { Diagnostic, RunResult, StateDelta, TraceInfo } from "../../../engine/api/types.ts";
import { ENGINE_VERSION } from "../../../engine/api/version.ts";
import { parseKnobs } from "../../../engine/config/knob-parse.ts";
import { isTargetId, targetOf } from "../../../engine/config/targets.ts";
import { checkLaws, type Law } from "../../../engine/fuzz/laws.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import type { Pass } from "../../../engine/passes/pass.ts";
import { runPassOnce } from "../../../engine/pipeline/run-phase.ts";
import { printFunc } from "../../../engine/text/printer.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { DEFAULT_LIMITS, Recording } from "../../../engine/trace/recording.ts";
import { Trace } from "../../../engine/trace/trace.ts";
import { hostPass } from "./api/host.ts";
import type { OwnAnalysis, OwnPass } from "./api/module.ts";

export interface OwnPassOptions {
  /** Default: the first kernel. */
  readonly kernel?: string;
  /** Default: the text's, else sm_90. */
  readonly target?: string;
  readonly level?: number;
  readonly policy?: "notes" | "measured";
  /** `NAME=V`. */
  readonly knobs?: readonly string[];
}

export interface OwnPassResult {
  readonly text: string;
  readonly changed: boolean;
  /** What the pass reported. */
  readonly matches: number;
  readonly rewrites: number;
  readonly why: string | null;
  /** The pass threw: `text` is then the input. */
  readonly error: string | null;
  /** The recorded steps, as a session gives those of a phase: run number 0. */
  readonly steps: {
    readonly result: RunResult;
    trace(run: number): TraceInfo | null;
    events(run: number, from: number, count: number): readonly TraceEvent[];
    view(run: number, step: number, have: number | null): StateDelta;
    summary(run: number): string;
    /** The label of a block that exists at any step. */
    label(block: number): string;
  };
}

export type Refused = { readonly ok: false; readonly message: string; readonly diagnostics: readonly Diagnostic[] };

export interface LawOptions extends OwnPassOptions {
  /** Inputs on which the meaning is compared; default 32. */
  readonly inputs?: number;
  readonly seed?: number;
}

/** The first law that a pass breaks on a program; null: none. */
export interface LawVerdict {
  readonly law: Law | null;
  readonly message: string;
  readonly changed: boolean;
}

interface Prepared {
  readonly ok: true;
  readonly fn: Func;
  readonly module: Module;
  readonly id: string;
  readonly env: {
    target: ReturnType<typeof targetOf>;
    level: number;
    policy: "notes" | "measured";
    knobs: ReturnType<typeof parseKnobs>["settings"];
  };
}

/** Wraps a pass or an analysis defined with `oriscope/pass` as an engine pass; an engine pass is unchanged. */
const enginePass = (pass: Pass | OwnPass | OwnAnalysis): Pass => ("kind" in pass ? hostPass(pass) : pass);

export function applyPass(
  text: string,
  given: Pass | OwnPass | OwnAnalysis,
  options: OwnPassOptions = {},
): ({ readonly ok: true } & OwnPassResult) | Refused {
  const pass = enginePass(given);
  const prepared = prepare(text, pass, options);
  if (!prepared.ok) return prepared;
  const { fn, module, id, env } = prepared;
  const recording = new Recording(fn, DEFAULT_LIMITS);
  const { fn: after, outcome, changed, error } = runPassOnce(pass, id, fn, { ...env, module, rec: recording });
  const trace = new Trace(recording, fn);
  const why = outcome?.why ?? null;
  return {
    ok: true,
    text: printFunc(after),
    changed,
    matches: outcome?.matches ?? 0,
    rewrites: outcome?.rewrites ?? 0,
    why,
    error,
    steps: {
      result: resultOf(pass, id, fn, after, env, changed),
      trace: (run) => (run === 0 ? traceInfo(0, id, trace, pass.pseudocode) : null),
      events: (_run, from, count) =>
        Array.from({ length: Math.max(0, Math.min(trace.steps, from + count) - from) }, (_, i) => trace.event(from + i)),
      view: (run, step, have) => stateDelta(trace, run, step, have),
      label: (block) => trace.label(block),
      summary: () => error ?? why ?? `${outcome?.matches ?? 0} matches, ${outcome?.rewrites ?? 0} rewrites`,
    },
  };
}

/** Checks the laws of every pass on one program: verified result, same meaning, deterministic, same when recorded, replayed both ways. */
export function passLaws(text: string, given: Pass | OwnPass, options: LawOptions = {}): ({ readonly ok: true } & LawVerdict) | Refused {
  const pass = enginePass(given);
  const prepared = prepare(text, pass, options);
  if (!prepared.ok) return prepared;
  const { fn, module, id, env } = prepared;
  const { violation, changed } = checkLaws(
    fn,
    module,
    { pass, id, env },
    { inputs: options.inputs ?? 32, seed: options.seed ?? 1, trace: true },
  );
  return { ok: true, law: violation?.law ?? null, message: violation?.message ?? "No law is violated on this program.", changed };
}

/** The program and the settings of the pass; or what is wrong with either. */
export function prepare(text: string, given: Pass | OwnPass | OwnAnalysis, options: OwnPassOptions): Prepared | Refused {
  const { module, ok, diagnostics } = readText(text, null);
  const refused = (message: string): Refused => ({ ok: false, message, diagnostics });
  if (!ok) return refused("The text has errors.");
  const fn = options.kernel === undefined ? module.funcs[0] : module.funcs.find((f) => f.name === options.kernel);
  if (fn === undefined)
    return refused(options.kernel === undefined ? "The text contains no kernel." : `There is no kernel '${options.kernel}'.`);
  const [id] = enginePass(given).ids;
  if (id === undefined) return refused("The pass has no id.");
  const target = options.target ?? module.target ?? "sm_90";
  if (!isTargetId(target)) return refused(`There is no target '${target}'.`);
  const { settings, errors } = parseKnobs(options.knobs ?? []);
  if (errors[0] !== undefined) return refused(errors[0].message);
  const env = { target: targetOf(target), level: options.level ?? 3, policy: options.policy ?? ("notes" as const), knobs: settings };
  return { ok: true, fn, module, id, env };
}

function resultOf(pass: Pass, id: string, before: Func, after: Func, env: Prepared["env"], changed: boolean): RunResult {
  const size = (fn: Func): number => fn.layout.reduce((n, b) => n + (fn.blocks[b]?.insts.length ?? 0), 0);
  return {
    revision: 0,
    engine: ENGINE_VERSION,
    target: env.target.id,
    level: env.level,
    kernel: before.name,
    phases: [
      {
        run: 0,
        address: id,
        phase: null,
        group: "ptxas",
        id,
        name: pass.family,
        modelled: true,
        ran: true,
        reason: null,
        gates: [],
        dispatch: [],
        changed,
        blocks: [before.layout.length, after.layout.length],
        instructions: [size(before), size(after)],
        matches: 0,
        rewrites: 0,
        asked: 0,
        refused: 0,
        dropped: [],
        figures: {},
        ms: 0,
        verifyErrors: [],
        check: null,
      },
    ],
    diagnostics: [],
    digest: digestOf(printFunc(after)),
    interventions: [],
  };
}
