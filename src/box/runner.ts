/** A box for the command line and tests: asks it and reads what it answers. */

import { messageOf } from "../base/errors.ts";
import type { Ended, PassRunner } from "../ownpass/check.ts";
import { type AnswerTo, type PassRequest, readAnswer } from "../ownpass/requests.ts";
import { Box } from "./box.ts";
import type { BoxLimits } from "./limits.ts";

/** Opens its box on first use. */
export function boxRunner(limits?: BoxLimits): PassRunner {
  let opened: Promise<Box> | null = null;
  return {
    async ask<Ask extends PassRequest["ask"]>(request: PassRequest & { readonly ask: Ask }): Promise<AnswerTo<Ask> | Ended> {
      opened ??= Box.open(limits);
      let box: Box;
      try {
        box = await opened;
      } catch (error) {
        opened = null;
        return { ended: "crash", message: `The pass could not be run: ${messageOf(error)}` };
      }
      const answer = box.ask(request);
      if (typeof answer !== "string") return answer;
      const read = readAnswer(request.ask, answer);
      return typeof read === "string" ? { ended: "answer", message: read } : read;
    },
  };
}
