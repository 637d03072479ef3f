/** A box for the command line and tests: sends requests and reads the answers. */

import { messageOf } from "../../../base/errors.ts";
import type { Ended, PassRunner } from "../engine/check/check.ts";
import { type AnswerTo, type PassRequest, readAnswer } from "../engine/check/requests.ts";
import { Box } from "./box.ts";
import { BOX_LIMITS, type BoxLimits } from "./limits.ts";

/** One box per set of limits: opening one takes as long as many requests, and no request's state survives it. */
const opened = new Map<string, Promise<Box>>();

/** Opens a box on first use. */
export function boxRunner(limits: BoxLimits = BOX_LIMITS): PassRunner {
  const key = JSON.stringify(limits);
  return {
    async ask<Ask extends PassRequest["ask"]>(request: PassRequest & { readonly ask: Ask }): Promise<AnswerTo<Ask> | Ended> {
      const opening = opened.get(key) ?? Box.open(limits);
      opened.set(key, opening);
      let box: Box;
      try {
        box = await opening;
      } catch (error) {
        opened.delete(key);
        return { ended: "crash", message: `The pass could not be run: ${messageOf(error)}` };
      }
      const answer = box.ask(request);
      if (typeof answer !== "string") return answer;
      const read = readAnswer(request.ask, answer);
      return typeof read === "string" ? { ended: "answer", message: read } : read;
    },
  };
}
