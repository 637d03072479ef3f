/** The SASS importer: any listing in, a module and located messages out. */

import { DiagnosticSink, START } from "../../../engine/import/diagnostics.ts";
import { DEFAULT_MAX_CHARS, plainText, refuseText } from "../../../engine/import/guard-text.ts";
import { NamePool } from "../../../engine/import/names.ts";
import type { Diagnostic } from "../../../engine/ir/diagnostic.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import type { SassFunction, SassInst } from "./ast.ts";
import { SASS_CODES, type SassCode } from "./codes.ts";
import { splitSections, targetOperand } from "./functions.ts";
import { readListing, type SourceMark } from "./lines.ts";
import { type LoweredFunction, lowerFunction, type Signature, type TextContext } from "./lower/function.ts";

export interface SassImportOptions {
  /** Larger texts are refused; characters. */
  readonly maxChars?: number;
  /** Errors and warnings reported at most, and as many infos. */
  readonly maxDiagnostics?: number;
}

/** What became of one function. */
export interface ImportedSassFunction {
  /** Name in the listing; `name` differs when it was repeated or not legal in Ori text. */
  readonly sassName: string;
  readonly name: string;
  /** Instructions of the listing without padding; NOPs between code count. */
  readonly instructions: number;
  /** Those kept as OPAQUE, and those whose registers are known only in part. */
  readonly opaque: number;
  readonly inexact: number;
  /** True for a function that shares its section with the one before it (`$__internal_…`). */
  readonly isLocal: boolean;
}

export interface SassImport {
  /** Every function of the listing, in its order; empty when there is none. */
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  readonly functions: readonly ImportedSassFunction[];
  /** The source positions of lines of the listing by `//## File` marks, in order. */
  readonly marks: readonly SourceMark[];
}

/**
 * Imports a SASS listing: nvdisasm, cuobjdump, Compiler Explorer (raw or pane text), CuAssembler, dumps without addresses. Never throws; time and memory grow linearly
 * with the text. README.md has the decisions of the translation.
 */
export function importSass(text: string, options: SassImportOptions = {}): SassImport {
  const sink = new DiagnosticSink<SassCode>(SASS_CODES, "SASS099", options.maxDiagnostics ?? 100);
  const maxChars = options.maxChars ?? DEFAULT_MAX_CHARS;
  const refusal = refuseText(text, maxChars);
  if (refusal !== null) {
    if (refusal.reason === "binary")
      sink.report(
        "SASS001",
        START,
        `this is ${refusal.what}, not a listing`,
        "use nvdisasm -c or cuobjdump -sass to get the SASS out of a binary",
      );
    else sink.report("SASS002", START, `the text has ${text.length} characters; the limit is ${maxChars}`);
    return { module: moduleOf(null, []), diagnostics: sink.finish(), functions: [], marks: [] };
  }
  const listing = readListing(plainText(text), sink);
  const parts = splitSections(listing.sections);
  const names = nameFunctions(parts, sink);
  const lowered = lowerAll(parts, names, sink);
  // A listing's head names its target: a binary without code has nothing after it.
  if (parts.length === 0 && listing.target === null) sink.report("SASS003", START, "the text contains no instruction");
  const functions = parts.map((fn, i): ImportedSassFunction => {
    const { instructions = 0, opaque = 0, inexact = 0 } = lowered[i] ?? {};
    return { sassName: fn.name, name: names[i] ?? fn.name, instructions, opaque, inexact, isLocal: fn.isLocal };
  });
  return {
    module: moduleOf(
      listing.target,
      lowered.map((l) => l.func),
    ),
    diagnostics: sink.finish(),
    functions,
    marks: listing.marks,
  };
}

function moduleOf(target: string | null, funcs: readonly Func[]): Module {
  return { target, symbols: [], funcs, tail: [] };
}

function nameFunctions(parts: readonly SassFunction[], sink: DiagnosticSink<SassCode>): string[] {
  const pool = new NamePool();
  return parts.map((fn) => {
    const name = pool.claim(fn.name);
    if (name !== fn.name) sink.report("SASS005", { line: fn.line, column: 1, length: 0 }, `'${fn.name}' is called '${name}' here`);
    return name;
  });
}

/** Callees before their callers, so that a call knows what its callee does; within a cycle, one call is made before. */
function lowerAll(parts: readonly SassFunction[], names: readonly string[], sink: DiagnosticSink<SassCode>): LoweredFunction[] {
  const lowered: (LoweredFunction | undefined)[] = parts.map(() => undefined);
  const find = calleeFinder(parts);
  const context: TextContext = {
    sink,
    reported: new Set(),
    callee(fn, inst): Signature | { readonly name: string } | null {
      const found = find(fn, inst);
      if (found === null) return null;
      if (typeof found === "string") return { name: found };
      return lowered[found]?.signature ?? { name: names[found] ?? "" };
    },
  };
  const state = new Uint8Array(parts.length);
  const stack: { readonly at: number; readonly callees: readonly number[]; next: number }[] = [];
  const enter = (at: number): void => {
    const fn = parts[at];
    if (fn === undefined || state[at] !== 0) return;
    state[at] = 1;
    const callees = new Set<number>();
    for (const inst of fn.insts) {
      if (inst.root !== "CALL" && inst.root !== "JCAL" && inst.root !== "CAL") continue;
      const found = find(fn, inst);
      if (typeof found === "number") callees.add(found);
    }
    stack.push({ at, callees: [...callees], next: 0 });
  };
  for (let i = 0; i < parts.length; i++) {
    enter(i);
    for (let top = stack[stack.length - 1]; top !== undefined; top = stack[stack.length - 1]) {
      const callee = top.callees[top.next++];
      if (callee !== undefined) {
        enter(callee);
        continue;
      }
      const fn = parts[top.at];
      if (fn !== undefined) lowered[top.at] = lowerFunction(context, fn, names[top.at] ?? fn.name);
      stack.pop();
    }
  }
  return lowered.filter((l) => l !== undefined);
}

type CalleeFinder = (fn: SassFunction, inst: SassInst) => number | string | null;

/** By address within the section; by name within the section first, then anywhere. A string: a name that is not in the text; null: through a register. */
function calleeFinder(parts: readonly SassFunction[]): CalleeFinder {
  const byPlace = new Map<string, number>();
  const byName = new Map<string, number>();
  for (const [i, fn] of parts.entries()) {
    const start = fn.insts[0]?.address ?? 0;
    byPlace.set(`${fn.section}@${start}`, i);
    byPlace.set(`${fn.section}:${fn.name}`, i);
    for (const [name, at] of fn.labels) if (at === 0) byPlace.set(`${fn.section}:${name}`, i);
    if (!byName.has(fn.name)) byName.set(fn.name, i);
  }
  return (fn, inst) => {
    const target = targetOperand(inst);
    if (target === null) return null;
    if ("address" in target) {
      // A register and an offset: `CALL.REL R4 0x10`.
      if (inst.operands.some((o) => o.kind === "reg")) return null;
      return byPlace.get(`${fn.section}@${target.address}`) ?? `0x${target.address.toString(16)}`;
    }
    const name = target.name.replace(/^\.text\./, "");
    return byPlace.get(`${fn.section}:${name}`) ?? byName.get(name) ?? name;
  };
}
