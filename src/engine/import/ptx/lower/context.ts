/** What every lowering row works with: reading PTX operands as Ori operands, writing results, temporaries, the guard. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { withNeg } from "../../../ir/copies.ts";
import type { Reg } from "../../../ir/ids.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { PT, RDZ, RZ } from "../../../ir/reg.ts";
import type { Guard, ModuleSymbol, Operand } from "../../../ir/types.ts";
import type { Place, Reporter } from "../../diagnostics.ts";
import type { FuncBuilder } from "../../func-builder.ts";
import type { FunctionAst, InstStmt, MemoryAst, NameAst, OperandAst, VariableAst } from "../ast.ts";
import type { Since } from "../check.ts";
import type { PtxCode } from "../codes.ts";
import type { SymbolPlaces } from "../layout.ts";
import { doubleBits, doubleValue, singleBits } from "../literal.ts";
import { makeRegister, type Named, namedOf, type PtxRegister } from "../scopes.ts";
import type { OpSpelling } from "../spelling.ts";
import { isSpecialName, type SpecialRegister, specialRegister } from "../sregs.ts";
import { type PtxType, ptxType } from "../types.ts";
import type { Home, SlotHome } from "./homes.ts";
import { inferType } from "./infer.ts";

/** What all functions of a text share. */
export interface TextContext {
  readonly sink: Reporter<PtxCode>;
  readonly layout: SymbolPlaces;
  /** Some register of the text is a vector. */
  readonly hasVectors: boolean;
  /** Functions by PTX name within a unit: what a call needs to know. */
  readonly callee: (name: string, unit: number) => { readonly name: string; readonly noreturn: boolean } | null;
  /** Version and target that the text names. */
  readonly since: Since;
  /** The text has its header: it is no cut-out, whose declarations may be missing. */
  readonly isWhole: boolean;
  /** Offset of the first kernel parameter in constant bank 0. */
  readonly paramBase: number;
  readonly addressBits: 32 | 64;
}

/** What a name means at a place. */
export type Meaning =
  | { readonly kind: "register"; readonly register: PtxRegister }
  | { readonly kind: "special"; readonly special: SpecialRegister }
  | { readonly kind: "variable"; readonly variable: VariableAst }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "unknown"; readonly name: string };

export type ValueClass = "R" | "RD" | "P";

/**
 * What a result of less than 32 bits looks like in its 32-bit register: zero above the type; extended as the type's sign says; anything.
 */
export type ResultState = "clean" | "extended" | "dirty";

const NO_MODS: readonly string[] = [];

/** Lowers the instructions of one function. One object a function; `begin` … `fails` bracket one instruction. */
export class Lowering {
  readonly text: TextContext;
  readonly fn: FunctionAst;
  readonly out: FuncBuilder;
  /** Where `.param` names live: registers or the constant bank. */
  readonly homes = new Map<VariableAst, Home>();
  /** Slots of undeclared `.param` names. */
  readonly inferredSlots = new Map<string, SlotHome>();
  /** Slots whose last st.param has not been copied yet. */
  readonly pending: SlotHome[] = [];
  /** What is known of the whole body, null until a row needs it: see `constantsOf`, `slotReadsOf` and `countsArrivals`. */
  constants: ReadonlyMap<string, number> | null = null;
  slotReads: ReadonlyMap<VariableAst, number> | null = null;
  arrivalsCount: boolean | null = null;
  /** Where free local memory begins, in a kernel that allocates some. */
  stack: Reg | null = null;
  stmt: InstStmt;
  guard: Guard | null = null;
  /** Set by a row that can't express the instruction: what it emitted is taken back. */
  failed = false;
  /** Carry flag of add.cc and its like. */
  private carry: Reg | null = null;
  private readonly after: (() => void)[] = [];
  private readonly undeclared = new Set<string>();
  /** The function declares its registers: one that is missing is a mistake, not left out by a filter. */
  private readonly declares: boolean;
  readonly registers: { readonly ptx: PtxRegister; readonly reg: Reg }[] = [];

