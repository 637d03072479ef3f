/** Writing what a run did, and reading it back, in one value. `elk` lays out the graphs of exported files. */

import type { RunResult } from "../engine/api/types.ts";
import type { Elk } from "../layout/elk/elk.ts";
import { looksExported, looksLikeTrace } from "../publish/looks-recorded.ts";
import { type Published, type PublishRequest, publish } from "../publish/publish.ts";
import { type ReadTrace, readTrace } from "../publish/read-trace.ts";
import type { TraceSource } from "../publish/record-trace.ts";
import { readExported } from "../publish/recorded/exported-file.ts";
import { readIon } from "../publish/recorded/ion.ts";
import { RecordedSession } from "../publish/recorded/recorded-session.ts";
import type { TraceDocument } from "../publish/trace-document.ts";

/** Reads and writes recordings. */
export interface Recordings {
  /** For a text that looks like a recording. */
  read(text: string): ReadTrace;
  session(document: TraceDocument): RecordedSession;
  publish(source: TraceSource, result: RunResult, request: PublishRequest): Promise<Published>;
}

export const recordings = (elk: Elk): Recordings => ({
  read: (text) => (looksLikeTrace(text) ? readTrace(text) : looksExported(text) ? readExported(text) : readIon(text)),
  session: (document) => new RecordedSession(document),
  publish: (source, result, request) => publish(source, result, request, elk),
});
