/** Reads a text of any format, with the importers that are loaded. */

import type { BrilSupport } from "./bril-support.ts";
import { IMPORTERS } from "./importers.ts";
import { type ReadResult, readWith } from "./read-with.ts";
import type { SourceFormat } from "./recognise.ts";

/** Never throws for any text. `format` null: recognise it. Bril is read with `bril` only. */
export function readText(text: string, format: SourceFormat | null, bril: BrilSupport | null = null): ReadResult {
  return readWith(text, format, bril === null ? IMPORTERS : { ...IMPORTERS, bril });
}
