/** Replacing a use with a copy's source: what each kind of operand accepts, and why it may not be replaced. */

import { bankWithBase, bankWithSign, phiOp, withGuard, withNeg, withOps, withReg } from "../../../ir/copies.ts";
import type { Reg } from "../../../ir/ids.ts";
import { opcodeInfo } from "../../../ir/opcodes.ts";
import { is64, isConstantReg, isPredicateReg, isUniformReg, regClass } from "../../../ir/reg.ts";
import { operandProblem, slotsFor } from "../../../ir/shape.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { GUARD_INDEX, isDefOperand } from "../../../ir/visit.ts";
import type { ReasonsOf } from "../../../remark/rules.ts";
import { constantOf, literalKindAt, modified, operandFor } from "./constant.ts";
import type { UNFIT } from "./rules.ts";

/** Why a use keeps its register. */
export type Unfit = Exclude<ReasonsOf<typeof UNFIT>, "CopyPropPreAllocReg" | "decided-branch">;

export interface WriteOptions {
  readonly addresses: boolean;
  readonly constantBanks: boolean;
  readonly onlyRegisters: boolean;
  readonly noMatrixBank: boolean;
}

/** The instruction with every read of `r` in operand `index` (-1: the guard) replaced; or why not. */
export function replaceUse(inst: Inst, index: number, r: Reg, source: Operand, options: WriteOptions): Inst | Unfit {
  if (index === GUARD_INDEX) return replaceGuard(inst, source);
  const operand = inst.ops[index];
  if (operand === undefined || isDefOperand(inst, index)) return "operand-form";
  if (options.onlyRegisters && !othersAreRegisters(inst, index)) return "CopyPropNoWriteNonRR";
  switch (operand.kind) {
    case "reg":
      return replaceRegister(inst, index, operand, source, options);
    case "vec":
    case "list": {
      if (source.kind !== "reg" || isConstantReg(source.reg) || regClass(source.reg) !== regClass(r) || source.neg) return "register-group";
      const to = source.reg;
      return withOperand(inst, index, { kind: operand.kind, regs: operand.regs.map((reg) => (reg === r ? to : reg)) });
    }
    case "mem":
    case "cbank":
      return replaceAddress(inst, index, operand, r, source, options);
    case "phi": {
      if (operand.value.kind !== "reg" || operand.value.reg !== r) return "operand-form";
      const value = source.kind === "reg" || source.kind === "cbank" ? source : literalFor(inst, index, source, r);
      if (value === null) return "operand-form";
      if (value.kind === "cbank" && !options.constantBanks) return "CopyPropConstantBank";
      if (value.kind === "reg" && isUniformReg(value.reg) !== isUniformReg(r) && !isConstantReg(value.reg)) return "uniform";
      const changed = combinePredicate(operand.value, value);
      return withOperand(inst, index, phiOp(operand.pred, changed));
    }
    default:
      return "operand-form";
  }
}

/** Removes a double complement of a predicate; anything else is unchanged. */
function combinePredicate(use: Operand, source: Operand): Operand {
  if (use.kind !== "reg" || source.kind !== "reg" || !isPredicateReg(source.reg)) return source;
  return withNeg(source, source.neg !== use.neg);
}

function replaceGuard(inst: Inst, source: Operand): Inst | Unfit {
  if (inst.guard === null || source.kind !== "reg" || !isPredicateReg(source.reg)) return "operand-form";
  return withGuard(inst, { reg: source.reg, neg: inst.guard.neg !== source.neg });
}

type RegOperand = Operand & { kind: "reg" };

function replaceRegister(inst: Inst, index: number, use: RegOperand, source: Operand, options: WriteOptions): Inst | Unfit {
  // A table's index stays a register: a constant one is no longer a table, which is for other phases to decide.
  if ((inst.op === "JMX" || inst.op === "BRX") && (source.kind !== "reg" || isConstantReg(source.reg))) return "table-index";
  if (source.kind === "reg") {
    if (isPredicateReg(use.reg)) return checked(inst, index, combinePredicate(use, source));
    if (uniformClash(inst, index, use.reg, source.reg)) return "uniform";
    return checked(inst, index, withReg(use, source.reg));
  }
  if (source.kind === "cbank") {
    if (!options.constantBanks) return "CopyPropConstantBank";
    if (options.noMatrixBank && isMatrix(inst)) return "CopyPropNoMmaCb";
    if (use.not) return "operand-form";
    if (inst.ops.some((o, i) => i !== index && (o.kind === "cbank" || (o.kind === "reg" && isUniformReg(o.reg)))))
      return "one-constant-bank";
    return checked(inst, index, bankWithSign(source, use.neg, use.abs));
  }
  const literal = literalFor(inst, index, source, use.reg, use);
  return literal === null ? "operand-form" : checked(inst, index, literal);
}

