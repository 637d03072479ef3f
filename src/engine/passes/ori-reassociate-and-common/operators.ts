/** The operations that can be reassociated, read from and written as instructions of the model. */

import { bankWithSign, withForm, withNeg } from "../../ir/copies.ts";
import type { InstId, Reg } from "../../ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, regClass, UPT } from "../../ir/reg.ts";
import type { Func, Inst, Operand } from "../../ir/types.ts";
import { printOperand } from "../../text/print-operand.ts";

/** The five of the reference; `SUB` and `NEG` are what an ADD tree takes in. */
export type OperatorName = "ADD" | "MUL" | "AND" | "OR" | "XOR" | "SUB" | "NEG";

/** One instruction as a node of an expression tree. */
export interface Operator {
  readonly name: OperatorName;
  /** What makes two nodes parts of one tree: operation, width and class of the result. SUB and NEG have the key of their ADD. */
  readonly key: string;
  readonly dest: Reg;
  /** Indices of its sources in `Inst.ops`. */
  readonly sources: readonly number[];
}

const LOGIC: Readonly<Record<string, OperatorName>> = { AND: "AND", OR: "OR", XOR: "XOR" };
/** PLOP3 tables that ignore the third input's value: it must be PT. */
const PREDICATE_TABLES: ReadonlyMap<number, OperatorName> = new Map([
  [0xc0, "AND"],
  [0xfc, "OR"],
  [0x3c, "XOR"],
]);

/** Null for everything else; guards are ignored. Floats are never included: their rounding depends on the order. */
export function operatorOf(inst: Inst): Operator | null {
  switch (inst.op) {
    case "IADD":
    case "ISUB":
    case "INEG":
    case "IMUL":
    case "LOP":
    case "PLOP3":
      return nodeOf(inst);
    default:
      return null;
  }
}

const BOTH: readonly number[] = [1, 2];
const FIRST: readonly number[] = [1];

function nodeOf(inst: Inst): Operator | null {
  const { mods, ops } = inst;
  const dest = ops[0];
  if (dest?.kind !== "reg" || isConstantReg(dest.reg)) return null;
  const wide = mods.includes("64");
  switch (inst.op) {
    case "IADD":
      return node("ADD", wide ? "ADD.64" : "ADD", dest.reg, BOTH);
    case "ISUB":
      return node("SUB", wide ? "ADD.64" : "ADD", dest.reg, BOTH);
    case "INEG":
      return node("NEG", wide ? "ADD.64" : "ADD", dest.reg, FIRST);
    case "IMUL":
      // The low half of a product is the same for signed and unsigned factors.
      if (mods.includes("HI") || mods.includes("WIDE")) return null;
      return node("MUL", wide ? "MUL.64" : "MUL", dest.reg, BOTH);
    case "LOP": {
      const name = LOGIC[mods[0] ?? ""];
      return name === undefined ? null : node(name, wide ? `${name}.64` : name, dest.reg, BOTH);
    }
    case "PLOP3": {
      const [, , , third, table] = ops;
      const name = table?.kind === "imm" ? PREDICATE_TABLES.get(table.value) : undefined;
      const isTrue = third?.kind === "reg" && (third.reg === PT || third.reg === UPT) && !third.neg;
      return name !== undefined && isTrue ? node(name, `P.${name}`, dest.reg, BOTH) : null;
    }
    default:
      return null;
  }
}

/** By tree and class of the result. Each key is made once: they are compared all the time. */
const keys = new Map<string, string[]>();

function node(name: OperatorName, tree: string, dest: Reg, sources: readonly number[]): Operator {
  const byClass = keys.get(tree) ?? [];
  if (byClass.length === 0) keys.set(tree, byClass);
  byClass[dest & 7] ??= `${tree}:${regClass(dest)}`;
  return { name, key: byClass[dest & 7] as string, dest, sources };
}

/** `proto` with another result and other sources: the same operation. An ADD is written for a SUB. */
export function rewritten(proto: Inst, dest: Reg, left: Operand, right: Operand): Inst {
  const [, , , ...rest] = proto.ops;
  return withForm(proto, proto.op === "ISUB" ? "IADD" : proto.op, proto.mods, [registerOperand(dest), left, right, ...rest]);
}

export function registerOperand(reg: Reg): Operand {
  return { kind: "reg", reg, neg: false, abs: false, not: false };
}

/** `-operand` as an operand of an integer addition; null when it can't be written. */
export function negated(operand: Operand): Operand | null {
  switch (operand.kind) {
    case "reg":
      if (operand.not) return null;
      return isConstantReg(operand.reg) ? operand : withNeg(operand, !operand.neg);
    case "imm":
      return { kind: "imm", value: operand.value === 0 ? 0 : -operand.value };
    case "imm64":
      return { kind: "imm64", value: -operand.value };
    case "cbank":
      return bankWithSign(operand, !operand.neg, operand.abs);
    default:
      return null;
  }
}

export function isConstantOperand(operand: Operand): boolean {
  return operand.kind !== "reg" || isConstantReg(operand.reg);
}

/** An immediate that needs more than 32 bits. */
export function isLargeImmediate(operand: Operand): boolean {
  return operand.kind === "imm64" || (operand.kind === "imm" && (operand.value > 0xffffffff || operand.value < -0x80000000));
}

/** The operand as written among an instruction's sources. */
export function operandText(fn: Func, operand: Operand): string {
  const op = isPredicateOperand(operand) ? "PMOV" : "IADD";
  return printOperand(fn, { id: 0 as InstId, op, mods: [], guard: null, ops: [operand, operand], line: 0, trivia: null }, 1);
}

function isPredicateOperand(operand: Operand): boolean {
  return operand.kind === "reg" && isPredicateReg(operand.reg);
}
