/** A PTX text that is parsed as a whole and lowered one function at a time. */

import type { Diagnostic } from "../../ir/diagnostic.ts";
import type { Func, Module, ModuleSymbol } from "../../ir/types.ts";
import { DiagnosticSink, type Reporter, ReportTape, START } from "../diagnostics.ts";
import { DEFAULT_MAX_CHARS, plainText, refuseText } from "../guard-text.ts";
import { NamePool } from "../names.ts";
import type { FunctionAst, TextAst } from "./ast.ts";
import { PTX_CODES, type PtxCode } from "./codes.ts";
import type { PtxImport, PtxImportOptions } from "./import.ts";
import { SymbolLayout } from "./layout.ts";
import { Lexer } from "./lexer.ts";
import { LocTable } from "./line-map.ts";
import { type LoweredFunction, lowerFunction } from "./lower/function.ts";
import type { TextContext } from "./lower/names.ts";
import { parseText } from "./parse-text.ts";
import type { Parser } from "./parser.ts";

/** A function with a body, as far as parsing shows; `name` is its name in Ori. */
export interface PtxHead {
  readonly name: string;
  readonly kind: Func["kind"];
  readonly line: number;
}

/** A function that was lowered, with the number of errors in its text. */
export interface ReadFunction extends LoweredFunction {
  readonly errors: number;
}

interface Body {
  readonly fn: FunctionAst;
  readonly name: string;
  readonly context: TextContext;
}

interface Parsed {
  readonly ast: TextAst;
  readonly target: string | null;
  readonly locs: LocTable;
  readonly layout: SymbolLayout;
  readonly bodies: readonly Body[];
  readonly source: string;
  /** Errors outside of functions. */
  readonly errors: number;
}

/**
 * Functions are lowered in the order of the text, or before their turn on request. The result of `finish` does not depend on earlier requests: messages
 * of a function wait for its turn, and a text in which a function depends on those before it is read in its order only.
 */
export class PtxReading {
  private readonly text: string;
  private readonly options: PtxImportOptions;
  private sink: DiagnosticSink<PtxCode>;
  /** Null: the text is refused. */
  private parsed: Parsed | null;
  private done: (ReadFunction | null)[];
  private readonly tapes = new Map<number, ReportTape<PtxCode>>();
  private next = 0;
  private ordered: boolean;

  constructor(text: string, options: PtxImportOptions = {}) {
    this.text = text;
    this.options = options;
    this.sink = this.newSink();
    this.parsed = this.parse();
    this.done = (this.parsed?.bodies ?? []).map(() => null);
    this.ordered = this.parsed?.ast.sharesRegisters ?? true;
  }

  /** Functions with a body, in the order of the text. */
  heads(): readonly PtxHead[] {
    return (this.parsed?.bodies ?? []).map(({ fn, name }) => ({ name, kind: fn.kind === "entry" ? "kernel" : "func", line: fn.line }));
  }

  /** What was read of the functions, by their index in `heads`; null: nothing yet. */
  functions(): readonly (ReadFunction | null)[] {
    return this.done;
  }

  /** The module with given functions of it. */
  module(funcs: readonly Func[]): Module {
    const declared = this.parsed?.layout.finish() ?? [];
    const taken = new Set(declared.map(({ name }) => name));
    const names = new Set(funcs.map(({ name }) => name));
    const inBank = this.done.flatMap((one) => (one !== null && names.has(one.func.name) ? one.inBank : []));
    const symbols = inBank.length === 0 ? declared : [...declared, ...inBank.filter(({ name }) => !taken.has(name))];
    return { target: this.parsed?.target ?? null, symbols, funcs, tail: [] };
  }

  /** All messages so far about what was read in order, by position. */
  diagnostics(): readonly Diagnostic[] {
    return this.sink.finish();
  }

  /** Errors outside of functions: no function is sure to be what it seems. */
  get errorsOutside(): number {
    return this.parsed?.errors ?? 1;
  }

  /** Lowers a function before its turn; null where functions have to be read in their order. */
  take(index: number): ReadFunction | null {
    const known = this.done[index] ?? null;
    const body = this.parsed?.bodies[index];
    if (known !== null || body === undefined || this.ordered) return known;
    const tape = new ReportTape(PTX_CODES);
    const { layout } = body.context;
    let depends = false;
    // What is made at its first use has its place by the order of the uses: any symbol will do, since this reading is dropped.
    const first = (name: string, space: ModuleSymbol["space"]): ModuleSymbol => {
      depends = true;
      return { name, space, size: 0, align: 1, offset: 0, init: null };
    };
    const functionOf = (): null => {
      depends = true;
      return null;
    };
    const context = {
      ...body.context,
      sink: tape,
      layout: {
        symbolOf: (variable) => layout.symbolOf(variable),
        infer: (name, space) => ({ symbol: first(name, space), isNew: false }),
        functionOf,
        stack: () => first("stack", "local"),
      },
    } satisfies TextContext;
    const read = this.lower(body, context);
    if (depends) {
      this.beginAgain();
      return null;
    }
    this.tapes.set(index, tape);
    this.done[index] = read;
    return read;
  }

  /** Lowers the next function in the order of the text, or gives it its turn; null: there was none. */
  step(): ReadFunction | null {
    const index = this.next;
    const body = this.parsed?.bodies[index];
    if (body === undefined) return null;
    this.next++;
    const tape = this.tapes.get(index);
    if (tape === undefined) this.done[index] = this.lower(body, body.context);
    else tape.playTo(this.sink);
    this.tapes.delete(index);
    return this.done[index] ?? null;
  }

