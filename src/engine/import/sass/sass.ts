/** SASS listings as a language that is read. */

import type { Reader } from "../reader.ts";
import { importSass, type SassImport } from "./import.ts";
import { readSassSource } from "./source-notes.ts";

export interface SassReader extends Reader {
  read(text: string): SassImport;
}

export const SASS: SassReader = { read: (text) => importSass(text), source: readSassSource };
