/** Reading and writing Bril, in one value: a page loads it when it first meets a Bril program. */

import { toBril } from "../../export/bril/program.ts";
import { importBril } from "../../import/bril/import.ts";
import { brilOutput } from "../../import/bril/output.ts";
import { readBrilSource } from "../../import/bril/source-notes.ts";
import type { BrilSupport } from "./bril-support.ts";

export const BRIL: BrilSupport = {
  read: (text) => {
    const { module, diagnostics, oriNames, names } = importBril(text);
    return { module, diagnostics, oriNames, bril: names };
  },
  source: readBrilSource,
  output: brilOutput,
  program: toBril,
};
