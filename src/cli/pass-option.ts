/** `--pass FILE[@after:RUN]` of commands that examine a program: a user's pass among the phases that run before. */

import type { PipelineOptions } from "../engine/api/types.ts";
import type { Args } from "./args.ts";
import type { Io } from "./io.ts";
import type { FilePass } from "./ownpass/run-file.ts";
import type { Program } from "./program.ts";

/** Options with the pass of `--pass` as a phase, whose code has already run; unchanged without one. */
export async function withPass(program: Program, kernel: string, options: PipelineOptions, args: Args, io: Io): Promise<PipelineOptions> {
  const pass = args.value("pass");
  if (pass === null) return options;
  return (await openPass(pass, io)).among(program, kernel, options);
}

/** What runs passes is loaded for those who have one. */
export const openPass = async (pass: string, io: Io): Promise<FilePass> => (await import("./ownpass/run-file.ts")).FilePass.open(pass, io);
