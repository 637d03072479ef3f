/** Reading PTX and SASS, in one value: for whatever has the engine whole. */

import { PTX } from "./ptx.ts";
import type { Readers } from "./readers.ts";
import { SASS } from "./sass.ts";

export const IMPORTERS: Readers = { ptx: PTX, sass: SASS };