/** A literal as the slot needs it written, modifiers applied. */
function literalFor(inst: Inst, index: number, source: Operand, r: Reg, use?: RegOperand): Operand | null {
  const c = constantOf(source, is64(r));
  if (c === null) return null;
  const kind = literalKindAt(inst, index);
  if (kind === "bits" && (use === undefined || (!use.neg && !use.abs && !use.not))) return source;
  return operandFor(use === undefined ? c : modified(c, use, kind), kind);
}

function checked(inst: Inst, index: number, operand: Operand): Inst | Unfit {
  const slot = slotsFor(inst.op, inst.ops.length)?.[index];
  if (slot === undefined || operandProblem(inst.op, inst.mods, slot, index, operand, inst.ops[0]) !== null) return "operand-form";
  return withOperand(inst, index, operand);
}

function withOperand(inst: Inst, index: number, operand: Operand): Inst {
  const ops = inst.ops.slice();
  ops[index] = operand;
  return withOps(inst, ops);
}

/**
 * The uniform datapath reads uniform registers only; the vector one takes a single uniform register, and not where a value crosses lanes or is stored.
 * Not stated in the reference.
 */
function uniformClash(inst: Inst, index: number, from: Reg, to: Reg): boolean {
  if (isConstantReg(to) || isUniformReg(from) === isUniformReg(to)) return false;
  if (isUniformReg(from)) return inst.ops.some((o, i) => isDefOperand(inst, i) && o.kind === "reg" && isUniformReg(o.reg));
  if (opcodeInfo(inst.op).family === "memory" || opcodeInfo(inst.op).family === "warp" || opcodeInfo(inst.op).family === "control")
    return true;
  return inst.ops.some(
    (o, i) => i !== index && !isDefOperand(inst, i) && (o.kind === "cbank" || (o.kind === "reg" && isUniformReg(o.reg))),
  );
}

function replaceAddress(
  inst: Inst,
  index: number,
  operand: Operand & { kind: "mem" | "cbank" },
  r: Reg,
  source: Operand,
  options: WriteOptions,
): Inst | Unfit {
  if (!options.addresses) return "CopyPropAddr";
  if (source.kind === "reg" && !isConstantReg(source.reg)) {
    if (regClass(source.reg) !== regClass(r)) return "uniform";
    const to = source.reg;
    const swap = (reg: Reg | null): Reg | null => (reg === r ? to : reg);
    return withOperand(
      inst,
      index,
      operand.kind === "mem"
        ? { kind: "mem", base: swap(operand.base), index: swap(operand.index), offset: operand.offset }
        : bankWithBase(operand, swap(operand.base), operand.offset),
    );
  }
  const c = constantOf(source, is64(r));
  if (c === null || c.kind === "pred") return "operand-form";
  if (operand.base !== r || (operand.kind === "mem" && operand.index !== null)) return "operand-form";
  const address = c.kind === "w32" ? (c.lo + operand.offset) >>> 0 : c.hi * 0x1_0000_0000 + c.lo + operand.offset;
  // Bases wrap at their width, absolute addresses do not.
  if (!Number.isSafeInteger(address) || address < 0) return "address-range";
  if (operand.kind === "cbank") {
    if (address > 0xfffc || address % 4 !== 0) return "address-range";
    return withOperand(inst, index, bankWithBase(operand, null, address));
  }
  return withOperand(inst, index, { kind: "mem", base: null, index: operand.index, offset: address });
}

function othersAreRegisters(inst: Inst, index: number): boolean {
  return inst.ops.every((o, i) => i === index || isDefOperand(inst, i) || o.kind === "reg");
}

/** No modelled opcode is a matrix one; a kept instruction is known by its text. */
function isMatrix(inst: Inst): boolean {
  const text = inst.ops[2];
  return inst.op === "OPAQUE" && text?.kind === "text" && /mma/i.test(text.text);
}
