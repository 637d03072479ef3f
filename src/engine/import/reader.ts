/** What reads one language besides Ori: one value in the language's folder, listed in `api/read/readers.ts`. Types only. */

import type { AlignReport } from "../align/report.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Func, Module } from "../ir/types.ts";
import type { SourceReader } from "./source-note.ts";

export interface Reader {
  /** Never throws for any text. */
  read(text: string): Reading;
  /** Answers about places of the text. */
  source(text: string): SourceReader;
  /** What a run of a program is given; left out: as one of Ori. */
  readonly input?: ProgramInput;
  /** A function beside one of a text (null: the one of the same name, else the only kernel, else the first function). Never throws for any text. */
  align?(ours: Func | null, text: string, name: string | null): AlignReport;
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
