/** What the page asks the engine for a file of what a run did. */

import type { Engine } from "../../worker/engine.ts";
import { needed, q } from "../../worker/question.ts";
import type { Published, PublishRequest } from "./engine/publish.ts";

export const PUBLISH_QUESTIONS = {
  /** Phases of the last run as a file; null when nothing has run. */
  publish: q(
    "Making the pictures",
    async ({ parts, session, result }: Engine, request: PublishRequest): Promise<Published | null> => {
      const recordings = needed(parts.recordings);
      return result === null || result.phases.length === 0 ? null : recordings.publish(session, result, request);
    },
    "none",
    { part: "recordings" },
  ),
};
