/** The few functions that imported programs call: printing into a buffer, and memory cut off a region. */

import { FuncBuilder } from "../../../engine/import/func-builder.ts";
import { immOp, memOp, regOp } from "../../../engine/ir/builder.ts";
import type { Reg } from "../../../engine/ir/ids.ts";
import { HEAP_SYMBOL, OUTPUT_SYMBOL } from "../../../engine/ir/one-thread.ts";
import { type RegClass, regClass } from "../../../engine/ir/reg.ts";
import type { Func, Guard, ModuleSymbol, Operand, Param } from "../../../engine/ir/types.ts";
import { type BrilType, isPointer } from "./ast.ts";

export const OUTPUT_BYTES = 512 * 1024;
export const HEAP_BYTES = 256 * 1024;
/** Bytes of a cell, whatever its type. */
export const CELL = 8;

export type Runtime =
  | { readonly kind: "print"; readonly types: readonly BrilType[] }
  | { readonly kind: "alloc"; readonly cell: BrilType }
  | { readonly kind: "free" };

/** The register class that values of a type live in. */
export const classOf = (type: BrilType): RegClass => (type === "bool" ? "P" : type === "char" ? "R" : "RD");

/** `print.int.bool`, `alloc.int`, `free`. */
export function runtimeName(runtime: Runtime): string {
  switch (runtime.kind) {
    case "print":
      return ["print", ...(runtime.types.length === 0 ? ["nothing"] : runtime.types.map(typeWord))].join(".");
    case "alloc":
      return `alloc.${typeWord(runtime.cell)}`;
    case "free":
      return "free";
  }
}

const typeWord = (type: BrilType): string => (isPointer(type) ? `ptr.${typeWord(type.ptr)}` : type);

/**
 * A record of the output: a head with four bits for each value, lowest first, then the values, 8 bytes each. Head digits: the codes below; `MORE` last: the
 * line continues in the next record. A head of 0 ends the output.
 */
export const VALUE_CODES = { int: 1, bool: 2, float: 3, char: 4, ptr: 5 } as const;
export const NOTHING = 15;
export const MORE = 14;
/** A head stays below 2^53. */
export const PER_RECORD = 12;

export interface RuntimeSizes {
  readonly output: number;
  readonly heap: number;
}

export function runtimeSymbols(usesHeap: boolean, usesOutput: boolean, sizes: RuntimeSizes): readonly ModuleSymbol[] {
  const symbols: ModuleSymbol[] = [];
  const add = (name: string, size: number): void => {
    const offset = symbols.reduce((end, s) => Math.max(end, s.offset + s.size), 0);
    symbols.push({ name, space: "global", size, align: CELL, offset, init: null });
  };
  if (usesHeap) add(HEAP_SYMBOL, CELL + sizes.heap);
  // The last one: output that does not fit is past the end, and traps.
  if (usesOutput) add(OUTPUT_SYMBOL, CELL + sizes.output);
  return symbols;
}

export function runtimeFunc(name: string, runtime: Runtime, sizes: RuntimeSizes): Func {
  const make = new Maker();
  switch (runtime.kind) {
    case "print":
      return make.print(name, runtime.types);
    case "alloc":
      return make.alloc(name, sizes.heap);
    case "free":
      make.param("p", "RD");
      return make.finish(name, []);
  }
}

class Maker {
  private readonly out = new FuncBuilder([{ label: "BB0", line: 0 }]);
  private readonly params: Param[] = [];

  param(name: string, cls: RegClass): Reg {
    const reg = this.out.freshReg(cls);
    this.params.push({ name, reg });
    return reg;
  }

  print(name: string, types: readonly BrilType[]): Func {
    const values = types.map((type, i) => this.param(`v${i}`, classOf(type)));
    const words = values.map((value) => this.word(value));
    const { start, used, next } = this.region(OUTPUT_SYMBOL);
    let at = CELL;
    for (let i = 0; i === 0 || i < types.length; i += PER_RECORD) {
      const part = types.slice(i, i + PER_RECORD);
      const digits = part.map((type) => VALUE_CODES[isPointer(type) ? "ptr" : type] as number);
      if (types.length === 0) digits.push(NOTHING);
      if (i + PER_RECORD < types.length) digits.push(MORE);
      const head = this.out.freshReg("RD");
      this.emit("MOV", [regOp(head), immOp(digits.reduceRight((sum, digit) => sum * 16 + digit, 0))]);
      this.emit("STG", [memOp(next, at), regOp(head)], ["64"]);
      at += CELL;
      for (const [j] of part.entries()) {
        const word = words[i + j];
        if (word !== undefined) this.emit("STG", [memOp(next, at), regOp(word)], ["64"]);
        at += CELL;
      }
    }
    const end = this.out.freshReg("RD");
    this.emit("IADD", [regOp(end), regOp(used), immOp(at - CELL)], ["64"]);
    this.emit("STG", [memOp(start), regOp(end)], ["64"]);
    return this.finish(name, []);
  }

  alloc(name: string, heap: number): Func {
    const cells = this.param("cells", "RD");
    const bad = this.out.freshReg("P");
    const trap = { reg: bad, neg: false };
    this.emit("ISETP", [regOp(bad), regOp(cells), immOp(0)], ["LE", "64"]);
    this.emit("BPT", [], ["TRAP"], trap);
    this.emit("ISETP", [regOp(bad), regOp(cells), immOp(Math.floor(heap / CELL))], ["GT", "64"]);
    this.emit("BPT", [], ["TRAP"], trap);
    const { start, used, next } = this.region(HEAP_SYMBOL);
    const end = this.out.freshReg("RD");
    this.emit("LEA", [regOp(end), regOp(cells), regOp(used), immOp(3)], ["64"]);
    this.emit("ISETP", [regOp(bad), regOp(end), immOp(heap)], ["GT", "64"]);
    this.emit("BPT", [], ["TRAP"], trap);
    this.emit("STG", [memOp(start), regOp(end)], ["64"]);
    const result = this.out.freshReg("RD");
    this.emit("IADD", [regOp(result), regOp(next), immOp(CELL)], ["64"]);
    return this.finish(name, [result]);
  }

  /** Address of a region, the bytes in use, and where they end (but for the count itself). */
  private region(symbol: string): { readonly start: Reg; readonly used: Reg; readonly next: Reg } {
    const [start, used, next] = [this.out.freshReg("RD"), this.out.freshReg("RD"), this.out.freshReg("RD")];
    this.emit("MOV", [regOp(start), { kind: "sym", name: symbol, offset: 0 }]);
    this.emit("LDG", [regOp(used), memOp(start)], ["64"]);
    this.emit("IADD", [regOp(next), regOp(start), regOp(used)], ["64"]);
    return { start, used, next };
  }

  /** The value in 64 bits. */
  private word(value: Reg): Reg {
    const cls = regClass(value);
    if (cls === "RD") return value;
    const word = this.out.freshReg("RD");
    if (cls === "P") this.emit("SEL", [regOp(word), immOp(1), immOp(0), regOp(value)], ["64"]);
    else this.emit("I2I", [regOp(word), regOp(value)], ["U64", "U32"]);
    return word;
  }

  private emit(
    op: Parameters<FuncBuilder["emit"]>[0],
    ops: readonly Operand[],
    mods: readonly string[] = [],
    guard: Guard | null = null,
  ): void {
    this.out.emit(op, ops, mods, guard, 0);
  }

  finish(name: string, returns: readonly Reg[]): Func {
    return this.out.finish({ kind: "func", name, params: this.params, returns, line: 0 }, "RET");
  }
}
