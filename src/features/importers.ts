/** The languages of `readers.ts`, for code that has the whole engine loaded. */

import type { Readers } from "../engine/api/read/readers.ts";
import { PTX } from "../engine/import/ptx/ptx.ts";
import { BRIL } from "./bril/engine/bril.ts";
import { SASS } from "./sass/engine/sass.ts";

const ALL = {
  ptx: PTX,
  sass: SASS,
  bril: BRIL,
} satisfies Readers;

export const IMPORTERS: Readers & typeof ALL = ALL;
