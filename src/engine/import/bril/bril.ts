/** Bril as a language that is read, and written again. */

import type { Reader } from "../reader.ts";
import { importBril } from "./import.ts";
import { brilOutput } from "./output.ts";
import { readBrilSource } from "./source-notes.ts";
import { brilProgram } from "./source-program.ts";
import { testPrograms } from "./test-programs.ts";

export const BRIL: Reader = {
  read: (text) => {
    const { module, diagnostics, oriNames, names } = importBril(text);
    return { module, diagnostics, oriNames, reported: ["VER019"], program: brilProgram(names) };
  },
  source: readBrilSource,
  // Several threads would print into one buffer.
  input: { threads: 1, inOrder: true },
  output: brilOutput,
  forms: { bril: testPrograms("text"), "bril-json": testPrograms("json") },
};
