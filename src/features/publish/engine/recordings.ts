/** Writing what a run did, and reading it back, in one value. `elk` lays out the graphs of exported files. */

import type { OpenedText, OpeningPart } from "../../../engine/api/read/opener.ts";
import type { Readers } from "../../../engine/api/read/readers.ts";
import type { Diagnostic, RunResult } from "../../../engine/api/types.ts";
import type { Elk } from "../../../layout/elk/elk.ts";
import { looksExported, looksLikeTrace } from "./looks-recorded.ts";
import { PlayedSession } from "./played-session.ts";
import { type Published, type PublishRequest, publish } from "./publish.ts";
import { type ReadTrace, readTrace } from "./read-trace.ts";
import type { TraceSource } from "./record-trace.ts";
import { readExported } from "./recorded/exported-file.ts";
import { readIon } from "./recorded/ion.ts";
import { RecordedSession } from "./recorded/recorded-session.ts";

/** Reads and writes recordings. */
export interface Recordings extends OpeningPart {
  publish(source: TraceSource, result: RunResult, request: PublishRequest): Promise<Published>;
}

export const recordings = (elk: Elk): Recordings => ({
  open,
  publish: (source, result, request) => publish(source, result, request, elk),
});

const readRecording = (text: string): ReadTrace =>
  looksLikeTrace(text) ? readTrace(text) : looksExported(text) ? readExported(text) : readIon(text);

function open(text: string, readers: Readers): OpenedText {
  const read = readRecording(text);
  if (!read.ok) return { session: null, diagnostics: [message(read.line, "error", "TRC001", read.message)] };
  const recorded = read.documents.map((document) => new RecordedSession(document));
  const said = "This is a recorded trace: you can step through it as recorded, but options and knobs have no effect.";
  const notes = read.notes.map((note) => message(1, "warning", "TRC002", note));
  return {
    session: new PlayedSession(recorded, readers),
    kernels: recorded.map((one) => one.kernel()),
    diagnostics: [...notes, message(1, "info", "TRC003", said)],
  };
}

const message = (line: number, severity: Diagnostic["severity"], code: string, text: string): Diagnostic => ({
  line,
  column: 1,
  length: 0,
  severity,
  code,
  message: text,
  suggestion: null,
});
