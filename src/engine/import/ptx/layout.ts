/** Gives every variable of a text its place: unique names, offsets within each space, initial bytes. */

import { FUNCTION_BYTES } from "../../ir/symbol-address.ts";
import type { ModuleSymbol, SymbolAddress } from "../../ir/types.ts";
import type { DiagnosticSink } from "../diagnostics.ts";
import { NamePool } from "../names.ts";
import type { AddressAst, FunctionAst, TextAst, VariableAst } from "./ast.ts";
import type { PtxCode } from "./codes.ts";

/** Where symbols of shared memory whose size is unknown would run into each other, a missing declaration counts this much. */
const UNKNOWN_SIZE = 16;

/** A thread's stack, as the CUDA runtime sets it (cudaLimitStackSize). */
const STACK_BYTES = 1024;

/** What alignments may be: powers of two up to 1,024. */
const ALIGNMENTS = new Set(Array.from({ length: 11 }, (_, i) => 2 ** i));

/** Where variables are. */
export interface SymbolPlaces {
  /** The symbol of a declared variable; undefined for `.param` ones. */
  symbolOf(variable: VariableAst): ModuleSymbol | undefined;
  /** An undeclared symbol: made at its first use, in the space of that use. */
  infer(name: string, space: ModuleSymbol["space"]): { readonly symbol: ModuleSymbol; readonly isNew: boolean };
  /** The symbol of a function whose address is taken, by its name in Ori; null when a variable has that name. */
  functionOf(name: string): ModuleSymbol | null;
  /** Local memory that no variable has, for what a kernel allocates as it runs. */
  stack(): ModuleSymbol;
}

/** The name in Ori of a function of a unit, and null where none is declared. */
type NameOf = (name: string, unit: number) => string | null;

/**
 * Offsets: module variables first; then those of functions, which may be live together with any kernel's; then each kernel's own, all kernels from the same
 * offset on, because no two kernels share a block. `extern .shared x[]` (dynamic) comes after everything. Constants are one bank for the whole text.
 */
export class SymbolLayout implements SymbolPlaces {
  private readonly symbols: ModuleSymbol[] = [];
  private readonly places = new Map<VariableAst, ModuleSymbol>();
  private readonly inferred = new Map<string, ModuleSymbol>();
  private readonly names = new NamePool();
  private readonly ends: Record<ModuleSymbol["space"], number> = { global: 0, shared: 0, const: 0, local: 0, param: 0, func: 0 };
  private readonly functions = new Map<string, ModuleSymbol | null>();
  private free: ModuleSymbol | null = null;
  private readonly nameOf: NameOf;
  private readonly sink: DiagnosticSink<PtxCode>;

