/** Runs a user's analysis on a program: its result for each block next to the built-in one, and its recorded steps. */

import { guestProgram } from "../../../engine/api/own/program.ts";
import type { OwnBlock } from "../../../engine/api/types.ts";
import { ownBlocks } from "./analysis-results.ts";
import type { OwnAnalysis } from "./api/api.ts";
import { applyPass, type OwnPassOptions, type OwnPassResult, prepare, type Refused } from "./apply-pass.ts";
import { analyzeGuest, readProgram } from "./guest.ts";

export interface OwnAnalysisResult {
  /** The blocks that can be reached, in reverse postorder; none where it threw. */
  readonly blocks: readonly OwnBlock[];
  /** It threw, returned something else, or names an unknown analysis. */
  readonly error: string | null;
  readonly steps: OwnPassResult["steps"];
}

export function applyAnalysis(
  text: string,
  analysis: OwnAnalysis,
  options: OwnPassOptions = {},
): ({ readonly ok: true } & OwnAnalysisResult) | Refused {
  const done = applyPass(text, analysis, options);
  const prepared = prepare(text, analysis, options);
  if (!done.ok) return done;
  if (!prepared.ok) return prepared;
  const { steps } = done;
  if (done.error !== null) return { ok: true, blocks: [], error: done.error, steps };
  const { fn, module } = prepared;
  const program = { ...guestProgram(fn, module), blocks: fn.layout.map((id) => [id, fn.blocks[id]?.label ?? ""] as const) };
  const said = analyzeGuest(analysis, readProgram(program), { source: [], forbid: [], at: { 0: 1 } });
  const blocks = ownBlocks(program, analysis.of, said);
  return typeof blocks === "string" ? { ok: true, blocks: [], error: blocks, steps } : { ok: true, blocks, error: null, steps };
}