  constructor(text: TextContext, fn: FunctionAst, out: FuncBuilder, first: InstStmt) {
    this.text = text;
    this.fn = fn;
    this.out = out;
    this.stmt = first;
    this.declares = text.isWhole && fn.scope.hasRegisters();
  }

  begin(stmt: InstStmt): void {
    this.stmt = stmt;
    this.failed = false;
    this.after.length = 0;
    this.guard = stmt.guard === null ? null : this.guardOf(stmt.guard);
  }

  /** Runs what results still need (narrowing, widening). */
  finishResults(): void {
    for (const step of this.after) step();
    this.after.length = 0;
  }

  fail(): void {
    this.failed = true;
  }

  // --- emitting ----------------------------------------------------------------------------------------------------------

  emit(op: Opcode, ops: readonly Operand[], mods: readonly string[] = NO_MODS): void {
    this.out.emit(op, ops, mods, this.guard, this.stmt.line);
  }

  /** Emits `op` into a fresh register and returns that as an operand. */
  value(cls: ValueClass, op: Opcode, ops: readonly Operand[], mods: readonly string[] = NO_MODS): Operand {
    const r = this.out.freshReg(cls);
    this.emit(op, [regOp(r), ...ops], mods);
    return regOp(r);
  }

  temp(cls: ValueClass): Reg {
    return this.out.freshReg(cls);
  }

  get carryFlag(): Reg {
    this.carry ??= this.out.freshReg("P");
    return this.carry;
  }

  // --- names -------------------------------------------------------------------------------------------------------------

  meaning(name: string, part: string): Meaning {
    return this.meaningAs(this.stmt.scope.find(name), name, part);
  }

  /** Of an operand's name, or its base. */
  meaningOf(o: NameAst | MemoryAst): Meaning {
    return this.meaningAs(namedOf(this.stmt.scope, o), o.kind === "name" ? o.name : (o.base ?? ""), o.part);
  }

  private meaningAs(named: Named | null, name: string, part: string): Meaning {
    if (named !== null) {
      if (named.kind === "variable") return { kind: "variable", variable: named.variable };
      if (named.inferred && this.declares) this.reportUndeclared(name);
      if (part === "") return { kind: "register", register: named };
      const element = named.parts?.get(part);
      return element === undefined ? { kind: "unknown", name } : { kind: "register", register: element };
    }
    if (name.charCodeAt(0) === 37) {
      if (isSpecialName(name)) {
        const special = specialRegister(name, part);
        return special === undefined ? { kind: "unknown", name } : { kind: "special", special };
      }
      return part === "" ? { kind: "register", register: this.inferRegister(name) } : { kind: "unknown", name };
    }
    if (this.text.callee(name, this.fn.unit) !== null) return { kind: "function", name };
    return { kind: "unknown", name };
  }

  /** A register without a declaration: its name says its type, as in listings that leave the declarations out. */
  private inferRegister(name: string): PtxRegister {
    const { sink } = this.text;
    const place = this.place(0);
    const type = inferType(name, this.text.addressBits);
    if (this.declares) {
      this.reportUndeclared(name);
    } else if (type === undefined) {
      sink.report("PTX014", place, `register '${name}' is not declared and its name does not say its type; taken as 32 bit`);
    } else if (this.undeclared.size === 0) {
      sink.report(
        "PTX013",
        place,
        `'${name}' and perhaps other registers of '${this.fn.name}' are not declared; their types are taken from their names`,
      );
    }
    this.undeclared.add(name);
    const made = makeRegister(name, type ?? ({ name: "b32", kind: "b", bits: 32, packed: false } as const), 1, true);
    this.fn.scope.declare(name, made);
    return made;
  }

  private place(length: number): Place {
    return { line: this.stmt.line, column: this.stmt.column, length };
  }

  /** The Ori register of a PTX register, given at its first use. */
  reg(register: PtxRegister): Reg {
    if (register.reg === null) {
      register.reg = this.out.freshReg(classOf(register.type));
      this.registers.push({ ptx: register, reg: register.reg });
    }
    return register.reg;
  }

