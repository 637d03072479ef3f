/** What `import … from "oriscope"` gives. Everything else in the package is internal. */

import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { type CompareOptions, type Comparison, compareTexts } from "../engine/api/exec/compare.ts";
import { EngineSession } from "../engine/api/session.ts";
import type { KnobRow, OpcodeRow, OwnBlock, PhaseRow, PipelineOptions } from "../engine/api/types.ts";
import { ENGINE_VERSION } from "../engine/api/version.ts";
import type { Pass } from "../engine/passes/pass.ts";
import { applyAnalysis } from "../features/ownpass/engine/apply-analysis.ts";
import {
  applyPass,
  type LawOptions,
  type LawVerdict,
  type OwnPassOptions,
  type OwnPassResult,
  passLaws,
  type Refused,
} from "../features/ownpass/engine/apply-pass.ts";
import type { OwnAnalysis, OwnPass } from "../features/ownpass/engine/module.ts";
import { traceHtml as drawnHtml } from "../features/publish/engine/html/html.ts";
import { type PublishFormat, publish, USUAL_STEPS } from "../features/publish/engine/publish.ts";
import type { TraceDocument } from "../features/publish/engine/trace-document.ts";
import { nodeElk } from "../layout/elk/node.ts";

export type { CompareOptions, Comparison } from "../engine/api/exec/compare.ts";
export type {
  Analyses,
  BlockView,
  Diagnostic,
  ExecReport,
  ExecRequest,
  History,
  HistoryItem,
  InstView,
  KernelInfo,
  KnobRow,
  OpcodeRow,
  OwnBlock,
  PhaseRow,
  PhaseRun,
  PipelineOptions,
  SourceFormat,
  StandInReport,
  Subject,
  TableView,
} from "../engine/api/types.ts";
export { Editor } from "../engine/ir/edit.ts";
export type { Block, Func, Inst, Module, Operand } from "../engine/ir/types.ts";
export { defsOf, getBlock, usesOf } from "../engine/ir/visit.ts";
export type { Pass, PassContext, PassOutcome } from "../engine/passes/pass.ts";
export type { Facts, Focus, TraceEvent } from "../engine/trace/event.ts";
export type { Recorder } from "../engine/trace/recorder.ts";
export type { LawOptions, LawVerdict, OwnPassOptions, Refused } from "../features/ownpass/engine/apply-pass.ts";
export type { OwnAnalysis, OwnPass } from "../features/ownpass/engine/module.ts";
export { changeLog } from "../features/publish/engine/change-log.ts";
export type { PublishFormat } from "../features/publish/engine/publish.ts";
export { type ReadTrace, readTrace } from "../features/publish/engine/read-trace.ts";
export {
  PhaseStates,
  type TraceBlock,
  type TraceDocument,
  type TracePhase,
  type TraceState,
  type TraceStep,
} from "../features/publish/engine/trace-document.ts";
export { traceText } from "../features/publish/engine/write-trace.ts";
export {
  type At,
  type OpenOptions,
  openSession,
  type PhaseState,
  type PhaseTrace,
  type Run,
  type RunOptions,
  type Session,
} from "./session.ts";

/** Version of the engine. */
export const version: string = ENGINE_VERSION;

/** Whether two programs mean the same, by running both on many inputs: a counterexample is a proof, 'same' is not. */
export function check(before: string, after: string, options: CompareOptions = {}): Comparison {
  return compareTexts(before, after, options);
}

/** What your own pass did to a program. */
export interface PassResult {
  readonly ok: true;
  readonly text: string;
  readonly changed: boolean;
  readonly matches: number;
  readonly rewrites: number;
  /** Why nothing changed, in the pass's words. */
  readonly why: string | null;
  /** The pass threw: `text` is then the input. */
  readonly error: string | null;
  /** The recorded steps as a trace, a file that plays them, or a list of changes. */
  publish(format: PublishFormat): Promise<string>;
}

/** Runs your own pass on a program and records its steps: one of `oriscope/pass`, or one in the engine's own form. */
export function runPass(text: string, pass: Pass | OwnPass, options: OwnPassOptions = {}): PassResult | Refused {
  const done = applyPass(text, pass, options);
  if (!done.ok) return done;
  const { steps, ...result } = done;
  return { ...result, publish: publisher("kind" in pass ? pass.name : pass.family, steps) };
}

/** What your own analysis reports about a program. */
export interface AnalysisResult {
  readonly ok: true;
  /** The blocks that can be reached, in reverse postorder, with what ours says where `of` names one; none where it threw. */
  readonly blocks: readonly OwnBlock[];
  /** It threw, returned something else, or `of` names an analysis that we do not have. */
  readonly error: string | null;
  /** As of a pass. */
  publish(format: PublishFormat): Promise<string>;
}

/** Runs an analysis by `oriscope/pass` on a program, compares it with ours block by block, and records its steps. */
export function runAnalysis(text: string, analysis: OwnAnalysis, options: OwnPassOptions = {}): AnalysisResult | Refused {
  const done = applyAnalysis(text, analysis, options);
  if (!done.ok) return done;
  const { steps, ...result } = done;
  return { ...result, publish: publisher(analysis.name, steps) };
}

const publisher =
  (name: string, steps: OwnPassResult["steps"]) =>
  async (format: PublishFormat): Promise<string> => {
    const request = { format, title: `${name}: ${steps.result.kernel}`, runs: [0], mostSteps: USUAL_STEPS };
    return (await publish(steps, steps.result, request, nodeElk)).text;
  };

/** One HTML file that steps through a trace by itself; `changesOnly`: only the steps that change the program. */
export function traceHtml(document: TraceDocument, changesOnly = false): Promise<string> {
  return drawnHtml(document, nodeElk, changesOnly);
}

/** Checks the promises of every pass on one program: verified result, same meaning, deterministic, same when recorded, replayed both ways. */
export function laws(text: string, pass: Pass | OwnPass, options: LawOptions = {}): ({ readonly ok: true } & LawVerdict) | Refused {
  return passLaws(text, pass, options);
}

/** Every position of the pipeline, with what its gates say under the options. */
export function phases(options: Partial<PipelineOptions> = {}): readonly PhaseRow[] {
  return new EngineSession().phases({ ...DEFAULT_PIPELINE, ...options });
}

export function knobs(): readonly KnobRow[] {
  return new EngineSession().knobs();
}

export function opcodes(): readonly OpcodeRow[] {
  return new EngineSession().opcodes();
}
