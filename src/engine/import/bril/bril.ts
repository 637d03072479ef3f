/** Bril as a language that is read, and written again. */

import type { Func, ModuleSymbol } from "../../ir/types.ts";
import type { Reader, Reading } from "../reader.ts";
import { toBril } from "./export/program.ts";
import type { BrilText } from "./export/text.ts";
import { importBril } from "./import.ts";
import type { BrilNames } from "./names.ts";
import { brilOutput } from "./output.ts";
import { readBrilSource } from "./source-notes.ts";

export interface BrilReader extends Reader {
  read(text: string): Reading & { readonly bril: BrilNames };
  /** Lines that a run printed; null for a program that prints nothing. */
  output(symbols: readonly ModuleSymbol[], memory: Uint8Array | null): readonly string[] | null;
  /** Functions as a Bril program; ours, which print and allocate, are left out. */
  program(funcs: readonly Func[], names: BrilNames): BrilText;
}

export const BRIL: BrilReader = {
  read: (text) => {
    const { module, diagnostics, oriNames, names } = importBril(text);
    return { module, diagnostics, oriNames, reported: ["VER019"], bril: names };
  },
  source: readBrilSource,
  // Several threads would print into one buffer.
  input: { threads: 1, inOrder: true },
  output: brilOutput,
  program: toBril,
};