  /** The PTX register an operand names; null when it is anything else. */
  registerOf(o: OperandAst | undefined): PtxRegister | null {
    if (o?.kind !== "name") return null;
    const plain = this.plainRegister(o);
    if (plain !== null) return plain;
    const meaning = this.meaningOf(o);
    return meaning.kind === "register" ? meaning.register : null;
  }

  /** A declared register as a whole, which nearly every name is. */
  private plainRegister(o: NameAst): PtxRegister | null {
    const named = namedOf(this.stmt.scope, o);
    return named?.kind === "register" && !named.inferred && o.part === "" ? named : null;
  }

  private guardOf(guard: NonNullable<InstStmt["guard"]>): Guard {
    const meaning = this.meaning(guard.name, "");
    if (meaning.kind === "register" && meaning.register.type.kind === "pred") return { reg: this.reg(meaning.register), neg: guard.neg };
    // A guard that is not a predicate register: it becomes a new predicate, so that the text stays readable.
    const place = { line: this.stmt.line, column: this.stmt.column, length: 0 };
    this.text.sink.report("PTX014", place, `the guard '${guard.name}' is no declared predicate`);
    const made = makeRegister(guard.name, ptxType("pred") ?? { name: "pred", kind: "pred", bits: 1, packed: false });
    this.stmt.scope.declare(guard.name, made);
    return { reg: this.reg(made), neg: guard.neg };
  }

  symbolOf(variable: VariableAst): ModuleSymbol | null {
    return this.text.layout.symbolOf(variable) ?? null;
  }

  inferSymbol(name: string, space: ModuleSymbol["space"]): ModuleSymbol {
    const { symbol, isNew } = this.text.layout.infer(name, space);
    if (this.text.isWhole) this.reportUndeclared(name);
    else if (isNew) {
      this.text.sink.report(
        "PTX017",
        this.place(0),
        `'${name}' is not declared; taken as an address in ${space} memory, which is a stand-in`,
      );
    }
    return symbol;
  }

  /** An error in a text that is whole; a cut-out may have lost the declaration. */
  reportUndeclared(name: string) {
    if (this.text.isWhole) this.text.sink.report("PTX029", this.place(this.stmt.op.text.length), `'${name}' is not declared`);
  }

  // --- sources -------------------------------------------------------------------------------------------------------------

  private bad(): Operand {
    this.failed = true;
    return immOp(0);
  }

  /**
   * An integer or bit-pattern source of the type's width. A 16- or 8-bit one is a 32-bit register whose upper bits are zero (what `def` guarantees), so
   * nothing needs to be done for unsigned reading; signed reading of a narrow type is `signed`.
   */
  read(o: OperandAst | undefined, type: PtxType): Operand {
    return type.bits > 32 ? this.read64(o) : type.bits < 32 ? this.readNarrow(o, type.bits) : this.read32(o);
  }

  /** Like `read`, for results whose upper bits are cleared anyway: a narrow literal stays as written. */
  readLoose(o: OperandAst | undefined, type: PtxType): Operand {
    return type.bits < 32 && o?.kind === "int" ? immOp(word(o.value)) : this.read(o, type);
  }

  /** Like `read`, sign-extended to 32 bits when the type is narrow and signed. */
  readExtended(o: OperandAst | undefined, type: PtxType): Operand {
    if (type.bits >= 32 || type.kind !== "s") return this.read(o, type);
    if (o?.kind === "int") return immOp(Number(BigInt.asIntN(type.bits, BigInt(o.value))));
    const source = this.readNarrow(o, type.bits);
    return this.value("R", "I2I", [source], ["S32", `S${type.bits}`]);
  }

  read32(o: OperandAst | undefined): Operand {
    switch (o?.kind) {
      case "int":
        return immOp(word(o.value));
      case "f32":
        return o;
      case "real":
        return { kind: "f32", bits: singleBits(o.value) };
      case "name":
        return this.readName(o, false);
      case "neg":
        return this.value("R", "INEG", [this.read32(o.of)]);
      default:
        return this.bad();
    }
  }

