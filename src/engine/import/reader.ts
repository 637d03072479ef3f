/** What reads one language besides Ori: one value in the language's folder, listed in `api/read/readers.ts`. Types only. */

import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Module } from "../ir/types.ts";
import type { SourceReader } from "./source-note.ts";

export interface Reader {
  /** Never throws for any text. */
  read(text: string): Reading;
  /** Answers about places of the text. */
  source(text: string): SourceReader;
  /** What a run of a program is given; left out: as one of Ori. */
  readonly input?: ProgramInput;
}

export interface ProgramInput {
  /** Where none are given. */
  readonly threads: number;
  /** Values without names, for the parameters in their order. */
  readonly inOrder: boolean;
}

export interface Reading {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** The Ori registers that a register or variable of a function became; more than one where a name is several. */
  readonly oriNames?: (func: string, register: string) => readonly string[];
  /** Codes of the verifier whose problems the reader has reported by the names of the text. */
  readonly reported?: readonly string[];
}
