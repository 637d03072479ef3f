/** What the page asks the engine about futures. */

import type { PipelineOptions } from "../../engine/api/types.ts";
import type { Engine } from "../../worker/engine.ts";
import { needed, q } from "../../worker/question.ts";
import type { FutureQuestions } from "./engine/questions.ts";
import type { NeedReport } from "./engine/types.ts";

/** Arguments of a method. */
type Futures<K extends "light" | "bisect" | "rewrite" | "conditions" | "checkEdit"> = Parameters<FutureQuestions[K]>;

function futures({ parts, session }: Engine): FutureQuestions {
  const Questions = needed(parts.futures);
  return new Questions(session);
}

export const FUTURES_QUESTIONS = {
  /** Whether the program after the first `n` rewrites of the last run still has the same meaning; null: there are fewer. */
  light: q("Checking a rewrite", (e: Engine, ...a: Futures<"light">) => futures(e).light(...a), "none", { part: "futures" }),
  /** The first rewrite of the last run after which the program has a different meaning. `scan`: try all of them; null: only if there are few. */
  bisect: q("Looking for the first wrong rewrite", (e: Engine, ...a: Futures<"bisect">) => futures(e).bisect(...a), "none", {
    part: "futures",
  }),
  /** The programs before and after the `n`-th rewrite of the last run, and what both do on an input. */
  rung: q("Printing the programs", (e: Engine, ...a: Futures<"rewrite">) => futures(e).rewrite(...a), "none", { part: "futures" }),
  /** The conditions under which a phase (null: any) refuses a candidate. */
  conditions: q("Listing the conditions", (e: Engine, ...a: Futures<"conditions">) => futures(e).conditions(...a), "all", {
    part: "futures",
  }),
  /** Searches a program and an input that differ without a condition (`ID:CONDITION`); `own`: the kernel of the last run is tried first. A string: what is wrong. */
  searchNeed: q(
    "Searching for a program that needs the condition",
    (e: Engine, condition: string, count: number, seed: number, own: boolean, options: PipelineOptions): NeedReport | string =>
      futures(e).need(condition, { count, seed, kept: own }, own, options),
    "none",
    { part: "futures" },
  ),
  /** What is wrong with a text that should take a kernel's place in the middle of a run, with places in the text. */
  checkEdit: q("Reading the edit", (e: Engine, ...a: Futures<"checkEdit">) => futures(e).checkEdit(...a), "all", { part: "futures" }),
};
