/** The languages that are read in addition to Ori, one line each: without its line a text of a language is refused by name. */

import type { SourceFormat } from "../../../base/formats.ts";
import type { PtxReader } from "../../import/ptx/ptx.ts";
import type { Reader } from "../../import/reader.ts";

/** A missing one is refused with a message; Ori needs none. PTX can be read a function at a time. */
export type Readers = { readonly [K in SourceFormat]?: K extends "ptx" ? PtxReader : Reader };

/** Each is a separate script, which a page loads for the first text of the language. `importers.ts` is the list for code with the whole engine loaded. */
export const READERS: { readonly [K in keyof Readers]: () => Promise<Readers[K]> } = {
  ptx: async () => (await import("../../import/ptx/ptx.ts")).PTX,
  sass: async () => (await import("../../import/sass/sass.ts")).SASS,
  bril: async () => (await import("../../import/bril/bril.ts")).BRIL,
};
