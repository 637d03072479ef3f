/** The parts of `parts.ts`, all loaded: for tests and environments without workers. */

import { FutureQuestions } from "./futures/engine/questions.ts";
import { IMPORTERS } from "./importers.ts";
import * as own from "./ownpass/engine/answers.ts";
import type { Parts } from "./parts.ts";
import { LOCAL_RECORDINGS } from "./publish/engine/local-recordings.ts";

export const LOCAL_PARTS: Required<Parts> = {
  ...IMPORTERS,
  futures: FutureQuestions,
  own,
  recordings: LOCAL_RECORDINGS,
};
