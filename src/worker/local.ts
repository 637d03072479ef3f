/** The same engine in this thread: for tests and for whatever has no worker. */

import { BRIL } from "../engine/api/bril.ts";
import { FUTURES } from "../engine/api/future-questions.ts";
import { IMPORTERS } from "../engine/api/importers.ts";
import { nodeElk } from "../layout/elk/node.ts";
import type { EngineApi } from "./contract.ts";
import { recordings } from "./recordings.ts";
import { WorkSession } from "./work-session.ts";

/** `now` gives milliseconds of any origin. */
export function localEngine(now: () => number = () => 0): EngineApi {
  return new WorkSession({ now, readers: { ...IMPORTERS, bril: BRIL }, futures: FUTURES, recordings: recordings(nodeElk) });
}
