/** PTX as a language that is read: whole, or a function at a time. */

import type { Reader, Reading } from "../reader.ts";
import { importPtx, type PtxImport } from "./import.ts";
import { PtxReading } from "./reading.ts";
import { readPtxSource } from "./source-notes.ts";

export interface PtxReader extends Reader {
  /** As `read`, a function at a time. */
  begin(text: string): PtxReading;
  /** What `read` gives, once all of it is read. */
  finish(begun: PtxReading): Reading;
}

export const PTX: PtxReader = {
  read: (text) => named(importPtx(text)),
  begin: (text) => new PtxReading(text),
  finish: (begun) => named(begun.finish()),
  source: readPtxSource,
};

function named({ module, diagnostics, functions }: PtxImport): Reading {
  const oriNames = (func: string, register: string): readonly string[] =>
    functions.filter((f) => f.ptxName === func).flatMap((f) => f.registers.filter((r) => r.ptx === register).map((r) => r.ori));
  return { module, diagnostics, oriNames };
}
