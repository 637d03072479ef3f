/** Reading PTX and SASS, in one value: for code that loads the whole engine. */

import { PTX } from "./ptx.ts";
import type { Readers } from "./readers.ts";
import { SASS } from "./sass.ts";

export const IMPORTERS: Readers = { ptx: PTX, sass: SASS };
