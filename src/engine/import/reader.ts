/** The reader of one language other than Ori: one value in the language's folder, listed in `features/readers.ts`. Types only. */

import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Func, Module, ModuleSymbol } from "../ir/types.ts";
import type { SourceReader } from "./source-note.ts";

export interface Reader {
  /** Never throws for any text. */
  read(text: string): Reading;
  /** Answers about places of the text. */
  source(text: string): SourceReader;
  /** The default threads of a run, and whether values without names are for the parameters in their order; by default as in Ori. */
  readonly input?: { readonly threads: number; readonly inOrder: boolean };
  /** Lines that a run printed; null for a program that prints nothing. Left out: none prints. */
  output?(symbols: readonly ModuleSymbol[], memory: Uint8Array | null): readonly string[] | null;
  /** The forms in which programs are written again (`SourceProgram.write`), by the names that options give them. */
  readonly forms?: Readonly<Record<string, ProgramForm>>;
}

export interface Reading {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** The Ori registers that a register or variable of a function became; more than one where a name is several. */
  readonly oriNames?: (func: string, register: string) => readonly string[];
  /** Codes of the verifier whose problems the reader has reported by the names of the text. */
  readonly reported?: readonly string[];
  /** Of a language that is written again. */
  readonly program?: SourceProgram;
}

/** What a language knows about a program in addition to its module: how it is run by the language's rules, and how it is written. */
export interface SourceProgram {
  /** The functions of the text by their names in Ori, in its order; others of the module are the reader's own. */
  readonly functions: readonly string[];
  /** The types of a function's parameters; null: one without a name. */
  types(func: string): readonly (string | null)[];
  /** `NAME=VALUE` of a run, the value as the language writes it, as Ori reads it. */
  argument(text: string, fn: Func): string;
  /** The module with the memory that a run may need. */
  roomy(module: Module): Module;
  readonly callDepth: number;
  /** What a trap in one of the reader's own functions means; null: it has no other meaning. */
  trap(func: string, symbols: readonly ModuleSymbol[]): string | null;
  /** Functions as a program of the language; the reader's own are left out. */
  write(funcs: readonly Func[]): WrittenProgram;
}

/** A program from functions of the pipeline. If something has no form in the language, `problems` say what, and both texts are empty. */
export interface WrittenProgram {
  readonly text: string;
  readonly json: string;
  readonly problems: readonly string[];
}

/** A text form of a language's programs. A command that transforms one program into another is tested on random ones. */
export interface ProgramForm {
  /** Which text of a written program it is. */
  readonly written: "text" | "json";
  /** A program of a seed. Always accepted by the verifier, always ending. */
  random(seed: number): string;
  /** What the second does otherwise, and on which input; null: nothing that was found. */
  difference(before: Reading, after: Reading, seed: number, inputs: number): { readonly message: string; readonly input: string } | null;
  /** Smaller programs, one after the other; the caller answers for each whether it is as wrong as the first. Returns the smallest that was. */
  smaller(program: string, attempts: number): Generator<string, string, boolean>;
}
