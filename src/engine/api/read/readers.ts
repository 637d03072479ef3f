/** The languages that are read in addition to Ori. `features/readers.ts` lists those that there are: a text of another one is refused by name. */

import type { SourceFormat } from "../../../base/formats.ts";
import type { PtxReader } from "../../import/ptx/ptx.ts";
import type { Reader } from "../../import/reader.ts";

/** A missing one is refused with a message; Ori needs none. PTX can be read a function at a time. */
export type Readers = { readonly [K in SourceFormat]?: K extends "ptx" ? PtxReader : Reader };
