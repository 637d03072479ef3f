/** What every lowering row works with: reading PTX operands as Ori operands, writing results, temporaries, the guard. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { withNeg } from "../../../ir/copies.ts";
import type { Reg } from "../../../ir/ids.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { PT, RDZ, RZ } from "../../../ir/reg.ts";
import type { Guard, Operand } from "../../../ir/types.ts";
import type { InstStmt, NameAst, OperandAst, VariableAst } from "../ast.ts";
import { doubleBits, doubleValue, singleBits } from "../literal.ts";
import type { PtxRegister } from "../scopes.ts";
import type { OpSpelling } from "../spelling.ts";
import { isSpecialName } from "../sregs.ts";
import type { PtxType } from "../types.ts";
import type { Home, SlotHome } from "./homes.ts";
import { classOf, Names, type ValueClass } from "./names.ts";

/**
 * What a result of less than 32 bits looks like in its 32-bit register: zero above the type; extended by the type's sign; anything.
 */
export type ResultState = "clean" | "extended" | "dirty";

const NO_MODS: readonly string[] = [];

/** Lowers the instructions of one function. One object a function; `begin` … `finishResults` bracket one instruction. */
export class Lowering extends Names {
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
  guard: Guard | null = null;
  /** Set by a row that can't express the instruction: what it emitted is taken back. */
  failed = false;
  /** Carry flag of add.cc and its like. */
  private carry: Reg | null = null;
  /** Steps after the instruction, before the next one: what results still need (narrowing, widening). */
  readonly after: (() => void)[] = [];

  begin(stmt: InstStmt): void {
    this.scope = stmt.scope;
    this.at = { line: stmt.line, column: stmt.column, length: stmt.op.text.length };
    this.failed = false;
    this.after.length = 0;
    this.guard = stmt.guard === null ? null : this.guardOf(stmt.guard);
  }

  finishResults(): void {
    for (const step of this.after) step();
    this.after.length = 0;
  }

  fail(): void {
    this.failed = true;
  }

  // --- emitting ----------------------------------------------------------------------------------------------------------

  emit(op: Opcode, ops: readonly Operand[], mods: readonly string[] = NO_MODS): void {
    this.out.emit(op, ops, mods, this.guard, this.at.line);
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

  // --- sources -------------------------------------------------------------------------------------------------------------

  private bad(): Operand {
    this.failed = true;
    return immOp(0);
  }

  /**
   * An integer or bit-pattern source of the type's width. A 16- or 8-bit one is a 32-bit register whose upper bits are zero (what `def` guarantees), so
   * nothing needs to be done for unsigned reading; signed reading of a narrow type is `readExtended`.
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
    if (o?.kind !== "name") return source;
    // A register wider than the type has more bits than the type.
    const register = this.registerOf(o);
    return register !== null && register.type.bits <= bits ? source : this.value("R", "I2I", [source], ["U32", `U${bits}`]);
  }

  private readName(o: NameAst, wide: boolean): Operand {
    const plain = o.offset === 0 ? this.plainRegister(o) : null;
    if (plain !== null) return this.widened(plain, wide);
    const meaning = this.meaningOf(o);
    switch (meaning.kind) {
      case "register":
        return o.offset === 0 ? this.widened(meaning.register, wide) : this.bad();
      case "special": {
        const { name, bits, changes } = meaning.special;
        const is64 = bits === 64;
        const source: Operand = { kind: "sreg", name };
        const mods = changes ? [String(bits)] : NO_MODS;
        return this.resized(this.value(is64 ? "RD" : "R", changes ? "CS2R" : "S2R", [source], mods), is64, wide);
      }
      case "variable":
        return this.addressOf(meaning.variable, o.offset);
      case "function":
        return this.functionAddress(o.name, o.offset);
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
    const symbol = this.text.layout.symbolOf(variable);
    if (symbol !== undefined) return { kind: "sym", name: symbol.name, offset };
    const home = this.homes.get(variable);
    return home?.kind === "bank" ? immOp(home.offset + offset) : this.bad();
  }

  private widened(register: PtxRegister, wide: boolean): Operand {
    const value = regOp(this.reg(register));
    const cls = classOf(register.type);
    return cls === "P" ? this.bad() : this.resized(value, cls === "RD", wide);
  }

  /** A value for a reader of 32 or 64 bits: extended by zeros, or its low word. */
  private resized(value: Operand, is64: boolean, wide: boolean): Operand {
    if (is64 === wide) return value;
    return wide ? this.value("RD", "I2I", [value], ["U64", "U32"]) : this.value("R", "UNPACK", [value], ["LO"]);
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
      default:
        return this.predicate(o, neg);
    }
  }

  private predicate(o: OperandAst | undefined, neg: boolean): Operand {
    const register = this.registerOf(o);
    return register?.type.kind === "pred" ? regOp(this.reg(register), { neg }) : this.bad();
  }

  // --- results -------------------------------------------------------------------------------------------------------------

  /**
   * The register to write a result of this type to. A register of less than 32 bits always has its value zero-extended: unless the result is `clean`
   * (zero above the type), the bits above are cleared after the instruction.
   */
  def(o: OperandAst | undefined, type: PtxType, state: ResultState = "clean"): Operand {
    const wide = type.bits > 32;
    if (o?.kind === "sink") return regOp(wide ? RDZ : RZ);
    const register = this.registerOf(o);
    if (register === null || register.type.kind === "pred") return this.bad();
    const cls = classOf(register.type);
    const d = regOp(this.reg(register));
    if (wide) return cls === "RD" ? d : this.bad();
    const declared = register.type.bits;
    const fits = state === "clean" || type.bits === 32 || (state === "extended" && declared >= 32);
    if (cls === "R" && fits) return d;
    const t = regOp(this.temp("R"));
    const sign = type.kind === "s" ? "S" : "U";
    this.after.push(() => {
      if (cls === "RD") this.emit("I2I", [d, t], [`${sign}64`, `${sign}${state === "dirty" ? type.bits : 32}`]);
      else if (declared < 32) this.emit("LOP", [d, t, immOp(declared === 16 ? 0xffff : 0xff)], ["AND"]);
      else this.emit("I2I", [d, t], [`${sign}32`, `${sign}${type.bits}`]);
    });
    return t;
  }

  /**
   * The register for a narrow result that the instruction itself extends, and how: by the type's sign only where the register is wider than the type. In one
   * of the type's own width the extension would be cut off again.
   */
  defExtended(o: OperandAst | undefined, type: PtxType): { readonly d: Operand; readonly sign: "S" | "U" } {
    const isSigned = type.kind === "s" && (this.registerOf(o)?.type.bits ?? 32) > type.bits;
    return { d: this.def(o, type, isSigned ? "extended" : "clean"), sign: isSigned ? "S" : "U" };
  }

  defPred(o: OperandAst | undefined): Operand {
    return o?.kind === "sink" ? regOp(PT) : this.predicate(o, false);
  }
}

/** An integer literal for a 32-bit reader: as written where it fits, else its low word. */
function word(value: number | bigint): number {
  const n = Number(value);
  if (n >= -0x80000000 && n <= 0xffffffff) return n;
  return Number(BigInt.asIntN(32, BigInt(value)));
}

/** A row of the lowering table: emits the instruction's Ori form, or calls `fail`. */
export type Row = (c: Lowering, op: OpSpelling, a: readonly OperandAst[]) => void;
