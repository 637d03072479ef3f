/** Reads a text of any format into a module with diagnostics, as far as there are readers. */

import type { BrilNames } from "../import/bril/names.ts";
import { plainText, refuseText } from "../import/guard-text.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Module } from "../ir/types.ts";
import { parseModule } from "../text/parser.ts";
import { verifyFunc } from "../verify/verify.ts";
import type { Readers } from "./readers.ts";
import { recogniseForeign, recogniseFormat, type SourceFormat } from "./recognise.ts";
import { recogniseWayIn, type WayIn } from "./ways-in.ts";

export interface ReadResult {
  readonly format: SourceFormat;
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** No error: the module is what the text says. */
  readonly ok: boolean;
  /** The Ori registers that a register of a PTX function or a variable of Bril became; more than one where a name is several. */
  readonly oriNames: (func: string, register: string) => readonly string[];
  /** Of a text that is not read here, but becomes PTX by a command: which. */
  readonly wayIn?: WayIn | null;
  /** Of a Bril program: what its registers and blocks were called. */
  readonly bril: BrilNames | null;
}

/** More than this is not read at all: it would not fit a page. */
export const MAX_TEXT = 32 * 1024 * 1024;

/** Never throws for any text. `format` null: recognise it. A language is read with its reader only, Ori always. The verifier runs on what was read without errors. */
export function readWith(text: string, format: SourceFormat | null, readers: Readers): ReadResult {
  if (text.length > MAX_TEXT) {
    const megabytes = Math.round(MAX_TEXT / 1024 / 1024);
    const diagnostic = {
      ...WHOLE,
      code: "API001",
      message: `The text is over ${megabytes} MB and was not read.`,
      suggestion: "Split it: a kernel at a time.",
    };
    const known = format ?? recogniseFormat(text);
    return refused(known, diagnostic);
  }
  const refusal = refuseText(text, MAX_TEXT);
  if (refusal !== null && format === null) {
    const what = refusal.reason === "binary" ? refusal.what : "too long";
    const suggestion = "cuobjdump and nvdisasm -c get PTX and SASS out of a binary.";
    return refused("ori", { ...WHOLE, code: "API002", message: `This is ${what}, not a text.`, suggestion });
  }
  const plain = plainText(text);
  const known = format ?? recogniseFormat(plain);
  const { module, diagnostics, oriNames, bril } = readAs(plain, known, readers);
  if (format === null && module.funcs.length === 0 && hasError(diagnostics)) {
    const way = recogniseWayIn(plain);
    const noise = diagnostics.slice(0, MOST_NOISE);
    if (known === "ori" || way !== null)
      // Of a text that is known for what it is, nothing else needs to be said.
      return {
        format: known,
        module,
        diagnostics: [noKernel(plain, way), ...(way === null ? noise : [])],
        ok: false,
        oriNames,
        bril,
        wayIn: way?.way ?? null,
      };
  }
  if (hasError(diagnostics)) return { format: known, module, diagnostics, ok: false, oriNames, bril };
  const verified = declaresOnly(module, known) ? [NO_BODY] : module.funcs.flatMap((fn) => verifyFunc(fn, module));
  // Of a Bril program the importer says it, by the names of its variables.
  const found = bril === null ? verified : verified.filter((d) => d.code !== UNDEFINED_READ);
  return { format: known, module, diagnostics: [...diagnostics, ...found], ok: !hasError(found), oriNames, bril };
}

const UNDEFINED_READ = "VER019";
/** Of the messages about a text that is no program at all. */
const MOST_NOISE = 5;

function refused(format: SourceFormat, diagnostic: Diagnostic): ReadResult {
  return { format, module: parseModule("").module, diagnostics: [diagnostic], ok: false, oriNames: noNames, bril: null };
}

/** A module, but without a body: variables, declarations, or a head alone. An empty text is none. */
function declaresOnly({ funcs, symbols, target }: Module, format: SourceFormat): boolean {
  return funcs.length === 0 && (format !== "ori" || symbols.length > 0 || target !== null);
}

/** What to say of a text in which nothing is Ori, and nothing speaks for PTX or SASS. */
function noKernel(text: string, found: ReturnType<typeof recogniseWayIn>): Diagnostic {
  if (found !== null) {
    const command = found.way.steps.find((s) => s.command !== null)?.command;
    const message = `This looks like ${found.way.what}: it has to become PTX first.`;
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

type ReadModule = Pick<ReadResult, "module" | "diagnostics" | "oriNames" | "bril">;

function readAs(text: string, format: SourceFormat, { ptx, sass, bril }: Readers): ReadModule {
  switch (format) {
    case "ori":
      return { ...parseModule(text), oriNames: noNames, bril: null };
    case "ptx": {
      if (ptx === undefined) return refused(format, without("PTX"));
      const { module, diagnostics, functions } = ptx.read(text);
      const oriNames = (func: string, register: string): readonly string[] =>
        functions.filter((f) => f.ptxName === func).flatMap((f) => f.registers.filter((r) => r.ptx === register).map((r) => r.ori));
      return { module, diagnostics, oriNames, bril: null };
    }
    case "sass":
      return sass === undefined ? refused(format, without("SASS")) : { ...sass.read(text), oriNames: noNames, bril: null };
    case "bril":
      return bril?.read(text) ?? refused(format, without("Bril"));
  }
}

/** What to say of a text whose reader could not be had. */
export const without = (language: string): Diagnostic => ({
  ...WHOLE,
  code: "API006",
  message: `The part that reads ${language} could not be loaded.`,
  suggestion: "Load the page again.",
});

export const hasError = (diagnostics: readonly Diagnostic[]): boolean => diagnostics.some((d) => d.severity === "error");
