/** The languages that are read in addition to Ori. Each is a separate script, which a page loads for the first text of the language. */

import type { Readers } from "../engine/api/read/readers.ts";

/** `importers.ts` is the list for code with the whole engine loaded. */
export const READERS = {
  ptx: async () => (await import("../engine/import/ptx/ptx.ts")).PTX,
  sass: async () => (await import("./sass/engine/sass.ts")).SASS,
  bril: async () => (await import("./bril/engine/bril.ts")).BRIL,
} satisfies { readonly [K in keyof Readers]: () => Promise<Readers[K]> };
