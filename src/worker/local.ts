/** The same engine in this thread: for tests and environments without workers. */

import type { SessionOptions } from "../engine/api/core-session.ts";
import { FutureQuestions } from "../engine/api/futures/questions.ts";
import { IMPORTERS } from "../engine/api/read/importers.ts";
import { nodeElk } from "../layout/elk/node.ts";
import { Engine, type Parts } from "./engine.ts";
import { type EngineApi, everyQuestion } from "./questions.ts";
import { recordings } from "./recordings.ts";

const ALL: Parts = { ...IMPORTERS, futures: FutureQuestions, recordings: recordings(nodeElk) };

export function localEngine(options: SessionOptions = {}, parts: Parts = ALL): EngineApi {
  const engine = new Engine(options, parts);
  return everyQuestion(
    (_, { run }) =>
      (...args) =>
        run(engine, ...args),
  );
}
