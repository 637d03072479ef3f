/** The languages of `readers.ts`, for code that has the whole engine loaded. */

import { BRIL } from "../../import/bril/bril.ts";
import { PTX } from "../../import/ptx/ptx.ts";
import { SASS } from "../../import/sass/sass.ts";
import type { Readers } from "./readers.ts";

export const IMPORTERS: Readers = {
  ptx: PTX,
  sass: SASS,
  bril: BRIL,
};
