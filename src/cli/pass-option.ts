/** `--pass FILE[@after:RUN]` of commands that examine a program: a user's pass among the phases that run before. */

import type { OwnProgram, PipelineOptions } from "../engine/api/types.ts";
import { CLI_PARTS } from "../features/cli-parts.ts";
import type { Args } from "./args.ts";
import { type Io, UsageError } from "./io.ts";
import type { Program } from "./program.ts";
import type { OwnAnalysisJson } from "./shapes.ts";

/** A pass or an analysis from a file, as a feature opens it. */
export interface FilePass {
  /** The file defines an analysis, which changes nothing. */
  readonly isAnalysis: boolean;
  /**
   * Options with it as a phase of the pipeline, or the only one: its code has run on its input there, with the fuel and the skips that apply there.
   * A pass that throws ends the command.
   */
  among(program: Program, kernel: string, options: PipelineOptions): Promise<PipelineOptions>;
  /** As `among`, with the executed lines as steps if requested; if the pass throws, its steps end there. */
  played(
    program: Program,
    kernel: string,
    options: PipelineOptions,
    everyLine: boolean,
  ): Promise<{
    readonly placed: PipelineOptions;
    readonly id: string;
    readonly thrown: { readonly message: string; readonly line: number } | null;
  }>;
  /** The analysis's result for a program, next to the built-in one. */
  analyze(kernel: string, handed: OwnProgram): Promise<OwnAnalysisJson>;
  /** Where in the file: for a message. */
  at(line: number): string;
}

/** Options with the pass of `--pass` as a phase, whose code has already run; unchanged without one. */
export async function withPass(program: Program, kernel: string, options: PipelineOptions, args: Args, io: Io): Promise<PipelineOptions> {
  const pass = args.value("pass");
  if (pass === null) return options;
  return (await openPass(pass, io)).among(program, kernel, options);
}

/** What runs passes is loaded for those who have one. */
export async function openPass(pass: string, io: Io): Promise<FilePass> {
  if (CLI_PARTS.pass === undefined) throw new UsageError("this copy of Oriscope does not run passes");
  return (await CLI_PARTS.pass()).open(pass, io);
}
