/** What reading Bril takes: a part of the engine that a page loads when it first meets a Bril program. Types only. */

import type { BrilText } from "../../export/bril/text.ts";
import type { BrilNames } from "../../import/bril/names.ts";
import type { SourceReader } from "../../import/source-note.ts";
import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Func, Module, ModuleSymbol } from "../../ir/types.ts";

export interface BrilRead {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  readonly oriNames: (func: string, register: string) => readonly string[];
  readonly bril: BrilNames;
}

export interface BrilSupport {
  read(text: string): BrilRead;
  source(text: string): SourceReader;
  /** Lines that a run printed; null for a program that prints nothing. */
  output(symbols: readonly ModuleSymbol[], memory: Uint8Array | null): readonly string[] | null;
  /** Functions as a Bril program; ours, which print and allocate, are left out. */
  program(funcs: readonly Func[], names: BrilNames): BrilText;
}
