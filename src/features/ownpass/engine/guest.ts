/** The part of a user's pass that runs in its sandbox: the program comes in as text, and what the pass did is returned as plain data. */

import { PassError } from "../../../engine/api/own/pass-error.ts";
import type { GuestProgram } from "../../../engine/api/own/program.ts";
import { ownRules } from "../../../engine/api/own/rules.ts";
import { DEFAULT_TARGET_ID, targetOf } from "../../../engine/config/targets.ts";
import { Editor } from "../../../engine/ir/edit.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { DEFAULT_OPTIONS } from "../../../engine/pipeline/defaults.ts";
import { runPassOnce } from "../../../engine/pipeline/run-phase.ts";
import { Remarks } from "../../../engine/remark/remarks.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { NO_RECORDER } from "../../../engine/trace/recorder.ts";
import { Actions } from "./api/actions.ts";
import type { AnalysisDefinition, OwnAnalysis, PassDefinition } from "./api/api.ts";
import { makeCtx, shown } from "./api/ctx-view.ts";
import { FnView } from "./api/fn-view.ts";
import { hostPass, resultOf } from "./api/host.ts";
import type { Candidates, LineNow } from "./api/saying.ts";
import type { ScriptEntry, ScriptValue } from "./api/script.ts";
import { Views } from "./api/views.ts";

export type { LineNow };

export interface GuestOptions {
  readonly skips: readonly number[];
  /** The most rewrites; null: no limit. */
  readonly fuel: number | null;
  readonly source: readonly string[];
  /** Analyses that the pass may not request. */
  readonly forbid: readonly string[];
  /** Record what is done. */
  readonly record: boolean;
  /** Line of the source that runs, at 0. */
  readonly at: LineNow;
  readonly started: (told: { ran(lines: readonly number[]): void; say(text: string): void }) => void;
}

export interface GuestRun {
  /** Canonical text of the module after the pass; of the given one if the pass threw. */
  readonly text: string;
  readonly changed: boolean;
  readonly rewrites: number;
  readonly why: string | null;
  /** What it reported about its candidates; null: it did not begin. */
  readonly candidates: Candidates | null;
  readonly thrown: string | null;
  readonly script: readonly ScriptEntry[] | null;
}

/** A given program, after it was read. */
export interface ReadProgram {
  readonly text: string;
  readonly fn: Func;
  readonly module: Module;
}

export function readProgram({ text, nextReg }: GuestProgram): ReadProgram {
  const { module, diagnostics } = parseModule(text);
  const [fn] = module.funcs;
  const error = diagnostics.find((d) => d.severity === "error");
  if (fn === undefined || error !== undefined) throw new PassError(`The program cannot be read: ${error?.message ?? "it has no body"}`);
  return { text, fn: { ...fn, nextReg: nextReg.map((n, i) => Math.max(n, fn.nextReg[i] ?? 0)) }, module };
}

export function runGuest(definition: PassDefinition | OwnAnalysis, { text, fn, module }: ReadProgram, options: GuestOptions): GuestRun {
  const script: ScriptEntry[] = [];
  let acting: Actions | null = null as Actions | null;
  const pass = hostPass(definition, {
    source: options.source,
    forbid: options.forbid,
    at: options.at,
    ...(options.record ? { script } : {}),
    started(actions) {
      acting = actions;
      options.started({
        ran: (lines) => actions.lines(lines, options.source),
        say: (text) => actions.step(text.slice(0, 2000), {}),
      });
    },
  });
  const result = runPassOnce(pass, pass.ids[0] ?? "own", fn, {
    module,
    ...GUEST_ENVIRONMENT,
    rec: NO_RECORDER,
    fuel: options.fuel === null ? null : { left: options.fuel },
    interventions: { skips: new Set(options.skips), drops: new Set() },
  });
  return {
    // The given text is canonical: printing it again would take as long as most passes.
    text: result.fn === fn ? text : printModule({ ...module, funcs: [result.fn, ...module.funcs.slice(1)], tail: [] }),
    changed: result.changed,
    rewrites: result.outcome?.rewrites ?? 0,
    why: result.outcome?.why ?? null,
    candidates: acting?.candidates() ?? null,
    thrown: result.error,
    script: options.record ? script : null,
  };
}

const GUEST_ENVIRONMENT = { target: targetOf(DEFAULT_TARGET_ID), level: DEFAULT_OPTIONS.level, policy: "notes", knobs: {} } as const;

/** What an analysis reports for each block, by label. */
export function analyzeGuest(
  definition: AnalysisDefinition,
  { fn, module }: ReadProgram,
  options: Pick<GuestOptions, "source" | "forbid" | "at">,
): Readonly<Record<string, ScriptValue>> {
  const edit = new Editor(fn, NO_RECORDER);
  const table = ownRules(options.source);
  const actions = new Actions({ edit, remark: new Remarks(edit, NO_RECORDER, table, null), table, module, script: null, at: options.at });
  const views = new Views(actions);
  const found: unknown = definition.run(new FnView(views, options.forbid), makeCtx(views));
  return Object.fromEntries([...resultOf(edit, found)].map(([block, value]) => [actions.at(views.blockId(block)).label, shown(value)]));
}
