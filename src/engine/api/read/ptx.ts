/** Reading PTX, in one value: a page loads it when it first meets PTX. */

import { importPtx } from "../../import/ptx/import.ts";
import { PtxReading } from "../../import/ptx/reading.ts";
import { readPtxSource } from "../../import/ptx/source-notes.ts";
import type { PtxReader } from "./readers.ts";

export const PTX: PtxReader = { read: (text) => importPtx(text), begin: (text) => new PtxReading(text), source: readPtxSource };
