/** The PTX importer: any text in, a module and located messages out. */

import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Module } from "../../ir/types.ts";
import type { LineMap } from "./line-map.ts";
import { PtxReading } from "./reading.ts";

export interface PtxImportOptions {
  /** Larger texts are refused; characters. */
  readonly maxChars?: number;
  /** Errors and warnings reported at most, and as many infos. */
  readonly maxDiagnostics?: number;
  /** Overrides the text's `.target` (it decides where parameters are in the constant bank). */
  readonly target?: string;
}

/** What became of one function. */
export interface ImportedFunction {
  /** Name in the text; `func.name` differs when it was repeated or not legal in Ori text. */
  readonly ptxName: string;
  readonly name: string;
  readonly instructions: number;
  readonly opaque: number;
  readonly registers: readonly { readonly ptx: string; readonly ori: string }[];
}

export interface PtxImport {
  /** Every function with a body, in the order of the text; empty when there is none. */
  readonly module: Module;
  /** By position; errors mean that something could not be read, not that nothing was. */
  readonly diagnostics: readonly Diagnostic[];
  readonly functions: readonly ImportedFunction[];
  /** From PTX lines to the CUDA source. */
  readonly lineMap: LineMap;
}

/**
 * Imports PTX text: files, `cuobjdump -ptx` output, several modules in one text, filtered listings, fragments. Never throws; time and memory grow linearly
 * with the text. README.md has the decisions of the translation.
 */
export function importPtx(text: string, options: PtxImportOptions = {}): PtxImport {
  return new PtxReading(text, options).finish();
}
