/** The Bril importer: text or JSON in, a module and located messages out. */

import { DiagnosticSink, type Place, START } from "../../../engine/import/diagnostics.ts";
import { DEFAULT_MAX_CHARS, plainText, refuseText } from "../../../engine/import/guard-text.ts";
import { NamePool } from "../../../engine/import/names.ts";
import type { Diagnostic } from "../../../engine/ir/diagnostic.ts";
import { regName } from "../../../engine/ir/reg.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { defsOf } from "../../../engine/ir/visit.ts";
import { undefinedReads } from "../../../engine/verify/undefined-reads.ts";
import { type BrilInst, type BrilItem, type BrilName, type BrilProgram, type BrilType, brilInst, madeName } from "./ast.ts";
import { type CheckedFunction, type CheckedProgram, checkProgram } from "./check.ts";
import { BRIL_CODES, type BrilCode } from "./codes.ts";
import { inlineCalls } from "./inline.ts";
import { lowerBril } from "./lower.ts";
import type { BrilFunctionNames, BrilNames } from "./names.ts";
import { parseBrilJson } from "./parse-json.ts";
import { parseBrilText } from "./parse-text.ts";
import { HEAP_BYTES, OUTPUT_BYTES, type Runtime, type RuntimeSizes, runtimeFunc, runtimeName, runtimeSymbols } from "./runtime.ts";

export interface BrilImportOptions {
  /** Larger texts are refused; characters. */
  readonly maxChars?: number;
  /** Errors and warnings reported at most, and as many infos. */
  readonly maxDiagnostics?: number;
  /** Bytes that a run may print, and allocate. */
  readonly sizes?: RuntimeSizes;
  /** False: every call stays one. */
  readonly inline?: boolean;
}

export interface BrilImport {
  /** `main` first, then the other functions, then ours that they call; empty when there is none. */
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  readonly names: BrilNames;
  /** The Ori registers that a variable of a function became. */
  readonly oriNames: (func: string, variable: string) => readonly string[];
}

/** Imports a Bril program. Never throws; time and memory grow linearly with the text and what inlining makes of it. README.md has the translation of each construct. */
export function importBril(text: string, options: BrilImportOptions = {}): BrilImport {
  const sink = new BrilSink(options.maxDiagnostics ?? 100);
  const program = readBril(text, sink, options.maxChars ?? DEFAULT_MAX_CHARS);
  const checked = checkProgram(program, sink);
  if (checked.functions.length === 0 && !sink.hasErrors())
    sink.report("BRIL003", START, "the text contains no function", "@main { … }, or JSON with a list of functions");
  const [first] = checked.functions;
  if (first !== undefined && !checked.functions.some((fn) => fn.name.text === "main"))
    sink.report("BRIL026", first.name.at, `there is no @main: each function can be run by itself, beginning with @${first.name.text}`);
  const plain = options.inline === false || sink.hasErrors();
  const entry = separateEntry(checked);
  const { functions } = plain ? entry : inlineCalls(entry, sink);
  const pool = new NamePool();
  // Our own functions keep their names whatever the program calls its own.
  for (const name of ["free", "main"]) pool.claim(name);
  const oriNames = new Map(functions.map((fn) => [fn.name.text, fn.name.text === "main" ? "main" : pool.claim(fn.name.text)]));
  const runtime = new Map<string, Runtime>();
  const runtimeNames = new Map<string, string>();
  const context = {
    sink,
    callee: (name: string) => oriNames.get(name) ?? name,
    runtime: (wanted: Runtime) => {
      const plainName = runtimeName(wanted);
      const known = runtimeNames.get(plainName) ?? (wanted.kind === "free" ? "free" : pool.claim(plainName));
      runtimeNames.set(plainName, known);
      runtime.set(known, wanted);
      return known;
    },
  };
  const called = new Set(
    checked.functions.flatMap((fn) => fn.items.flatMap((i) => (i.kind === "inst" && i.op === "call" ? (i.dest?.text ?? []) : []))),
  );
  const lowered = functions.map((fn) => {
    const made = lowerBril(context, fn, context.callee(fn.name.text));
    if (!sink.hasErrors()) tellUnset(made.func, made.names, fn, called, sink);
    return made;
  });
  const names: BrilNames = {
    functions: new Map<string, BrilFunctionNames>(lowered.map((l) => [l.func.name, l.names])),
    runtime,
  };
  const sizes = options.sizes ?? { output: OUTPUT_BYTES, heap: HEAP_BYTES };
  const own: Func[] = [...runtime].map(([name, what]) => runtimeFunc(name, what, sizes));
  const uses = (kind: Runtime["kind"]): boolean => [...runtime.values()].some((r) => r.kind === kind);
  const funcs = lowered.map((l) => l.func).sort((a, b) => Number(b.kind === "kernel") - Number(a.kind === "kernel"));
  return {
    module: { target: null, symbols: runtimeSymbols(uses("alloc"), uses("print"), sizes), funcs: [...funcs, ...own], tail: [] },
    diagnostics: sink.finish(),
    names,
    oriNames: (func, variable) => registersOf(names, func === "main" ? (entry.body ?? func) : func, variable),
  };
}

/** Names may be as long as a text; messages about them may not. */
const LONGEST_MESSAGE = 280;

