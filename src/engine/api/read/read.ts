/** Reads a text of any language that is read. */

import type { SourceFormat } from "../../../base/formats.ts";
import { IMPORTERS } from "../../../features/importers.ts";
import { type ReadResult, readWith } from "./read-with.ts";

/** Never throws for any text. `format` null: recognise it. */
export const readText = (text: string, format: SourceFormat | null): ReadResult => readWith(text, format, IMPORTERS);
