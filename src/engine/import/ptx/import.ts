/** The PTX importer: any text in, a module and located messages out. */

import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Func, Module } from "../../ir/types.ts";
import { DiagnosticSink, START } from "../diagnostics.ts";
import { DEFAULT_MAX_CHARS, plainText, refuseText } from "../guard-text.ts";
import { NamePool } from "../names.ts";
import type { FunctionAst, TextAst } from "./ast.ts";
import { PTX_CODES, type PtxCode } from "./codes.ts";
import { SymbolLayout } from "./layout.ts";
import { Lexer } from "./lexer.ts";
import { type LineMap, LocTable } from "./line-map.ts";
import type { TextContext } from "./lower/context.ts";
import { lowerFunction } from "./lower/function.ts";
import { parseText } from "./parse-text.ts";
import type { Parser } from "./parser.ts";

export interface PtxImportOptions {
  /** Larger texts are refused; characters. */
  readonly maxChars?: number;
  /** Errors and warnings reported at most, and as many infos. */
  readonly maxDiagnostics?: number;
  /** Overrides the text's `.target` (it decides where parameters lie in the constant bank). */
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
 * with the text. See README.md for what becomes of each construct.
 */
export function importPtx(text: string, options: PtxImportOptions = {}): PtxImport {
  const sink = new DiagnosticSink<PtxCode>(PTX_CODES, "PTX099", options.maxDiagnostics ?? 100);
  const maxChars = options.maxChars ?? DEFAULT_MAX_CHARS;
  const locs = new LocTable();
  const refusal = refuseText(text, maxChars);
  if (refusal !== null) {
    if (refusal.reason === "binary")
      sink.report("PTX001", START, `this is ${refusal.what}, not PTX text`, "use cuobjdump -ptx to get the PTX out of a binary");
    else sink.report("PTX002", START, `the text has ${text.length} characters; the limit is ${maxChars}`);
    return { module: emptyModule(null, []), diagnostics: sink.finish(), functions: [], lineMap: locs.finish() };
  }
  const source = plainText(text);
  const parser: Parser = { lex: new Lexer(source), sink, locs, spellings: new Map() };
  const ast = parseText(parser);
  const target = options.target ?? ast.units.find((u) => u.target !== null)?.target ?? null;
  const layout = new SymbolLayout(ast, sink);
  const names = nameFunctions(ast, sink);
  const contexts = makeContexts(ast, names, layout, sink, options.target ?? null);
  const reported = new Set<string>();
  const funcs: Func[] = [];
  const functions: ImportedFunction[] = [];
  for (const fn of ast.functions) {
    const name = names.get(fn);
    const context = contexts[fn.unit];
    if (name === undefined || context === undefined) continue;
    const lowered = lowerFunction(context, fn, name, source, reported);
    fn.body = null;
    funcs.push(lowered.func);
    const { instructions, opaque, registers } = lowered;
    functions.push({ ptxName: fn.name, name, instructions, opaque, registers });
  }
  if (funcs.length === 0 && !sink.hasErrors() && !declares(ast))
    sink.report("PTX003", START, "the text holds no .entry and no .func with a body");
  return {
    module: { target, symbols: layout.finish(), funcs, tail: [] },
    diagnostics: sink.finish(),
    functions,
    lineMap: locs.finish(),
  };
}

/** A header, a variable or a function without a body: a module with nothing to run is still one. */
function declares({ units, variables, functions }: TextAst): boolean {
  return variables.length > 0 || functions.length > 0 || units.some(({ version, target }) => version !== null || target !== null);
}

function emptyModule(target: string | null, funcs: readonly Func[]): Module {
  return { target, symbols: [], funcs, tail: [] };
}

/** Functions with a body get unique names: listings for several targets repeat them. */
function nameFunctions(ast: TextAst, sink: DiagnosticSink<PtxCode>): Map<FunctionAst, string> {
  const pool = new NamePool();
  const names = new Map<FunctionAst, string>();
  for (const fn of ast.functions) {
    if (fn.body === null) continue;
    const name = pool.claim(fn.name);
    names.set(fn, name);
    if (name !== fn.name) {
      sink.report("PTX012", { line: fn.line, column: fn.column, length: fn.name.length }, `'${fn.name}' is called '${name}' here`);
    }
  }
  return names;
}

/** One context for each module of the text. Linear in the functions. */
function makeContexts(
  ast: TextAst,
  names: ReadonlyMap<FunctionAst, string>,
  layout: SymbolLayout,
  sink: DiagnosticSink<PtxCode>,
  target: string | null,
): readonly TextContext[] {
  const callees = ast.units.map(() => new Map<string, { name: string; noreturn: boolean }>());
  for (const fn of ast.functions) {
    const known = callees[fn.unit];
    const before = known?.get(fn.name);
    // A declaration may say `.noreturn`, the definition has the name.
    known?.set(fn.name, { name: names.get(fn) ?? before?.name ?? fn.name, noreturn: fn.noreturn || before?.noreturn === true });
  }
  return ast.units.map((unit, i) => ({
    sink,
    layout,
    callee: (name) => callees[i]?.get(name) ?? null,
    paramBase: paramBase(target ?? unit.target),
    addressBits: unit.addressSize === 32 ? 32 : 64,
  }));
}

/** Where parameters begin in constant bank 0. */
function paramBase(target: string | null): number {
  const sm = Number.parseInt(/^(?:sm|compute)_(\d+)/.exec(target ?? "")?.[1] ?? "80", 10);
  if (sm < 70) return 0x140;
  if (sm < 90) return 0x160;
  return sm < 100 ? 0x210 : 0x380;
}
