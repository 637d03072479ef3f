/** The engine behind one open document, with the importers of PTX and SASS at hand, and all that is asked of futures. */

import { CoreSession, type SessionOptions } from "./core-session.ts";
import { FUTURES } from "./future-questions.ts";
import { IMPORTERS } from "./importers.ts";

export type { Module } from "../ir/types.ts";
export type { SessionOptions } from "./core-session.ts";

export class EngineSession extends CoreSession {
  constructor(options: SessionOptions = {}) {
    super({ futures: FUTURES, ...options, readers: { ...IMPORTERS, ...options.readers } });
  }
}
