/** Operands of a listing as Ori operands; null wherever Ori has no such form, so that the instruction stays opaque. */

import { regOp } from "../../../../engine/ir/builder.ts";
import type { Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, RZ, reg, regClass, regIndex, UPT } from "../../../../engine/ir/reg.ts";
import type { Operand } from "../../../../engine/ir/types.ts";
import type { SassOperand } from "../ast.ts";

/** A 32-bit integer source: register with `-` or `~`, number, constant. */
export function intSource(o: SassOperand | undefined): Operand | null {
  switch (o?.kind) {
    case "reg":
      if (!isGeneral(o.reg) || o.suffix.length > 0 || o.abs || o.inv || (o.neg && o.not)) return null;
      return isConstantReg(o.reg) && !o.not ? regOp(o.reg) : regOp(o.reg, { neg: o.neg, not: o.not });
    case "num":
      // Listings print bits; as signed numbers equal values are equal operands.
      return o.integer && Math.abs(o.value) <= 0xffffffff ? { kind: "imm", value: o.value | 0 } : null;
    case "cbank":
      return o.not || o.abs ? null : bankOperand(o);
    default:
      return null;
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** A single: register with `-` and `|x|`, number (hexadecimal digits are bits), constant. */
export function floatSource(o: SassOperand | undefined): Operand | null {
  switch (o?.kind) {
    case "reg":
      if (!isGeneral(o.reg) || o.suffix.length > 0 || o.not || o.inv) return null;
      return regOp(o.reg, { neg: o.neg, abs: o.abs });
    case "num":
      if (o.hex) return { kind: "f32", bits: o.value >>> 0 };
      scratch.setFloat32(0, o.value);
      return { kind: "f32", bits: scratch.getUint32(0) };
    case "word": {
      const bits = { QNAN: 0x7fffffff, "+QNAN": 0x7fffffff, "-QNAN": 0xffc00000, SNAN: 0x7fbfffff, "+SNAN": 0x7fbfffff }[o.text];
      return bits === undefined ? null : { kind: "f32", bits };
    }
    case "cbank":
      return o.not ? null : bankOperand(o);
    default:
      return null;
  }
}

/** A source predicate, `!` and all. */
export function predSource(o: SassOperand | undefined): Operand | null {
  if (o?.kind !== "reg" || !isPredicateReg(o.reg) || o.neg || o.abs || o.not || o.suffix.length > 0) return null;
  return regOp(o.reg, { neg: o.inv });
}

/** A plain register to define. */
export function definition(o: SassOperand | undefined): Operand | null {
  if (o?.kind !== "reg" || o.neg || o.abs || o.not || o.inv || o.suffix.length > 0) return null;
  return regOp(o.reg);
}

/** True for PT and UPT without `!`. */
export function isTrue(o: SassOperand | undefined): boolean {
  return o?.kind === "reg" && (o.reg === PT || o.reg === UPT) && !o.inv;
}

/** True for `!PT`, `!UPT`. */
export function isFalse(o: SassOperand | undefined): boolean {
  return o?.kind === "reg" && (o.reg === PT || o.reg === UPT) && o.inv;
}

export function isZero(o: SassOperand | undefined): boolean {
  return (o?.kind === "reg" && isConstantReg(o.reg) && isGeneral(o.reg) && !o.not) || (o?.kind === "num" && o.value === 0);
}

/** `c[0x3][R4+0x10]`; banks named by a register have no Ori form. */
export function bankOperand(o: SassOperand & { kind: "cbank" }): Operand | null {
  const [base, ...more] = o.parts;
  if (o.bank === null || o.suffix.length > 0 || more.length > 0 || (base !== undefined && base.suffix.length > 0)) return null;
  return {
    kind: "cbank",
    bank: o.bank,
    base: base === undefined || isConstantReg(base.reg) ? null : base.reg,
    offset: o.offset,
    neg: o.neg,
    abs: o.abs,
  };
}

/** An address of 32 bits: `[R2+UR4+0x10]`. */
export function shortAddress(o: SassOperand | undefined): Operand | null {
  if (o?.kind !== "mem" || o.desc.length > 0 || o.gdesc || o.parts.some((p) => p.suffix.length > 0)) return null;
  const regs = o.parts.map((p) => p.reg).filter((r) => !isConstantReg(r));
  if (regs.length > 2) return null;
  return { kind: "mem", base: regs[0] ?? null, index: regs[1] ?? null, offset: o.offset };
}

/** The data of an access of `bits` bits: one register, or the run of them as a vector. */
export function dataRun(o: SassOperand | undefined, bits: number): Operand | null {
  if (o?.kind !== "reg" || !isGeneral(o.reg) || o.neg || o.abs || o.not || o.inv || o.suffix.length > 0) return null;
  if (bits === 32) return regOp(o.reg);
  const regs: Reg[] = [];
  for (let i = 0; i < bits / 32; i++) regs.push(isConstantReg(o.reg) ? RZ : reg(regClass(o.reg), regIndex(o.reg) + i));
  return { kind: "vec", regs };
}

export function isGeneral(r: Reg): boolean {
  const cls = regClass(r);
  return cls === "R" || cls === "UR";
}
