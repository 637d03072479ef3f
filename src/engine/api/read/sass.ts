/** Reading SASS listings, in one value: a page loads it when it first meets one. */

import { importSass } from "../../import/sass/import.ts";
import { readSassSource } from "../../import/sass/source-notes.ts";
import type { SassReader } from "./readers.ts";

export const SASS: SassReader = { read: (text) => importSass(text), source: readSassSource };
