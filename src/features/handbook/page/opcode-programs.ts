/** A small function for each opcode that uses it: made from the opcode table by a test, which also runs it (`npm run bless -- opcode-programs`). */

import json from "./opcode-programs.json" with { type: "json" };

export interface OpcodeProgram {
  readonly text: string;
  /** The id of the instruction in the text. */
  readonly inst: number;
  /** What it was run on, as the command line takes it: `a=1234`, and buffers. */
  readonly args: readonly string[];
  readonly mem: readonly string[];
  readonly threads: number;
  /** What came out: a line for each register that is returned, or how else the run ended. */
  readonly results: readonly string[];
}

/** By the opcode's name. */
export const OPCODE_PROGRAMS: Readonly<Record<string, OpcodeProgram>> = json;
