/** Constants as bits: the value of a literal, RZ or PT where it is read, and how a value is written elsewhere. */

import { withForm } from "../../../ir/copies.ts";
import type { Opcode } from "../../../ir/opcodes.ts";
import { isConstantReg, isPredicateReg, PT, UPT } from "../../../ir/reg.ts";
import { type LiteralKind, literalKind, slotsFor } from "../../../ir/shape.ts";
import type { Inst, Operand } from "../../../ir/types.ts";

/** A known value: a predicate, 32 bits (`hi` is 0), or 64 bits. Words are unsigned. */
export type Constant =
  | { readonly kind: "pred"; readonly value: boolean }
  | { readonly kind: "w32"; readonly lo: number }
  | { readonly kind: "w64"; readonly lo: number; readonly hi: number };

/** Source modifiers of a register operand. */
export interface Modifiers {
  readonly neg: boolean;
  readonly abs: boolean;
  readonly not: boolean;
}

/** The value of an operand that is a literal, RZ or PT (`wide`: it is read as 64 bits); null for anything else. Modifiers are not applied. */
export function constantOf(operand: Operand, wide: boolean): Constant | null {
  switch (operand.kind) {
    case "reg":
      if (!isConstantReg(operand.reg)) return null;
      if (isPredicateReg(operand.reg)) return { kind: "pred", value: operand.neg === operand.not };
      return word(0, 0, wide);
    case "imm":
      return word(operand.value, Math.floor(operand.value / 0x1_0000_0000), wide);
    case "imm64":
      return word(Number(operand.value & 0xffff_ffffn), Number((operand.value >> 32n) & 0xffff_ffffn), wide);
    case "f32":
      return wide ? null : word(operand.bits, 0, false);
    case "f64":
      return wide ? word(operand.lo, operand.hi, true) : null;
    default:
      return null;
  }
}

const word = (lo: number, hi: number, wide: boolean): Constant =>
  wide ? { kind: "w64", lo: lo >>> 0, hi: hi >>> 0 } : { kind: "w32", lo: lo >>> 0 };

/** The constant that is read by `-x`, `|x|`, `~x` as a slot of that literal kind reads it (interp/builder.ts applies them at run time). */
export function modified(c: Constant, mods: Modifiers, kind: LiteralKind): Constant {
  if (!mods.neg && !mods.abs && !mods.not) return c;
  switch (c.kind) {
    case "pred":
      return { kind: "pred", value: mods.neg !== mods.not ? !c.value : c.value };
    case "w32": {
      if (kind === "bits") {
        let v = mods.not ? ~c.lo : c.lo | 0;
        if (mods.abs && v < 0) v = -v;
        return { kind: "w32", lo: (mods.neg ? -v : v) >>> 0 };
      }
      const sign = kind === "f16x2" ? 0x8000_8000 : 0x8000_0000;
      const magnitude = mods.abs ? c.lo & ~sign : c.lo;
      return { kind: "w32", lo: (mods.neg ? magnitude ^ sign : magnitude) >>> 0 };
    }
    case "w64": {
      if (kind !== "bits") {
        const magnitude = mods.abs ? c.hi & 0x7fff_ffff : c.hi;
        return { kind: "w64", lo: c.lo, hi: (mods.neg ? magnitude ^ 0x8000_0000 : magnitude) >>> 0 };
      }
      const value = signed64(c);
      const inverted = mods.not ? ~value : value;
      const positive = mods.abs && inverted < 0n ? -inverted : inverted;
      const result = mods.neg ? -positive : positive;
      return { kind: "w64", lo: Number(result & 0xffff_ffffn), hi: Number((result >> 32n) & 0xffff_ffffn) };
    }
  }
}

const signed64 = (c: Constant & { kind: "w64" }): bigint => BigInt.asIntN(64, (BigInt(c.hi) << 32n) | BigInt(c.lo));

/** A literal (or PT) for a slot of that kind. Integers are written signed. */
export function operandFor(c: Constant, kind: LiteralKind): Operand {
  switch (c.kind) {
    case "pred":
      return { kind: "reg", reg: PT, neg: !c.value, abs: false, not: false };
    case "w32":
      return kind === "f32" ? { kind: "f32", bits: c.lo } : { kind: "imm", value: c.lo | 0 };
    case "w64": {
      if (kind === "f64") return { kind: "f64", hi: c.hi, lo: c.lo };
      const value = signed64(c);
      const small = Number(value);
      return Number.isSafeInteger(small) ? { kind: "imm", value: small } : { kind: "imm64", value };
    }
  }
}

/** How a literal in operand `index` of the instruction is read. */
export function literalKindAt(inst: Inst, index: number): LiteralKind {
  const slot = slotsFor(inst.op, inst.ops.length)?.[index];
  return slot === undefined ? "bits" : literalKind(inst.op, inst.mods, slot);
}

/** The copy of a known value into a register: MOV, or PMOV for a predicate. `type` chooses how the literal is written. */
export function constantMove(inst: Inst, dest: Operand & { kind: "reg" }, c: Constant, type: LiteralKind): Inst {
  const op: Opcode = c.kind === "pred" ? "PMOV" : "MOV";
  return withForm(inst, op, [], [dest, operandFor(c, type)]);
}

/** True for PT and UPT, negated or not. */
export function isConstantPredicate(operand: Operand): boolean {
  return operand.kind === "reg" && (operand.reg === PT || operand.reg === UPT);
}
