/** SASS listings as a language that is read. */

import type { Reader } from "../reader.ts";
import { alignWithListing } from "./align.ts";
import { importSass } from "./import.ts";
import { readSassSource } from "./source-notes.ts";

export const SASS: Reader = { read: (text) => importSass(text), source: readSassSource, align: alignWithListing };
