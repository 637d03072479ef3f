/** The engine behind one open document, with the importers of PTX and SASS at hand. */

import { CoreSession, type SessionOptions } from "./core-session.ts";
import { IMPORTERS } from "./importers.ts";

export type { SessionOptions } from "./core-session.ts";

export class EngineSession extends CoreSession {
  constructor(options: SessionOptions = {}) {
    super({ ...options, readers: { ...IMPORTERS, ...options.readers } });
  }
}
