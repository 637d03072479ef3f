/** Runs a user's pass as a phase: replays what it did elsewhere, recorded like every other phase. */

import { ownId } from "../../../engine/config/own-id.ts";
import type { Pass } from "../../../engine/passes/pass.ts";
import { type ReplayOptions, replayPass } from "./api/replay.ts";
import { applyPass, type OwnPassOptions, type OwnPassResult, type Refused } from "./apply-pass.ts";

/** The id of a user's pass, from its name. */
export const ownPassId = ownId;

/** Replays on the program that the pass was given. The script is not trusted: an entry that cannot be replayed is the result's `error`. */
export function replayOn(
  text: string,
  replay: ReplayOptions,
  options: OwnPassOptions = {},
): ({ readonly ok: true } & OwnPassResult) | Refused {
  const pass: Pass = replayPass(replay);
  return applyPass(text, pass, options);
}
