/** The languages that are read besides Ori, a line each: without its line a text of a language is refused by name. */

import type { BrilReader } from "../../import/bril/bril.ts";
import type { PtxReader } from "../../import/ptx/ptx.ts";
import type { Reader } from "../../import/reader.ts";
import type { SassReader } from "../../import/sass/sass.ts";

export type { ProgramInput } from "../../import/reader.ts";

/** A missing one is refused with a message. */
export interface Readers {
  readonly ptx?: PtxReader;
  readonly sass?: SassReader;
  readonly bril?: BrilReader;
}

/** Each is a separate script, which a page loads when it first meets a text of the language. `importers.ts` is the list of what has the whole engine at once. */
export const READERS: { readonly [K in keyof Readers]: () => Promise<Reader & Readers[K]> } = {
  ptx: async () => (await import("../../import/ptx/ptx.ts")).PTX,
  sass: async () => (await import("../../import/sass/sass.ts")).SASS,
  bril: async () => (await import("../../import/bril/bril.ts")).BRIL,
};