  read64(o: OperandAst | undefined): Operand {
    switch (o?.kind) {
      case "int":
        return typeof o.value === "bigint" ? { kind: "imm64", value: o.value } : immOp(o.value);
      case "f64":
        return o;
      case "name":
        return this.readName(o, true);
      case "neg":
        return this.value("RD", "INEG", [this.read64(o.of)], ["64"]);
      default:
        return this.bad();
    }
  }

  private readNarrow(o: OperandAst | undefined, bits: number): Operand {
    if (o?.kind === "int") return immOp(Number(BigInt.asUintN(bits, BigInt(o.value))));
    const source = this.read32(o);
    // A register wider than the type holds more than the type's bits.
    const declared = this.registerOf(o)?.type.bits ?? bits;
    const isName = o?.kind === "name";
    if (isName && (declared > bits || this.registerOf(o) === null)) return this.value("R", "I2I", [source], ["U32", `U${bits}`]);
    return source;
  }

  private readName(o: NameAst, wide: boolean): Operand {
    const plain = o.offset === 0 ? this.plainRegister(o) : null;
    if (plain !== null) return this.widened(plain, wide);
    const meaning = this.meaningOf(o);
    switch (meaning.kind) {
      case "register":
        return o.offset === 0 ? this.widened(meaning.register, wide) : this.bad();
      case "special": {
        const { special } = meaning;
        const is64 = special.bits === 64;
        const cls = is64 ? "RD" : "R";
        const source: Operand = { kind: "sreg", name: special.name };
        const read = special.changes ? this.value(cls, "CS2R", [source], is64 ? ["64"] : ["32"]) : this.value(cls, "S2R", [source]);
        if (is64 === wide) return read;
        return wide ? this.value("RD", "I2I", [read], ["U64", "U32"]) : this.value("R", "UNPACK", [read], ["LO"]);
      }
      case "variable":
        return this.addressOf(meaning.variable, o.offset);
      case "function":
        return this.functionAddress(meaning.name, o.offset);
      case "unknown":
        if (o.part !== "" || o.name.charCodeAt(0) === 37) {
          if (!isSpecialName(o.name, o.part)) this.reportUndeclared(o.part === "" ? o.name : `${o.name}.${o.part}`);
          return this.bad();
        }
        return { kind: "sym", name: this.inferSymbol(o.name, "global").name, offset: o.offset };
    }
  }

  private functionAddress(name: string, offset: number): Operand {
    const callee = this.text.callee(name, this.fn.unit);
    const symbol = callee === null || offset !== 0 ? null : this.text.layout.functionOf(callee.name);
    return symbol === null ? this.bad() : { kind: "sym", name: symbol.name, offset: 0 };
  }

  private addressOf(variable: VariableAst, offset: number): Operand {
    const symbol = this.symbolOf(variable);
    if (symbol !== null) return { kind: "sym", name: symbol.name, offset };
    const home = this.homes.get(variable);
    return home?.kind === "bank" ? immOp(home.offset + offset) : this.bad();
  }

  private widened(register: PtxRegister, wide: boolean): Operand {
    const r = this.reg(register);
    switch (classOf(register.type)) {
      case "P":
        return this.bad();
      case "R":
        return wide ? this.value("RD", "I2I", [regOp(r)], ["U64", "U32"]) : regOp(r);
      case "RD":
        return wide ? regOp(r) : this.value("R", "UNPACK", [regOp(r)], ["LO"]);
    }
  }

  /** A floating-point source: 32 or 64 bits; `neg` turns its sign. */
  readFloat(o: OperandAst | undefined, bits: number, neg = false): Operand {
    const wide = bits === 64;
    switch (o?.kind) {
      case "f32":
        if (wide) return this.bad();
        return neg ? { kind: "f32", bits: (o.bits ^ 0x80000000) >>> 0 } : o;
      case "f64":
        if (wide) return neg ? { ...o, hi: (o.hi ^ 0x80000000) >>> 0 } : o;
        return { kind: "f32", bits: singleBits(doubleValue(o.hi, o.lo) * (neg ? -1 : 1)) };
      case "real":
      case "int": {
        const value = Number(o.value) * (neg ? -1 : 1);
        return wide ? { kind: "f64", ...doubleBits(value) } : { kind: "f32", bits: singleBits(value) };
      }
      case "neg":
        return this.readFloat(o.of, bits, !neg);
      case "name": {
        const source = this.readName(o, wide);
        if (source.kind === "reg") return neg ? withNeg(source, !source.neg) : source;
        return this.bad();
      }
      default:
        return this.bad();
    }
  }

