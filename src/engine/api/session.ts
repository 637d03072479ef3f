/** The engine of one open document, with all that it reads, and the questions about futures. */

import { CoreSession, type SessionOptions } from "./core-session.ts";
import { FutureQuestions } from "./futures/questions.ts";
import { IMPORTERS } from "./read/importers.ts";

export type { Module } from "../ir/types.ts";
export type { SessionOptions } from "./core-session.ts";

export class EngineSession extends CoreSession {
  readonly futures = new FutureQuestions(this);

  constructor(options: SessionOptions = {}) {
    super({ ...options, readers: { ...IMPORTERS, ...options.readers } });
  }
}
