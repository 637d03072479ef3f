/** The same engine in this thread: for tests and environments without workers. */

import type { SessionOptions } from "../engine/api/core-session.ts";
import { LOCAL_PARTS } from "../features/local-parts.ts";
import type { Parts } from "../features/parts.ts";
import { Engine } from "./engine.ts";
import { type EngineApi, everyQuestion } from "./questions.ts";

export function localEngine(options: SessionOptions = {}, parts: Parts = LOCAL_PARTS): EngineApi {
  const engine = new Engine(options, parts);
  return everyQuestion(
    (_, { run }) =>
      (...args) =>
        run(engine, ...args),
  );
}
