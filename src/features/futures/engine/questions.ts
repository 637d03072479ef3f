/** Requests about futures: checking every prefix of one, its first wrong rewrite, a text inserted into its middle. */

import type { Asked } from "../../../engine/api/core-session.ts";
import { execute } from "../../../engine/api/exec/exec.ts";
import { readEdit } from "../../../engine/api/run/edits.ts";
import { MOST_CHECKED, type Ran } from "../../../engine/api/run/run-store.ts";
import type { Diagnostic, ExecReport, ExecRequest, PipelineOptions } from "../../../engine/api/types.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { printFunc } from "../../../engine/text/printer.ts";
import { RewritePrefixes } from "./prefixes.ts";
import { bisectReport, conditionRows, lightReport, needReport } from "./searches.ts";
import type { BisectReport, ConditionRow, LightReport, NeedOptions, NeedReport, RewriteReport } from "./types.ts";

/** Inputs on which a prefix is checked, by default. */
const DEFAULT_LIGHT_INPUTS = 16;
const NO_REQUEST: ExecRequest = { threads: 32, fuel: 100_000, args: [], mem: [] };

/** The checked prefixes of a run, by inputs and seed. */
const PREFIXES = new WeakMap<Ran, Map<string, RewritePrefixes>>();

interface AskedSession {
  asked(): Asked;
}

export class FutureQuestions {
  private readonly session: AskedSession;

  constructor(session: AskedSession) {
    this.session = session;
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
    const { input, module, plan, pipeline } = ran;
    const known = PREFIXES.get(ran) ?? new Map<string, RewritePrefixes>();
    PREFIXES.set(ran, known);
    const key = `${inputs} ${seed}`;
    let found = known.get(key);
    if (found === undefined) {
      const own = { inputs: Math.min(Math.max(1, inputs), MOST_CHECKED), seed };
      found = new RewritePrefixes(input, module, plan, pipeline, own);
      known.set(key, found);
    }
    return found;
  }
}
