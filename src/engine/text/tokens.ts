/** An instruction as pieces of text for views: the texts of the tokens, joined, are `printInst`. */

import type { Reg } from "../ir/ids.ts";
import { isPredicateReg, regName } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { isDefOperand } from "../ir/visit.ts";
import { addressReg, labelText, printOperand } from "./print-operand.ts";
import { guardText, mnemonicText } from "./printer.ts";
import type { Token } from "./token.ts";

export function tokenizeInst(fn: Func, inst: Inst): Token[] {
  const tokens: Token[] = [];
  if (inst.guard !== null) {
    tokens.push({ text: guardText(inst.guard), kind: "guard", operand: -1, regs: [regName(inst.guard.reg)], def: false }, punct(" "));
  }
  tokens.push({ text: mnemonicText(inst), kind: "mnemonic", operand: null, regs: [], def: false });
  for (let i = 0; i < inst.ops.length; i++) {
    tokens.push(punct(i === 0 ? " " : ", "));
    const operand = inst.ops[i];
    if (operand !== undefined) operandTokens(fn, inst, operand, i, tokens);
  }
  return tokens;
}

function operandTokens(fn: Func, inst: Inst, operand: Operand, index: number, tokens: Token[]): void {
  const def = isDefOperand(inst, index);
  if (operand.kind === "vec" || operand.kind === "list") {
    tokens.push(punct("{"));
    for (const [i, r] of operand.regs.entries()) {
      if (i > 0) tokens.push(punct(", "));
      tokens.push({ text: addressReg(r), kind: regKind(r), operand: index, regs: [regName(r)], def });
    }
    tokens.push(punct("}"));
    return;
  }
  const text = printOperand(fn, inst, index);
  if (operand.kind === "phi") {
    const label = labelText(fn, operand.pred);
    const value = text.slice(label.length + 3, -1);
    tokens.push(punct("["), { text: label, kind: "label", operand: index, regs: [], def: false }, punct(": "));
    tokens.push({ text: value, kind: kindOf(operand.value), operand: index, regs: regsOf(operand.value), def: false }, punct("]"));
    return;
  }
  tokens.push({ text, kind: kindOf(operand), operand: index, regs: regsOf(operand), def: def && operand.kind === "reg" });
}

function punct(text: string): Token {
  return { text, kind: "punct", operand: null, regs: [], def: false };
}

function regKind(r: Reg): "reg" | "pred" {
  return isPredicateReg(r) ? "pred" : "reg";
}

function kindOf(operand: Operand): Token["kind"] {
  switch (operand.kind) {
    case "reg":
      return regKind(operand.reg);
    case "imm":
    case "imm64":
    case "f32":
    case "f64":
      return "number";
    case "mem":
    case "cbank":
      return "memory";
    case "sreg":
      return "special";
    case "label":
    case "phi":
      return "label";
    case "table":
      return "table";
    case "text":
      return "text";
    case "sym":
      return "special";
    case "vec":
    case "list":
      return "reg";
  }
}

function regsOf(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case "reg":
      return [regName(operand.reg)];
    case "mem":
      return [operand.base, operand.index].flatMap((r) => (r === null ? [] : [regName(r)]));
    case "cbank":
      return operand.base === null ? [] : [regName(operand.base)];
    default:
      return [];
  }
}
