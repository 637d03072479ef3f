/** All questions of the page to the engine. The page has this module, too: it names the engine's code in types only. */

import { CORE_QUESTIONS } from "../worker/core-questions.ts";
import { FUTURES_QUESTIONS } from "./futures/questions.ts";
import { OWN_PASS_QUESTIONS } from "./ownpass/questions.ts";
import { PUBLISH_QUESTIONS } from "./publish/questions.ts";
import { SASS_QUESTIONS } from "./sass/questions.ts";

export const QUESTIONS = {
  ...CORE_QUESTIONS,
  ...FUTURES_QUESTIONS,
  ...OWN_PASS_QUESTIONS,
  ...PUBLISH_QUESTIONS,
  ...SASS_QUESTIONS,
};
