/** Reads a text of any format into a module with diagnostics, as far as there are readers. */

import { FORMAT_NAMES, type SourceFormat } from "../../../base/formats.ts";
import { plainText, refuseText } from "../../import/guard-text.ts";
import type { PtxReading } from "../../import/ptx/reading.ts";
import type { Reading, SourceProgram } from "../../import/reader.ts";
import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Module } from "../../ir/types.ts";
import { parseModule } from "../../text/parser.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { Readers } from "./readers.ts";
import { recogniseForeign, recogniseFormat } from "./recognise.ts";
import { recogniseToolchain, type Toolchain } from "./toolchains.ts";

export interface ReadResult {
  readonly format: SourceFormat;
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** No error: the module corresponds to the text. */
  readonly ok: boolean;
  /** The Ori registers that a register or variable of a function became; more than one where a name is several. */
  readonly oriNames: (func: string, register: string) => readonly string[];
  /** Of a text that is not read here, but becomes PTX by a command: which. */
  readonly wayIn?: Toolchain | null;
  /** Of a language that is written again. */
  readonly program: SourceProgram | null;
}

/** More than this is not read at all: it would not fit a page. */
export const MAX_TEXT = 32 * 1024 * 1024;

/** Never throws for any text. `format` null: recognise it. A language is read with its reader only, Ori always. The verifier runs on what was read without errors. */
export function readWith(text: string, format: SourceFormat | null, readers: Readers): ReadResult {
  const no = refusal(text, format);
  if (no !== null) return no;
  const plain = plainText(text);
  const known = format ?? recogniseFormat(plain);
  return judged(plain, format, known, readAs(plain, known, readers), verifyFunc);
}

/** A PTX text that is read a function at a time, and the result once all of it is read. */
export interface BegunPtx {
  readonly reading: PtxReading;
  /** `verify` answers as `verifyFunc` does. */
  finish(verify: typeof verifyFunc): ReadResult;
}

/** Null of a text that is no PTX, or cannot be read at all. */
export function beginPtx(text: string, format: SourceFormat | null, { ptx }: Readers): BegunPtx | null {
  if (ptx === undefined || refusal(text, format) !== null) return null;
  const plain = plainText(text);
  if ((format ?? recogniseFormat(plain)) !== "ptx") return null;
  const reading = ptx.begin(plain);
  return { reading, finish: (verify) => judged(plain, format, "ptx", allOf(ptx.finish(reading)), verify) };
}

/** The message for a text that is not read. */
function refusal(text: string, format: SourceFormat | null): ReadResult | null {
  if (text.length > MAX_TEXT) {
    const megabytes = Math.round(MAX_TEXT / 1024 / 1024);
    const diagnostic = {
      ...WHOLE,
      code: "API001",
      message: `The text is larger than ${megabytes} MB and was not read.`,
      suggestion: "Split it and open one kernel at a time.",
    };
    const known = format ?? recogniseFormat(text);
    return refused(known, diagnostic);
  }
  const found = refuseText(text, MAX_TEXT);
  if (found === null || format !== null) return null;
  const what = found.reason === "binary" ? found.what : "too long";
  const suggestion = "Use cuobjdump or nvdisasm -c to extract PTX or SASS from a binary.";
  return refused("ori", { ...WHOLE, code: "API002", message: `This is ${what}, not text.`, suggestion });
}

/** The result of a reader: with hints if the text is not a program, and with the verifier's messages if it is one. */
function judged(
  plain: string,
  format: SourceFormat | null,
  known: SourceFormat,
  { module, diagnostics, oriNames, program, reported = [] }: ReadModule,
  verify: typeof verifyFunc,
): ReadResult {
  if (format === null && module.funcs.length === 0 && hasError(diagnostics)) {
    const found = recogniseToolchain(plain);
    const noise = diagnostics.slice(0, MOST_NOISE);
    const isKnown = found !== null || recogniseForeign(plain) !== null;
    if ((known === "ori" && !ORI_HEAD.test(plain)) || found !== null)
      // A text whose language is known needs no other message.
      return {
        format: known,
        module,
        diagnostics: [noKernel(plain, found), ...(isKnown ? [] : noise)],
        ok: false,
        oriNames,
        program,
        wayIn: found?.toolchain ?? null,
      };
  }
  if (hasError(diagnostics)) return { format: known, module, diagnostics, ok: false, oriNames, program };
  const verified = declaresOnly(module, known) ? [NO_BODY] : module.funcs.flatMap((fn) => verify(fn, module));
  const found = verified.filter((d) => !reported.includes(d.code));
  return { format: known, module, diagnostics: [...diagnostics, ...found], ok: !hasError(found), oriNames, program };
}

const ORI_HEAD = /^[ \t]*\.(?:kernel|func)\b/m;

/** Of the messages about a text that is not a program at all. */
const MOST_NOISE = 5;

function refused(format: SourceFormat, diagnostic: Diagnostic): ReadResult {
  return { format, module: parseModule("").module, diagnostics: [diagnostic], ok: false, oriNames: noNames, program: null };
}

/** A module, but without a body: variables, declarations, or a head alone. An empty text is none. */
function declaresOnly({ funcs, symbols, target }: Module, format: SourceFormat): boolean {
  return funcs.length === 0 && (format !== "ori" || symbols.length > 0 || target !== null);
}

/** The message for a text with no sign of Ori, PTX or SASS. */
function noKernel(text: string, found: ReturnType<typeof recogniseToolchain>): Diagnostic {
  if (found !== null) {
    const command = found.toolchain.steps.find((s) => s.command !== null)?.command;
    const message = `This looks like ${found.toolchain.what}: compile it to PTX first.`;
    return { ...WHOLE, line: found.line, code: "API003", message, suggestion: command ?? null };
  }
  const foreign = recogniseForeign(text);
  const message =
    foreign === null ? "No kernel was found: this is neither Ori nor PTX nor Bril nor a SASS listing." : `This looks like ${foreign.what}.`;
  const suggestion =
    "Ori has '.kernel NAME(…)', PTX '.entry NAME', Bril '@main {', a SASS listing '/*0000*/' addresses or 'Function : NAME'.";
  return { ...WHOLE, line: foreign?.line ?? 1, code: "API003", message, suggestion };
}

const WHOLE = { line: 1, column: 1, length: 0, severity: "error" } as const;

/** The language that a text is read as. */
export const formatOf = (text: string, format: SourceFormat | null): SourceFormat => format ?? recogniseFormat(plainText(text));

const NO_BODY: Diagnostic = {
  ...WHOLE,
  severity: "info",
  code: "API005",
  message: "The module has no kernel and no function with a body: there is nothing to run.",
  suggestion: null,
};

const noNames = (): readonly string[] => [];

type ReadModule = Pick<ReadResult, "program"> & Required<Pick<Reading, "module" | "diagnostics" | "oriNames">> & Pick<Reading, "reported">;

function readAs(text: string, format: SourceFormat, readers: Readers): ReadModule {
  if (format === "ori") return allOf(parseModule(text));
  const reader = readers[format];
  return reader === undefined ? refused(format, without(FORMAT_NAMES[format])) : allOf(reader.read(text));
}

const allOf = (read: Reading): ReadModule => ({ oriNames: noNames, program: null, ...read });

/** The message for a text whose reader is missing or could not be loaded. */
export const without = (language: string): Diagnostic => ({
  ...WHOLE,
  code: "API006",
  message: `This is ${language}, but the code that reads ${language} is not available.`,
  suggestion: "Reload the page. If that does not help, this copy of Oriscope does not read it.",
});

export const hasError = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some((d) => d.severity === "error");
