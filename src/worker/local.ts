/** The same engine in this thread: for tests and for whatever has no worker. */

import { EngineSession } from "../engine/api/session.ts";
import type { EngineApi } from "./contract.ts";

/** `now` gives milliseconds of any origin. */
export function localEngine(now: () => number = () => 0): EngineApi {
  return new EngineSession({ now });
}
