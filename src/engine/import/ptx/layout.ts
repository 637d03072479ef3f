/** Gives every variable of a text its place: unique names, offsets within each space, initial bytes. */

import type { ModuleSymbol } from "../../ir/types.ts";
import type { DiagnosticSink } from "../diagnostics.ts";
import { NamePool } from "../names.ts";
import type { FunctionAst, TextAst, VariableAst } from "./ast.ts";
import type { PtxCode } from "./codes.ts";

/** Where symbols of shared memory whose size is unknown would run into each other, a missing declaration counts this much. */
const UNKNOWN_SIZE = 16;

/** What alignments may be: powers of two up to 1,024. */
const ALIGNMENTS = new Set(Array.from({ length: 11 }, (_, i) => 2 ** i));

/** Where variables lie. */
export interface SymbolPlaces {
  /** The symbol of a declared variable; undefined for `.param` ones. */
  symbolOf(variable: VariableAst): ModuleSymbol | undefined;
  /** A symbol nobody declared: made at its first use, in the space of that use. */
  infer(name: string, space: ModuleSymbol["space"]): { readonly symbol: ModuleSymbol; readonly isNew: boolean };
}

/**
 * Offsets: module variables first; then those of functions, which may be live together with any kernel's; then each kernel's own, all kernels from the same
 * offset on, because no two kernels share a block. `extern .shared x[]` (dynamic) lies after everything. Constants are one bank for the whole text.
 */
export class SymbolLayout implements SymbolPlaces {
  private readonly symbols: ModuleSymbol[] = [];
  private readonly places = new Map<VariableAst, ModuleSymbol>();
  private readonly inferred = new Map<string, ModuleSymbol>();
  private readonly names = new NamePool();
  private readonly ends: Record<ModuleSymbol["space"], number> = { global: 0, shared: 0, const: 0, local: 0, param: 0 };

  constructor(text: TextAst, sink: DiagnosticSink<PtxCode>) {
    const seen = new Map<string, ModuleSymbol>();
    const dynamic: VariableAst[] = [];
    for (const { variable, unit } of text.variables) {
      // The same variable may be declared several times (`.extern`), also once for each target of a listing.
      const key = `${unit}/${variable.name}`;
      const before = seen.get(key);
      if (before !== undefined && (variable.isExtern || before.size >= variable.size)) this.places.set(variable, before);
      else if (variable.space === "shared" && variable.size === 0) dynamic.push(variable);
      else if (variable.space !== "param") seen.set(key, this.place(variable, sink));
    }
    const bodies = text.functions.filter((fn) => fn.body !== null);
    for (const fn of bodies) if (fn.kind === "func") this.placeBody(fn, dynamic, sink);
    const floor = { ...this.ends };
    const peak = { ...this.ends };
    for (const fn of bodies) {
      if (fn.kind !== "entry") continue;
      this.ends.shared = floor.shared;
      this.ends.local = floor.local;
      this.placeBody(fn, dynamic, sink);
      peak.shared = Math.max(peak.shared, this.ends.shared);
      peak.local = Math.max(peak.local, this.ends.local);
    }
    this.ends.shared = peak.shared;
    this.ends.local = peak.local;
    // Dynamic arrays all begin at the same place.
    const align = Math.max(1, ...dynamic.slice(0, 1000).map((v) => (ALIGNMENTS.has(v.align) ? v.align : 1)));
    this.ends.shared = alignUp(this.ends.shared, align);
    const start = this.ends.shared;
    for (const variable of dynamic) {
      this.ends.shared = start;
      this.place(variable, sink);
    }
  }

  symbolOf(variable: VariableAst): ModuleSymbol | undefined {
    return this.places.get(variable);
  }

  infer(name: string, space: ModuleSymbol["space"]): { readonly symbol: ModuleSymbol; readonly isNew: boolean } {
    const known = this.inferred.get(name);
    if (known !== undefined) return { symbol: known, isNew: false };
    const offset = alignUp(this.ends[space], 16);
    const symbol: ModuleSymbol = { name: this.names.claim(name), space, size: UNKNOWN_SIZE, align: 16, offset, init: null, inferred: true };
    this.ends[space] = offset + UNKNOWN_SIZE;
    this.symbols.push(symbol);
    this.inferred.set(name, symbol);
    return { symbol, isNew: true };
  }

  finish(): readonly ModuleSymbol[] {
    return this.symbols;
  }

  private placeBody(fn: FunctionAst, dynamic: VariableAst[], sink: DiagnosticSink<PtxCode>): void {
    for (const variable of fn.variables) {
      if (variable.space === "param") continue;
      if (variable.space === "shared" && variable.size === 0) dynamic.push(variable);
      else this.place(variable, sink);
    }
  }

  private place(variable: VariableAst, sink: DiagnosticSink<PtxCode>): ModuleSymbol {
    const { space } = variable;
    const align = ALIGNMENTS.has(variable.align) ? variable.align : 1;
    const offset = alignUp(this.ends[space], align);
    const size = Math.min(variable.size, 0xffff_ffff);
    const name = this.names.claim(variable.name);
    if (name !== variable.name) {
      const at = { line: variable.line, column: variable.column, length: variable.name.length };
      sink.report("PTX012", at, `the variable '${variable.name}' is called '${name}' here`);
    }
    const symbol: ModuleSymbol = { name, space, size, align, offset, init: variable.init };
    this.ends[space] = offset + size;
    this.symbols.push(symbol);
    this.places.set(variable, symbol);
    return symbol;
  }
}

export function alignUp(n: number, align: number): number {
  return Math.ceil(n / align) * align;
}