export class BrilSink extends DiagnosticSink<BrilCode> {
  constructor(cap: number) {
    super(BRIL_CODES, "BRIL099", cap);
  }

  override report(code: BrilCode, at: Place, message: string, suggestion: string | null = null): void {
    super.report(code, at, message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message, suggestion);
  }
}

/** The program as written; only its form is checked. */
export function readBril(text: string, sink: DiagnosticSink<BrilCode>, maxChars: number): BrilProgram {
  const refusal = refuseText(text, maxChars);
  if (refusal?.reason === "binary") sink.report("BRIL001", START, `this is ${refusal.what}, not Bril`);
  else if (refusal !== null) sink.report("BRIL002", START, `the text has ${text.length} characters; the limit is ${maxChars}`);
  if (refusal !== null) return { functions: [] };
  const source = plainText(text);
  return /^\s*[[{]/.test(source) ? parseBrilJson(source, sink) : parseBrilText(source, sink);
}

/** A variable of a function that was put into others is theirs as well: `gcd.1.a` for `a` of `gcd`. */
function registersOf(names: BrilNames, func: string, variable: string): readonly string[] {
  const found: string[] = [];
  for (const [, { name, variables }] of names.functions) {
    for (const [reg, known] of variables) {
      if (known.name === null) continue;
      const inlined = known.name.startsWith(`${func}.`) && known.name.endsWith(`.${variable}`);
      const rest = inlined ? known.name.slice(func.length + 1, known.name.length - variable.length - 1) : "";
      if ((name === func && known.name === variable) || (inlined && /^\d+$/.test(rest))) found.push(regName(reg));
    }
  }
  return [...new Set(found)];
}

/** A `main` that is called like any other function: its body becomes a separate function, which `main` calls. */
interface Entry extends CheckedProgram {
  /** The function that has the body of `main`; null: nothing calls `main`, which has its own. */
  readonly body: string | null;
}

/** The kernel ends the run where a function returns, so the two cannot be one. Linear in the program. */
function separateEntry(program: CheckedProgram): Entry {
  const main = program.functions.find((fn) => fn.name.text === "main");
  const callsMain = (item: BrilItem): item is BrilInst => item.kind === "inst" && item.funcs.some((f) => f.text === "main");
  if (main === undefined || !program.functions.some((fn) => fn.items.some(callsMain))) return { ...program, body: null };
  const taken = new Set(program.functions.map((fn) => fn.name.text));
  let body = "main.1";
  for (let i = 2; taken.has(body); i++) body = `main.${i}`;
  const renamed = (name: BrilName): BrilName => (name.text === "main" ? { ...name, text: body } : name);
  const functions = program.functions.map((fn): CheckedFunction => {
    const items = fn.items.map((item) => (callsMain(item) ? { ...item, funcs: item.funcs.map(renamed) } : item));
    return { ...fn, name: renamed(fn.name), items };
  });
  return { functions: [entryOf(main, body), ...functions], body };
}

/** `main` with nothing in it but the call. */
function entryOf(main: CheckedFunction, body: string): CheckedFunction {
  const { at } = main.name;
  const types = new Map<string, BrilType>(main.params.map((p) => [p.name.text, p.type]));
  let result: BrilName | null = null;
  if (main.type !== null) {
    let text = "result";
    for (let i = 1; types.has(text); i++) text = `result.${i}`;
    types.set(text, main.type);
    result = madeName(text, at);
  }
  const args = main.params.map((p) => p.name);
  const call = brilInst("call", { dest: result, type: main.type, args, funcs: [madeName(body, at)], at });
  const leave = brilInst("ret", { args: result === null ? [] : [result], at });
  return { ...main, items: [call, leave], types, shadows: new Map() };
}

/** `fn`: the source of `func`; `called`: variables that calls give a value, which the callee checks. Variables without any definition were reported when the program was checked. */
function tellUnset(
  func: Func,
  names: BrilFunctionNames,
  fn: CheckedFunction,
  called: ReadonlySet<string>,
  sink: DiagnosticSink<BrilCode>,
): void {
  const returns = fn.items.some((item) => item.kind === "inst" && item.op === "ret" && item.args.length === 0);
  for (const { reg, inst } of undefinedReads(func)) {
    const at = inst.line > 0 ? { line: inst.line, column: 1, length: 0 } : fn.name.at;
    const name = names.variables.get(reg)?.name ?? null;
    // Of a body that was put in its caller's place, `f.1.x` is its own `x`.
    const own = name?.replace(/^.*\.\d+\./, "") ?? "";
    if (name !== null) {
      if (fn.types.has(name) && !called.has(own))
        sink.report("BRIL025", at, `nothing gives ${own} a value before it is read here: it is 0`);
    } else if (func.returns.includes(reg)) {
      // A `ret` without a value is reported elsewhere.
      if (!returns) sink.report("BRIL025", { ...at, line: fn.endLine }, `@${fn.name.text} may end here without a value: it gives 0`);
    } else {
      const got = defsOf(inst).flatMap((r) => names.variables.get(r)?.name ?? [])[0];
      if (got !== undefined) sink.report("BRIL025", at, `nothing is set for ${got} before it is got here: it is 0`);
    }
  }
}