  /** Reads the rest. */
  finish(): PtxImport {
    while (this.step() !== null);
    const { parsed, sink } = this;
    const read = this.done.filter((one) => one !== null);
    if (parsed !== null && read.length === 0 && !sink.hasErrors() && (!declares(parsed.ast) || sink.reported("PTX018")))
      sink.report("PTX003", START, "the text contains no .entry and no .func with a body");
    return {
      module: this.module(read.map(({ func }) => func)),
      diagnostics: sink.finish(),
      functions: read.map(({ func, instructions, opaque, registers }, i) => {
        const ptxName = parsed?.bodies[i]?.fn.name ?? func.name;
        return { ptxName, name: func.name, instructions, opaque, registers };
      }),
      lineMap: (parsed?.locs ?? new LocTable()).finish(),
    };
  }

  private newSink(): DiagnosticSink<PtxCode> {
    return new DiagnosticSink<PtxCode>(PTX_CODES, "PTX099", this.options.maxDiagnostics ?? 100);
  }

  /** A function depends on those before it: everything is read again, in order. */
  private beginAgain(): void {
    this.ordered = true;
    this.sink = this.newSink();
    this.parsed = this.parse();
    this.done = this.done.map(() => null);
    this.tapes.clear();
    this.next = 0;
  }

  private lower({ fn, name }: Body, context: TextContext): ReadFunction {
    const before = context.sink.errors;
    const lowered = lowerFunction(context, fn, name, this.parsed?.source ?? "");
    fn.body = null;
    return { ...lowered, errors: fn.errors + context.sink.errors - before };
  }

  private parse(): Parsed | null {
    const { text, sink, options } = this;
    const maxChars = options.maxChars ?? DEFAULT_MAX_CHARS;
    const refusal = refuseText(text, maxChars);
    if (refusal?.reason === "binary")
      sink.report("PTX001", START, `this is ${refusal.what}, not PTX text`, "use cuobjdump -ptx to get the PTX out of a binary");
    else if (refusal !== null) sink.report("PTX002", START, `the text has ${text.length} characters; the limit is ${maxChars}`);
    if (refusal !== null) return null;
    const source = plainText(text);
    const locs = new LocTable();
    const parser: Parser = { lex: new Lexer(source), sink, locs, spellings: new Map(), hasVectors: false };
    const ast = parseText(parser);
    const target = options.target ?? ast.units.find((u) => u.target !== null)?.target ?? null;
    const names = nameFunctions(ast, sink);
    const callees = calleesByUnit(ast, names);
    const layout = new SymbolLayout(ast, sink, (name, unit) => callees[unit]?.get(name)?.name ?? null);
    const contexts = makeContexts(ast, callees, layout, sink, options.target ?? null, parser.hasVectors);
    const bodies = ast.functions.flatMap((fn): readonly Body[] => {
      const [name, context] = [names.get(fn), contexts[fn.unit]];
      return name === undefined || context === undefined ? [] : [{ fn, name, context }];
    });
    const errors = bodies.reduce((sum, { fn }) => sum - fn.errors, sink.errors);
    return { ast, target, locs, layout, bodies, source, errors };
  }
}

/** A header, a variable or a function without a body: a module with nothing to run is still one. */
function declares({ units, variables, functions }: TextAst): boolean {
  return variables.length > 0 || functions.length > 0 || units.some(({ version, target }) => version !== null || target !== null);
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

interface Callee {
  readonly name: string;
  readonly noreturn: boolean;
}

/** The functions of each module of the text, by their names in it. */
function calleesByUnit(ast: TextAst, names: ReadonlyMap<FunctionAst, string>): readonly ReadonlyMap<string, Callee>[] {
  const callees = ast.units.map(() => new Map<string, Callee>());
  for (const fn of ast.functions) {
    const known = callees[fn.unit];
    const before = known?.get(fn.name);
    // A declaration may have `.noreturn`, while the definition has the name.
    known?.set(fn.name, { name: names.get(fn) ?? before?.name ?? fn.name, noreturn: fn.noreturn || before?.noreturn === true });
  }
  return callees;
}

/** One context for each module of the text. Linear in the functions. */
function makeContexts(
  ast: TextAst,
  callees: readonly ReadonlyMap<string, Callee>[],
  layout: SymbolLayout,
  sink: Reporter<PtxCode>,
  target: string | null,
  hasVectors: boolean,
): readonly TextContext[] {
  return ast.units.map((unit, i) => ({
    sink,
    layout,
    hasVectors,
    callee: (name) => callees[i]?.get(name) ?? null,
    since: { isa: versionNumber(unit.version), sm: targetNumber(unit.target) },
    isWhole: unit.version !== null && unit.target !== null,
    paramBase: paramBase(target ?? unit.target),
    addressBits: unit.addressSize === 32 ? 32 : 64,
  }));
}

/** `7.8` as 78; 0 where there is none. */
function versionNumber(version: string | null): number {
  const [, major = "0", minor = "0"] = /^(\d+)\.(\d)$/.exec(version ?? "") ?? [];
  return Number(major) * 10 + Number(minor);
}

/** The number of `sm_90a`; 0 where there is none. */
function targetNumber(target: string | null): number {
  return Number(/^(?:sm|compute)_(\d+)/.exec(target ?? "")?.[1] ?? 0);
}

/** Where parameters begin in constant bank 0. */
function paramBase(target: string | null): number {
  const sm = targetNumber(target) || 80;
  if (sm < 70) return 0x140;
  if (sm < 90) return 0x160;
  return sm < 100 ? 0x210 : 0x380;
}
