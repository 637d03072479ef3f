/** What the page asks the engine about a listing of the real compiler. */

import type { Moment } from "../../engine/api/types.ts";
import type { Engine } from "../../worker/engine.ts";
import { needed, q } from "../../worker/question.ts";
import type { AlignReport } from "./engine/align/report.ts";

export const SASS_QUESTIONS = {
  /** Compares the function at a moment with a function of a listing (null: the one of the same name, or the only kernel): matched blocks, decisions. */
  align: q(
    "Aligning",
    ({ parts, session }: Engine, moment: Moment, listing: string, name: string | null): AlignReport =>
      needed(parts.sass).align(session.soundAt(moment), listing, name),
    "until the step",
    { part: "sass", once: true },
  ),
};
