/** Reads a text of any format into a module with diagnostics. */

import { importPtx } from "../import/ptx/import.ts";
import { importSass } from "../import/sass/import.ts";
import type { Module } from "../ir/types.ts";
import { parseModule } from "../text/parser.ts";
import { verifyFunc } from "../verify/verify.ts";
import { recogniseFormat } from "./recognise.ts";
import type { Diagnostic, SourceFormat } from "./types.ts";

export interface ReadResult {
  readonly format: SourceFormat;
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** No error: the module is what the text says. */
  readonly ok: boolean;
}

/** More than this is not read at all: it would not fit a page. */
export const MAX_TEXT = 32 * 1024 * 1024;

/** Never throws for any text. `format` null: recognise it. The verifier runs on what was read without errors. */
export function readText(text: string, format: SourceFormat | null): ReadResult {
  const known = format ?? recogniseFormat(text);
  if (text.length > MAX_TEXT) {
    const megabytes = Math.round(MAX_TEXT / 1024 / 1024);
    const diagnostic = {
      ...WHOLE,
      code: "API001",
      message: `The text is over ${megabytes} MB and was not read.`,
      suggestion: "Split it: a kernel at a time.",
    };
    return { format: known, module: parseModule("").module, diagnostics: [diagnostic], ok: false };
  }
  const { module, diagnostics } = readAs(text, known);
  if (hasError(diagnostics)) return { format: known, module, diagnostics, ok: false };
  const found = module.funcs.flatMap((fn) => verifyFunc(fn, module));
  return { format: known, module, diagnostics: [...diagnostics, ...found], ok: !hasError(found) };
}

const WHOLE = { line: 1, column: 1, length: 0, severity: "error" } as const;

function readAs(text: string, format: SourceFormat): { readonly module: Module; readonly diagnostics: readonly Diagnostic[] } {
  switch (format) {
    case "ori":
      return parseModule(text);
    case "ptx":
      return importPtx(text);
    case "sass":
      return importSass(text);
  }
}

export const hasError = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some((d) => d.severity === "error");
