/** Collects the Ori instructions that one instruction of a listing becomes, with temporaries for values in register pairs. */

import { regOp } from "../../../../engine/ir/builder.ts";
import type { Reg } from "../../../../engine/ir/ids.ts";
import type { Opcode } from "../../../../engine/ir/opcodes.ts";
import { isConstantReg, RDZ, RZ, reg, regClass, regIndex } from "../../../../engine/ir/reg.ts";
import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassOperand } from "../ast.ts";
import { bankOperand, definition, intSource, isGeneral } from "./operands.ts";
import type { OriForm } from "./rows.ts";

/** Makes a register that the listing does not name; `CC`: the carry flag of targets before sm_70, the same each time. */
export type Fresh = (cls: "R" | "RD" | "P" | "CC") => Reg;

/** Registers of a listing end below this. */
const LAST_REGISTER = 254;

export const ZERO: Operand = regOp(RZ);

type RegisterOperand = Extract<Operand, { kind: "reg" }>;

/** An operand that has no Ori form is kept as null; `accept` then refuses the whole. */
export class Pieces {
  readonly forms: OriForm[] = [];
  private readonly fresh: Fresh;

  constructor(fresh: Fresh) {
    this.fresh = fresh;
  }

  emit(op: Opcode, ops: readonly (Operand | null)[], mods: readonly string[] = []): void {
    this.forms.push({ op, ops, mods });
  }

  /** A fresh register. */
  own(cls: "R" | "RD" | "P"): RegisterOperand {
    return { kind: "reg", reg: this.fresh(cls), neg: false, abs: false, not: false };
  }

  /** The carry flag of targets before sm_70. */
  get flag(): RegisterOperand {
    return { kind: "reg", reg: this.fresh("CC"), neg: false, abs: false, not: false };
  }

  /** Emits with a fresh destination and returns it. */
  temp(cls: "R" | "RD" | "P", op: Opcode, ops: readonly (Operand | null)[], mods: readonly string[] = []): RegisterOperand {
    const target = this.own(cls);
    this.emit(op, [target, ...ops], mods);
    return target;
  }

  /** A source of 64 bits: a pair packed, a constant as written, zero. `signs`: `-` and `|x|` may be there. */
  pair(o: SassOperand | undefined, signs: "none" | "neg" | "float" = "none"): Operand | null {
    if (o?.kind === "cbank") return o.not || o.neg || o.abs ? null : bankOperand(o);
    if (o?.kind === "num") return signs === "float" ? double(o) : o.integer && o.value === 0 ? regOp(RDZ) : null;
    if (o?.kind !== "reg" || !isGeneral(o.reg) || o.not || o.inv || o.suffix.some((s) => s !== "64")) return null;
    if ((o.neg && signs === "none") || (o.abs && signs !== "float")) return null;
    const [lo, hi] = halves(o.reg) ?? [null, null];
    if (lo === null || hi === null) return null;
    const packed = isConstantReg(o.reg) ? RDZ : this.temp("RD", "PACK", [regOp(lo), regOp(hi)]).reg;
    return regOp(packed, { neg: o.neg, abs: o.abs });
  }

  /** As `pair`, with whole numbers: they are extended by their sign. */
  pairOrNumber(o: SassOperand | undefined, signs: "none" | "neg" = "none"): Operand | null {
    if (o?.kind !== "num" || o.value === 0) return this.pair(o, signs);
    return o.integer && Math.abs(o.value) <= 0x7fffffff ? { kind: "imm", value: o.value } : null;
  }

  /** Splits a 64-bit value over the pair that `o` names. */
  unpack(o: SassOperand | undefined, value: Operand): void {
    const d = definition(o);
    const [lo, hi] = (d?.kind === "reg" && isGeneral(d.reg) && !isConstantReg(d.reg) ? halves(d.reg) : null) ?? [null, null];
    this.emit("UNPACK", [lo === null ? null : regOp(lo), value], ["LO"]);
    this.emit("UNPACK", [hi === null ? null : regOp(hi), value], ["HI"]);
  }

  /** 1 or 0. */
  bit(p: Operand | null): Operand {
    return this.temp("R", "SEL", [{ kind: "imm", value: 1 }, ZERO, p]);
  }

  /** A global address, `[R2.64+UR4+0x8]`: pairs unless `.U32` is given. The descriptor before it does not affect what a program computes. */
  address(o: SassOperand | undefined): Operand | null {
    if (o?.kind !== "mem" || o.gdesc) return null;
    const parts: Reg[] = [];
    for (const part of o.parts) {
      if (isConstantReg(part.reg)) continue;
      const whole = part.suffix.every((s) => s === "64");
      if (!isGeneral(part.reg) || (!whole && part.suffix.join() !== "U32")) return null;
      const [lo, hi] = whole ? (halves(part.reg) ?? [null, null]) : [part.reg, RZ];
      if (lo === null || hi === null) return null;
      parts.push(this.temp("RD", "PACK", [regOp(lo), regOp(hi)]).reg);
    }
    return parts.length > 2 ? null : { kind: "mem", base: parts[0] ?? null, index: parts[1] ?? null, offset: o.offset };
  }

  /** A 32-bit address with one scaled register, `[R6.X4+0x10]`. */
  scaledAddress(o: SassOperand | undefined): Operand | null {
    if (o?.kind !== "mem" || o.gdesc || o.desc.length > 0 || o.parts.length > 2) return null;
    const regs: Reg[] = [];
    for (const { reg: r, suffix } of o.parts) {
      if (isConstantReg(r)) continue;
      const by = suffix.length === 0 ? 0 : suffix.length === 1 ? SCALES.indexOf(suffix[0] ?? "") : -1;
      if (!isGeneral(r) || by < 0) return null;
      regs.push(by === 0 ? r : this.temp("R", "SHL", [regOp(r), { kind: "imm", value: by }]).reg);
    }
    return { kind: "mem", base: regs[0] ?? null, index: regs[1] ?? null, offset: o.offset };
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** A double as listings print it: in decimal, with as many digits as it takes. */
function double(o: SassOperand & { kind: "num" }): Operand | null {
  if (o.hex) return null;
  scratch.setFloat64(0, o.value);
  return { kind: "f64", hi: scratch.getUint32(0), lo: scratch.getUint32(4) };
}

/** By the shift they mean. */
const SCALES = ["", "X2", "X4", "X8", "X16"];

/** The two registers of a pair; null past the last register. */
export function halves(r: Reg): readonly [lo: Reg, hi: Reg] | null {
  if (isConstantReg(r)) return [RZ, RZ];
  return regIndex(r) < LAST_REGISTER ? [r, reg(regClass(r), regIndex(r) + 1)] : null;
}

/** A 32-bit source without `-` and `~`. */
export function bareSource(o: SassOperand | undefined): Operand | null {
  return o !== undefined && "neg" in o && (o.neg || o.not) ? null : intSource(o);
}
