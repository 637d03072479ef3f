/** Requests about futures: comparing two, checking every prefix of one, its first wrong rewrite, a text inserted into its middle. */

import { compareFutures } from "../../futures/compare.ts";
import { RewritePrefixes } from "../../futures/prefixes.ts";
import type { Func } from "../../ir/types.ts";
import { printFunc } from "../../text/printer.ts";
import { execute } from "../exec/exec.ts";
import type { ReadResult } from "../read/read-with.ts";
import type { Readers } from "../read/readers.ts";
import { MOST_CHECKED, type Ran, type RunStore } from "../run/run-store.ts";
import type {
  BisectReport,
  ConditionRow,
  Diagnostic,
  ExecReport,
  ExecRequest,
  FutureComparison,
  LightReport,
  NeedOptions,
  NeedReport,
  PipelineOptions,
  RewriteReport,
} from "../types.ts";
import { readEdit } from "./edits.ts";
import { bisectReport, conditionRows, lightReport, needReport } from "./searches.ts";

/** Inputs on which a prefix is checked, by default. */
const DEFAULT_LIGHT_INPUTS = 16;
/** Inputs on which two futures are compared, by default. */
const DEFAULT_COMPARED = 8;
const NO_REQUEST: ExecRequest = { threads: 32, fuel: 100_000, args: [], mem: [] };

/** What the session has open at the time of a request. */
export interface Asked {
  readonly opened: ReadResult | null;
  readonly ran: Ran | null;
  readonly readers: Readers;
}

interface AskedSession {
  readonly runs: RunStore;
  asked(): Asked;
}

export class FutureQuestions {
  private readonly session: AskedSession;

  constructor(session: AskedSession) {
    this.session = session;
  }

  /** Two futures of a kernel: where they differ, their sizes, and what they execute on the same inputs; a string says why there is none. */
  compare(kernel: string, a: PipelineOptions, b: PipelineOptions, inputs = DEFAULT_COMPARED, seed = 1): FutureComparison | string {
    const [x, y] = [this.session.runs.with(0, kernel, a), this.session.runs.with(0, kernel, b)];
    for (const { ran, result } of [x, y]) {
      if (ran === null) return result.diagnostics.find((d) => d.severity === "error")?.message ?? "it could not be run";
    }
    if (x.ran === null || y.ran === null) return "it could not be run";
    const { input, module } = x.ran;
    const options = { inputs: Math.min(Math.max(1, inputs), MOST_CHECKED), seed };
    return compareFutures(input, module, x.ran.pipeline, y.ran.pipeline, options);
  }

  /** The program of a future after one of its runs (null: at its end); empty where it could not be run. */
  text(kernel: string, options: PipelineOptions, run: number | null): string {
    const { ran } = this.session.runs.with(0, kernel, options);
    if (ran === null) return "";
    const fn = run === null ? ran.pipeline.result : run < 0 ? ran.input : ran.pipeline.runs[run]?.after;
    return fn === undefined ? "" : printFunc(fn);
  }

  /** The programs before and after the `n`-th rewrite of the last run, and what both do on an input. */
  rewrite(n: number, input: ExecRequest | null): RewriteReport | null {
    const prefixes = this.prefixes(1, 1);
    const { ran, readers } = this.session.asked();
    if (prefixes === null || ran === null || n < 1 || n > prefixes.rewrites) return null;
    const { module, program } = ran;
    const [before, after] = [prefixes.program(n - 1), prefixes.program(n)];
    const on = (fn: Func): ExecReport => execute(module, fn, input ?? NO_REQUEST, program, readers);
    return {
      n,
      before: printFunc(before),
      after: printFunc(after),
      runs: input === null ? null : { before: on(before), after: on(after) },
    };
  }

  /** Whether the program after the first `n` rewrites of the last run still means what it did, on `inputs` inputs; null when nothing has run. */
  light(n: number, inputs = DEFAULT_LIGHT_INPUTS, seed = 1): LightReport | null {
    const prefixes = this.prefixes(inputs, seed);
    return prefixes === null || n < 0 || n > prefixes.rewrites ? null : lightReport(prefixes, n);
  }

  /** The first rewrite of the last run after which the program means something else; `scan`: examine every one (null: where they are few). */
  bisect(inputs = DEFAULT_LIGHT_INPUTS, seed = 1, scan: boolean | null = null): BisectReport | null {
    const prefixes = this.prefixes(inputs, seed);
    const { ran } = this.session.asked();
    return prefixes === null || ran === null ? null : bisectReport(prefixes, ran.pipeline.runs, scan);
  }

  /** The conditions of a phase (null: of all) under which it refuses a candidate. */
  conditions(phase: string | null): readonly ConditionRow[] {
    return conditionRows(phase);
  }

  /** A program and an input on which dropping a condition makes a difference; `own`: the kernel of the last run is tried, too. */
  need(condition: string, options: NeedOptions, own: boolean, pipeline: PipelineOptions | null): NeedReport | string {
    const { ran } = this.session.asked();
    const program = !own || ran === null ? null : { module: ran.module, fn: ran.input };
    return needReport(condition, options, program, pipeline);
  }

  /** What is wrong with a text that should take a kernel's place in the middle of a run, with places in the text. */
  checkEdit(kernel: string, text: string): readonly Diagnostic[] {
    const module = this.session.asked().opened?.module;
    const fn = module?.funcs.find((one) => one.name === kernel);
    return module === undefined || fn === undefined ? [] : readEdit(text, module, fn).problems;
  }

  private prefixes(inputs: number, seed: number): RewritePrefixes | null {
    const { ran } = this.session.asked();
    if (ran === null) return null;
    const { input, module, plan, pipeline, prefixes } = ran;
    const key = `${inputs} ${seed}`;
    let found = prefixes.get(key);
    if (found === undefined) {
      const own = { inputs: Math.min(Math.max(1, inputs), MOST_CHECKED), seed };
      found = new RewritePrefixes(input, module, plan, pipeline, own);
      prefixes.set(key, found);
    }
    return found;
  }
}
