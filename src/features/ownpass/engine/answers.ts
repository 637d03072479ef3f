/** Reads and checks the raw answers of a sandbox, and passes them to the session. */

import type { CoreSession } from "../../../engine/api/core-session.ts";
import type { Moment, OwnSaid } from "../../../engine/api/types.ts";
import { ownBlocks } from "./analysis-results.ts";
import { replayPass } from "./api/replay.ts";
import { readAnswer } from "./check/requests.ts";
import type { OwnCompared } from "./types.ts";

/** The answer to a question of `ownAsk`. */
export function answerRun(session: CoreSession, id: number, answer: string): OwnSaid {
  const read = readAnswer("run", answer);
  const found = typeof read === "string" ? { failed: { message: read, line: 0 } } : read;
  const none = { script: [], changed: false, rewrites: 0, why: null };
  const { script, changed, rewrites, why, thrown } = "failed" in found ? { ...none, thrown: found.failed } : found;
  return answerOwn(session, id, script, { changed, rewrites, why, problem: thrown });
}

/** `script`: what the code did. An entry that cannot be replayed is the phase's error. */
export function answerOwn(session: CoreSession, id: number, script: unknown, said: OwnSaid): OwnSaid {
  session.answerOwn(id, said, ({ name, summary, source }) =>
    replayPass({ name, summary, source: source.split("\n"), script, thrown: said.problem?.message ?? null }),
  );
  return said;
}

/** Compares the answer for the program at `moment`, block by block, with what the built-in analysis `of` reports (null: none). */
export function compareAnalysis(session: CoreSession, moment: Moment, of: string | null, answer: string): OwnCompared {
  const read = readAnswer("analyze", answer);
  if (typeof read === "string") return { blocks: [], problem: { message: read, line: 0 } };
  if ("failed" in read) return { blocks: [], problem: read.failed };
  const program = session.ownProgram(moment);
  const blocks = program === null ? [] : ownBlocks(program, of, read.blocks);
  return typeof blocks === "string" ? { blocks: [], problem: { message: blocks, line: 0 } } : { blocks, problem: null };
}
