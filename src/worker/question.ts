/** What a question of the page to the engine is: one row of a table. The page has this module, too: it names the engine's code in types only. */

import type { Engine, Part } from "./engine.ts";
import type { AnyRule, VeilRule } from "./veil.ts";

interface Options {
  /** The part that it needs, which the worker loads first: one by name, or the reader of the text in its arguments. */
  readonly part?: Part | "reader";
  /** It sets what later questions are about. A fresh engine is given the last text and the last run; of overlapping requests only the newest is sent. */
  readonly sets?: "text" | "run" | "pass";
  /** The page never repeats it by itself, so one that was stopped need not be held back. */
  readonly once?: boolean;
  /** It works on the text itself: if it did not end, a fresh engine is not given that text again. */
  readonly reads?: boolean;
  /** Its first argument is a run whose steps it records, or needs as recorded. */
  readonly steps?: "recorded" | "needed";
  /** Under this name the worker accepts the same question with an edit of the last text instead of the text. */
  readonly byEdit?: string;
  /** How an answer is sent: its columns are transferred instead of copied, or it is packed into columns. */
  readonly travels?: "columns" | "packed";
}

type Run = (engine: Engine, ...args: never[]) => unknown;
/** The arguments and the answer of a question, from the function that runs it. */
export type ArgsOf<R extends Run> = R extends (engine: Engine, ...args: infer A) => unknown ? A : never;

export interface Question<R extends Run> extends Options {
  readonly title: string;
  readonly veil: VeilRule<ArgsOf<R>, Awaited<ReturnType<R>>>;
  readonly run: R;
}

export const q = <R extends Run>(title: string, run: R, rule: Question<R>["veil"], options: Options = {}): Question<R> => ({
  title,
  veil: rule,
  run,
  ...options,
});

/** A row, for code that treats all of them alike. */
export interface Row extends Options {
  readonly title: string;
  readonly veil: AnyRule;
  readonly run: (engine: Engine, ...args: readonly unknown[]) => unknown;
}

/** A part that a row needs; it is missing only if it could not be loaded. */
export function needed<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("A part of the engine could not be loaded. Reload the page.");
  return part;
}
