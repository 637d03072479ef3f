/** Predicates whose value is known where they are tested: PT, and the ones whose only definition is a constant compare. */

import type { ReachingDefs } from "../../analysis/reaching-defs.ts";
import { MOST_REACHING } from "../../analysis/reaching-merges.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { sameOperand } from "../../ir/visit.ts";

/** A known value and the reason, or why it is not known. */
export type Known =
  | {
      readonly value: boolean;
      readonly why: "constant register" | "constant compare" | "same operands" | "PMOV";
      readonly def: Inst | null;
    }
  | { readonly value: null; readonly why: string };

/**
 * The value of a predicate register right before instruction `at`. Accepted are PT and UPT, and registers that a single definition reaches, always
 * executed, which is
 * - `ISETP` of two integer immediates (RZ counts as 0), signed or unsigned, 32 or 64 bit;
 * - `ISETP` of an operand with itself, equal modifiers included: EQ, LE and GE are true, NE, LT and GT false;
 * - either with a third predicate that is PT or !PT, or that cannot matter any more (false AND q, true OR q);
 * - `PMOV` of PT or !PT.
 * Everything that needs a value to be carried over a move or an addition is left to GeneralOptimizeEarly.
 */
export function knownPredicate(defs: ReachingDefs, block: BlockId, at: number, r: Reg): Known {
  if (isConstantReg(r)) return { value: true, why: "constant register", def: null };
  const sites = defs.reachingAt(block, at, r);
  const site = sites[0];
  if (site === undefined || sites.length > 1) return { value: null, why: `${manyOf(sites.length)} definitions reach the test` };
  if (site.inst === null) return { value: null, why: site.param ? "it is a parameter" : "nothing defines it" };
  if (site.guarded) return { value: null, why: "its definition is guarded" };
  return valueOfDef(site.inst);
}

const manyOf = (count: number): string => (count > MOST_REACHING ? `more than ${MOST_REACHING}` : String(count));

function valueOfDef(inst: Inst): Known {
  if (inst.op === "PMOV") {
    const value = constantPredicate(inst.ops[1]);
    return value === null ? { value, why: "it is a copy of another predicate" } : { value, why: "PMOV", def: inst };
  }
  if (inst.op !== "ISETP") return { value: null, why: `${inst.op} defines it` };
  const [, a, b, q] = inst.ops;
  if (a === undefined || b === undefined) return { value: null, why: "the compare is incomplete" };
  const same = sameOperand(a, b) && a.kind === "reg";
  const compared = same ? compareEqual(inst) : compareImmediates(inst, a, b);
  if (compared === null) return { value: null, why: "its compare is not of two immediates, nor of a value with itself" };
  const value = combine(inst, compared, q);
  if (value === null) return { value, why: "the compare is combined with another predicate" };
  return { value, why: same ? "same operands" : "constant compare", def: inst };
}

function compareEqual(inst: Inst): boolean {
  return inst.mods[0] === "EQ" || inst.mods[0] === "LE" || inst.mods[0] === "GE";
}

function compareImmediates(inst: Inst, a: Operand, b: Operand): boolean | null {
  const x = immediate(a);
  const y = immediate(b);
  if (x === null || y === null) return null;
  const bits = inst.mods.includes("64") ? 64 : 32;
  const read = (v: bigint): bigint => (inst.mods.includes("U32") ? BigInt.asUintN(bits, v) : BigInt.asIntN(bits, v));
  const [l, r] = [read(x), read(y)];
  switch (inst.mods[0]) {
    case "EQ":
      return l === r;
    case "NE":
      return l !== r;
    case "LT":
      return l < r;
    case "LE":
      return l <= r;
    case "GT":
      return l > r;
    case "GE":
      return l >= r;
    default:
      return null;
  }
}

function immediate(operand: Operand): bigint | null {
  if (operand.kind === "imm") return BigInt(operand.value);
  if (operand.kind === "imm64") return operand.value;
  return operand.kind === "reg" && isConstantReg(operand.reg) && !isPredicateReg(operand.reg) && !operand.not ? 0n : null;
}

function combine(inst: Inst, compared: boolean, q: Operand | undefined): boolean | null {
  if (q === undefined) return compared;
  if (inst.mods.includes("AND") && !compared) return false;
  if (inst.mods.includes("OR") && compared) return true;
  const other = constantPredicate(q);
  if (other === null) return null;
  if (inst.mods.includes("OR")) return compared || other;
  return inst.mods.includes("XOR") ? compared !== other : compared && other;
}

function constantPredicate(operand: Operand | undefined): boolean | null {
  return operand?.kind === "reg" && isConstantReg(operand.reg) && isPredicateReg(operand.reg) ? !operand.neg : null;
}