  constructor(text: TextAst, sink: DiagnosticSink<PtxCode>, nameOf: NameOf) {
    this.nameOf = nameOf;
    this.sink = sink;
    const seen = new Map<string, ModuleSymbol>();
    const dynamic: Dynamic[] = [];
    for (const { variable, unit } of text.variables) {
      // The same variable may be declared several times (`.extern`), also once for each target of a listing.
      const key = `${unit}/${variable.name}`;
      const before = seen.get(key);
      if (before !== undefined && (variable.isExtern || before.size >= variable.size)) this.places.set(variable, before);
      else if (variable.space === "shared" && variable.size === 0) dynamic.push({ variable, unit });
      else if (variable.space !== "param") seen.set(key, this.place(variable, unit));
    }
    const bodies = text.functions.filter((fn) => fn.body !== null);
    for (const fn of bodies) if (fn.kind === "func") this.placeBody(fn, dynamic);
    const floor = { ...this.ends };
    const peak = { ...this.ends };
    for (const fn of bodies) {
      if (fn.kind !== "entry") continue;
      this.ends.shared = floor.shared;
      this.ends.local = floor.local;
      this.placeBody(fn, dynamic);
      peak.shared = Math.max(peak.shared, this.ends.shared);
      peak.local = Math.max(peak.local, this.ends.local);
    }
    this.ends.shared = peak.shared;
    this.ends.local = peak.local;
    // Dynamic arrays all begin at the same place.
    const align = Math.max(1, ...dynamic.slice(0, 1000).map(({ variable: { align } }) => (ALIGNMENTS.has(align) ? align : 1)));
    this.ends.shared = alignUp(this.ends.shared, align);
    const start = this.ends.shared;
    for (const { variable, unit } of dynamic) {
      this.ends.shared = start;
      this.place(variable, unit);
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

  functionOf(name: string): ModuleSymbol | null {
    const known = this.functions.get(name);
    if (known !== undefined) return known;
    const claimed = this.names.claim(name);
    const symbol: ModuleSymbol | null =
      claimed === name ? { name, space: "func", size: FUNCTION_BYTES, align: FUNCTION_BYTES, offset: this.ends.func, init: null } : null;
    if (symbol !== null) {
      this.ends.func += FUNCTION_BYTES;
      this.symbols.push(symbol);
    }
    this.functions.set(name, symbol);
    return symbol;
  }

  stack(): ModuleSymbol {
    if (this.free === null) {
      const offset = alignUp(this.ends.local, 16);
      this.free = { name: this.names.claim("stack"), space: "local", size: STACK_BYTES, align: 16, offset, init: null };
      this.ends.local = offset + STACK_BYTES;
      this.symbols.push(this.free);
    }
    return this.free;
  }

  private placeBody(fn: FunctionAst, dynamic: Dynamic[]): void {
    for (const variable of fn.variables) {
      if (variable.space === "param") continue;
      if (variable.space === "shared" && variable.size === 0) dynamic.push({ variable, unit: fn.unit });
      else this.place(variable, fn.unit);
    }
  }

  private place(variable: VariableAst, unit: number): ModuleSymbol {
    const { space } = variable;
    const align = ALIGNMENTS.has(variable.align) ? variable.align : 1;
    const offset = alignUp(this.ends[space], align);
    const size = Math.min(variable.size, 0xffff_ffff);
    const name = this.names.claim(variable.name);
    if (name !== variable.name) {
      const at = { line: variable.line, column: variable.column, length: variable.name.length };
      this.sink.report("PTX012", at, `the variable '${variable.name}' is called '${name}' here`);
    }
    const addresses = variable.addresses.flatMap((address) => this.resolve(address, unit));
    const more = addresses.length === 0 ? {} : { addresses };
    const symbol: ModuleSymbol = { name, space, size, align, offset, init: variable.init, ...more };
    this.ends[space] = offset + size;
    this.symbols.push(symbol);
    this.places.set(variable, symbol);
    return symbol;
  }

  /** What an initial value names; none, and a message, where it has no place in a run. */
  private resolve({ at, bytes, name, variable, offset, generic, line, column }: AddressAst, unit: number): readonly SymbolAddress[] {
    const report = (code: PtxCode, message: string): readonly SymbolAddress[] => {
      this.sink.report(code, { line, column, length: name.length }, message);
      return [];
    };
    if (variable === null) {
      const callee = this.nameOf(name, unit);
      if (callee === null) return report("PTX029", `'${name}' is not declared`);
      if (generic || offset !== 0) return report("PTX026", `the address of the function '${name}' is written without generic() and offset`);
      const symbol = this.functionOf(callee);
      return symbol === null
        ? report("PTX021", `the name of the function '${name}' is already used; its address is taken as zero`)
        : [{ at, bytes, name: symbol.name, offset }];
    }
    if (variable.space !== "global" && variable.space !== "const")
      return report("PTX026", `an initial value cannot be an address in ${variable.space} memory`);
    if (generic && variable.space === "const")
      return report("PTX021", `constant memory has no generic address in a run, so that of '${name}' is zero here`);
    const symbol = this.places.get(variable);
    return symbol === undefined ? [] : [{ at, bytes, name: symbol.name, offset }];
  }
}

interface Dynamic {
  readonly variable: VariableAst;
  readonly unit: number;
}

export function alignUp(n: number, align: number): number {
  return Math.ceil(n / align) * align;
}