  /** A half or a pair of halves: a register, or its bits as an integer. */
  readHalf(o: OperandAst | undefined, neg = false): Operand {
    if (o?.kind === "int") return immOp(word(o.value) ^ (neg ? 0x8000 : 0));
    if (o?.kind !== "name") return this.bad();
    const source = this.readName(o, false);
    if (source.kind !== "reg") return this.bad();
    return neg ? withNeg(source, true) : source;
  }

  readPred(o: OperandAst | undefined, neg = false): Operand {
    switch (o?.kind) {
      case "not":
        return this.readPred(o.of, !neg);
      case "int":
        return regOp(PT, { neg: (Number(o.value) === 0) !== neg });
      case "name": {
        const register = this.registerOf(o);
        if (register === null || register.type.kind !== "pred") return this.bad();
        return regOp(this.reg(register), { neg });
      }
      default:
        return this.bad();
    }
  }

  // --- results -------------------------------------------------------------------------------------------------------------

  /**
   * The register to write a result of this type to. A register of less than 32 bits always holds its value zero-extended: unless the result is `clean`
   * (zero above the type), the bits above are cleared after the instruction.
   */
  def(o: OperandAst | undefined, type: PtxType, state: ResultState = "clean"): Operand {
    const wide = type.bits > 32;
    if (o?.kind === "sink") return regOp(wide ? RDZ : RZ);
    const register = this.registerOf(o);
    if (register === null || register.type.kind === "pred") return this.bad();
    const cls = classOf(register.type);
    const r = this.reg(register);
    if (wide) return cls === "RD" ? regOp(r) : this.bad();
    const sign = type.kind === "s" ? "S" : "U";
    if (cls === "RD") {
      const t = this.temp("R");
      this.after.push(() => this.emit("I2I", [regOp(r), regOp(t)], [`${sign}64`, `${sign}${state === "dirty" ? type.bits : 32}`]));
      return regOp(t);
    }
    const declared = register.type.bits;
    if (state === "clean" || type.bits === 32) return regOp(r);
    if (declared >= 32 && state === "extended") return regOp(r);
    const t = this.temp("R");
    if (declared < 32) this.after.push(() => this.emit("LOP", [regOp(r), regOp(t), immOp(declared === 16 ? 0xffff : 0xff)], ["AND"]));
    else this.after.push(() => this.emit("I2I", [regOp(r), regOp(t)], [`${sign}32`, `${sign}${type.bits}`]));
    return regOp(t);
  }

  defPred(o: OperandAst | undefined): Operand {
    if (o?.kind === "sink") return regOp(PT);
    const register = this.registerOf(o);
    if (register === null || register.type.kind !== "pred") return this.bad();
    return regOp(this.reg(register));
  }

  /** Adds a step that runs after the instruction, before the next one. */
  afterwards(step: () => void): void {
    this.after.push(step);
  }
}

/** The register class that holds a PTX type: predicates in P, more than 32 bits in RD, the rest in R. */
export function classOf(type: PtxType): ValueClass {
  if (type.kind === "pred") return "P";
  return type.bits > 32 ? "RD" : "R";
}

/** An integer literal for a 32-bit reader: as written where it fits, else its low word. */
function word(value: number | bigint): number {
  const n = Number(value);
  if (n >= -0x80000000 && n <= 0xffffffff) return n;
  return Number(BigInt.asIntN(32, BigInt(value)));
}

/** A row of the lowering table: emits the instruction's Ori form, or calls `fail`. */
export type Row = (c: Lowering, op: OpSpelling, a: readonly OperandAst[]) => void;
