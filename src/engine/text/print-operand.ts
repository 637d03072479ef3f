/** One operand as text. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg, RDZ, regName } from "../ir/reg.ts";
import { literalKind, slotsFor, widthOf } from "../ir/shape.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { f32Text, f64Text, hexText, offsetText, quotedText } from "./literals.ts";

/** Operations on bit patterns: their integers read better in hexadecimal. */
const HEX_OPS = new Set(["LOP", "LOP3", "PLOP3", "PRMT", "R2P", "P2R", "WARPSYNC", "HADD2", "HMUL2", "HFMA2", "HSETP2"]);

/** The label of a block; a block that is gone has a name that no text can have. */
export function labelText(fn: Func, block: BlockId): string {
  return fn.blocks[block]?.label ?? `<block ${block}>`;
}

/** Operand `index` of an instruction of `fn`, canonical. */
export function printOperand(fn: Func, inst: Inst, index: number): string {
  const operand = inst.ops[index];
  return operand === undefined ? "" : operandText(fn, inst, operand, index);
}

function operandText(fn: Func, inst: Inst, operand: Operand, index: number): string {
  switch (operand.kind) {
    case "reg": {
      const name = regName(operand.reg);
      if (!operand.neg && !operand.abs && !operand.not) return name;
      const code = operand.reg & 7;
      if (code === 2 || code === 4) return operand.neg ? `!${name}` : name;
      return signed(operand.abs ? `|${name}|` : operand.not ? `~${name}` : name, operand.neg);
    }
    case "imm":
      return HEX_OPS.has(inst.op) && Math.abs(operand.value) > 9 ? hexText(operand.value) : String(operand.value);
    case "imm64":
      return operand.value < 0n ? `-0x${(-operand.value).toString(16)}` : `0x${operand.value.toString(16)}`;
    case "f32":
      return f32Text(operand.bits, decimalKind(inst, index) === "f32");
    case "f64":
      return f64Text(operand.hi, operand.lo, decimalKind(inst, index) === "f64");
    case "cbank": {
      const base = operand.base === null ? hexText(operand.offset) : `${addressReg(operand.base)}${offsetText(operand.offset)}`;
      const text = `c[${hexText(operand.bank)}][${base}]`;
      return signed(operand.abs ? `|${text}|` : text, operand.neg);
    }
    case "mem": {
      if (operand.base === null) return `[${hexText(operand.offset)}]`;
      const indexed = operand.index === null ? "" : `+${addressReg(operand.index)}`;
      return `[${addressReg(operand.base)}${indexed}${offsetText(operand.offset)}]`;
    }
    case "sreg":
    case "table":
      return operand.name;
    case "label":
      return labelText(fn, operand.block);
    case "vec":
    case "list":
      return `{${operand.regs.map(addressReg).join(", ")}}`;
    case "text":
      return quotedText(operand.text);
    case "sym":
      return operand.offset === 0 ? operand.name : `${operand.name}${operand.offset < 0 ? "" : "+"}${operand.offset}`;
    case "phi":
      return `[${labelText(fn, operand.pred)}: ${operandText(fn, inst, operand.value, index)}]`;
  }
}

function signed(text: string, neg: boolean): string {
  return neg ? `-${text}` : text;
}

/** Where nothing shows the width of RZ, the 64-bit one is written by its own name. */
export function addressReg(r: Reg): string {
  return r === RDZ && isConstantReg(r) ? "RDZ" : regName(r);
}

/** The kind that a decimal float has at this place. */
function decimalKind(inst: Inst, index: number): "f32" | "f64" | "none" {
  const slot = slotsFor(inst.op, inst.ops.length)?.[index];
  if (slot === undefined) return "none";
  const kind = literalKind(inst.op, inst.mods, slot);
  if (kind === "f32" || kind === "f64") return kind;
  if (kind === "f16x2") return "none";
  return widthOf(inst.op, inst.mods, slot, index, inst.ops[0]) === 64 ? "f64" : "f32";
}
