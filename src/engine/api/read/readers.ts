/** What reads each language but Ori: parts of the engine that a page loads when it first meets a text of that language. Types only. */

import type { PtxImport } from "../../import/ptx/import.ts";
import type { PtxReading } from "../../import/ptx/reading.ts";
import type { SassImport } from "../../import/sass/import.ts";
import type { SourceReader } from "../../import/source-note.ts";
import type { BrilSupport } from "./bril-support.ts";

export interface PtxReader {
  read(text: string): PtxImport;
  /** As `read`, a function at a time. */
  begin(text: string): PtxReading;
  source(text: string): SourceReader;
}

export interface SassReader {
  read(text: string): SassImport;
  source(text: string): SourceReader;
}

/** A language without its reader is refused with a message. */
export interface Readers {
  readonly ptx?: PtxReader;
  readonly sass?: SassReader;
  readonly bril?: BrilSupport;
}
