/** The engine of one open document, with all languages that are read. */

import { IMPORTERS } from "../../features/importers.ts";
import { CoreSession, type SessionOptions } from "./core-session.ts";

export type { Module } from "../ir/types.ts";
export type { SessionOptions } from "./core-session.ts";

export class EngineSession extends CoreSession {
  constructor(options: SessionOptions = {}) {
    super({ ...options, readers: { ...IMPORTERS, ...options.readers } });
  }
}
