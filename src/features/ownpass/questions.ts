/** What the page asks the engine about what a sandbox answered. */

import type { Moment, OwnSaid } from "../../engine/api/types.ts";
import type { Engine } from "../../worker/engine.ts";
import { needed, q } from "../../worker/question.ts";
import type { OwnCompared } from "./engine/types.ts";

const answers = ({ parts }: Engine) => needed(parts.own);

export const OWN_PASS_QUESTIONS = {
  /** What its sandbox answered to a question of `ownAsk`, unchanged. */
  lendOwn: q(
    "Reading what the pass did",
    (e: Engine, id: number, answer: string): OwnSaid => answers(e).answerRun(e.session, id, answer),
    "never",
    { part: "own", sets: "pass" },
  ),
  /** A sandbox's answer about the program at a moment, next to what the built-in analysis `of` reports (null: none). */
  ownCompared: q(
    "Comparing the analysis",
    (e: Engine, moment: Moment, of: string | null, answer: string): OwnCompared =>
      answers(e).compareAnalysis(e.session, moment, of, answer),
    "until the step",
    { part: "own" },
  ),
};
