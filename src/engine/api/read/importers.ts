/** The languages of `readers.ts`, for code that has the whole engine at once. */

import { BRIL } from "../../import/bril/reader.ts";
import { PTX } from "../../import/ptx/reader.ts";
import { SASS } from "../../import/sass/reader.ts";
import type { Readers } from "./readers.ts";

export const IMPORTERS: Readers = { ptx: PTX, sass: SASS, bril: BRIL };
