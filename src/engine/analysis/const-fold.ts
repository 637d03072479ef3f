/** Level 2 of constant handling, one instruction at a time: what it may become once its inputs are in place. */

import type { BlockId } from "../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { sameOperand } from "../ir/visit.ts";
import { evaluate, hasConstantInputs, isFloatOp, isFoldable } from "./const-eval.ts";
import { constantMove, constantOf, isConstantPredicate } from "./const-operand.ts";
import { reducePlop3 } from "./const-plop3.ts";

/** How an instruction was simplified; its name is a fact of the event. */
export type FoldRule =
  | "all-constant"
  | "known-select"
  | "equal-select"
  | "self-compare"
  | "known-compare"
  | "known-predicate"
  | "truth-table"
  | "equal-phi";

export interface Folded {
  readonly inst: Inst;
  readonly rule: FoldRule;
  /** Half a sentence: why this is the same. */
  readonly why: string;
}

export interface FoldOptions {
  /** `limit-fold-fp`: float instructions are not evaluated. */
  readonly limitFp: boolean;
  /** The result of SEL and FSEL may be simplified (level 1 marked it). */
  readonly selects: boolean;
}

/** Why an instruction with constant inputs stayed, when a knob is the reason. */
export function keptByLimitFp(inst: Inst, options: FoldOptions): boolean {
  return options.limitFp && isFloatOp(inst.op) && isFoldable(inst.op) && hasConstantInputs(inst);
}

/** The instruction simplified, with the same id, guard and destination; null when nothing applies. */
export function fold(inst: Inst, options: FoldOptions): Folded | null {
  const dest = inst.ops[0];
  if (dest?.kind !== "reg" || isConstantReg(dest.reg)) return null;
  switch (inst.op) {
    case "MOV":
    case "PMOV":
      return foldMove(inst, dest);
    case "SEL":
    case "FSEL":
      return options.selects ? foldSelect(inst, dest) : null;
    case "PHI":
      return null;
    case "PLOP3":
      return reducePlop3(inst, dest);
    case "ISETP":
      return foldAll(inst, dest, options) ?? foldCompare(inst, dest);
    case "FSETP":
    case "DSETP":
    case "HSETP2":
      return foldAll(inst, dest, options) ?? (inst.ops.length === 4 ? foldCombination(inst, dest, null) : null);
    default:
      return foldAll(inst, dest, options);
  }
}

type Dest = Operand & { kind: "reg" };

function foldAll(inst: Inst, dest: Dest, options: FoldOptions): Folded | null {
  if (!hasConstantInputs(inst) || (options.limitFp && isFloatOp(inst.op))) return null;
  const c = evaluate(inst);
  if (c === null) return null;
  const type = isFloatOp(inst.op) && c.kind !== "pred" && inst.op !== "F2I" ? (c.kind === "w64" ? "f64" : "f32") : "bits";
  const half = inst.op === "HADD2" || inst.op === "HMUL2" || inst.op === "HFMA2" || inst.mods[0] === "F16" || inst.mods[0] === "BF16";
  return { inst: constantMove(inst, dest, c, half ? "bits" : type), rule: "all-constant", why: "all its inputs are constants" };
}

/** Only modifiers on a literal are left to do: `MOV R1, -RZ`. */
function foldMove(inst: Inst, dest: Dest): Folded | null {
  const source = inst.ops[1];
  if (inst.op === "PMOV" || source?.kind !== "reg" || !isConstantReg(source.reg) || (!source.neg && !source.abs && !source.not))
    return null;
  const c = evaluate(inst);
  return c === null ? null : { inst: constantMove(inst, dest, c, "bits"), rule: "all-constant", why: "its input is a constant" };
}

function foldSelect(inst: Inst, dest: Dest): Folded | null {
  const [, a, b, p] = inst.ops;
  if (a === undefined || b === undefined || p === undefined) return null;
  const known = constantOf(p, false);
  if (known?.kind === "pred") {
    const move = moveOf(inst, dest, known.value ? 1 : 2);
    return move && { inst: move, rule: "known-select", why: `its predicate is ${known.value ? "true" : "false"}` };
  }
  if (!sameOperand(a, b)) return null;
  const move = moveOf(inst, dest, 1);
  return move && { inst: move, rule: "equal-select", why: "both its sources are the same" };
}

/** `MOV dest, operand`; null when MOV cannot take the operand as it stands. */
function moveOf(inst: Inst, dest: Dest, index: number): Inst | null {
  const operand = inst.ops[index];
  if (operand === undefined) return null;
  const isFloat = inst.op === "FSEL";
  if ((operand.kind === "reg" || operand.kind === "cbank") && isFloat && (operand.neg || operand.abs)) return null;
  if (operand.kind === "cbank" && operand.abs) return null;
  return { ...inst, op: "MOV", mods: [], ops: [dest, operand] };
}

const SELF_TRUE: ReadonlySet<string> = new Set(["EQ", "LE", "GE"]);

function foldCompare(inst: Inst, dest: Dest): Folded | null {
  const [, a, b] = inst.ops;
  if (a === undefined || b === undefined) return null;
  const isSelf = (a.kind === "reg" || a.kind === "cbank") && sameOperand(a, b);
  const outcome = isSelf ? inst.mods.some((m) => SELF_TRUE.has(m)) : compareAlone(inst);
  if (outcome === null) return foldCombination(inst, dest, null);
  const rule = isSelf ? "self-compare" : "known-compare";
  const why = isSelf ? "it compares a value with itself" : "the compared values are constants";
  if (inst.ops.length === 4) return foldCombination(inst, dest, { outcome, rule, why });
  return { inst: constantMove(inst, dest, { kind: "pred", value: outcome }, "bits"), rule, why };
}

/** The comparison without the predicate it is combined with, when both sides are constants. */
function compareAlone(inst: Inst): boolean | null {
  if (inst.ops.length !== 4) return null;
  const bare = { ...inst, mods: inst.mods.filter((m) => !COMBINES.has(m)), ops: inst.ops.slice(0, 3) };
  const c = evaluate(bare);
  return c?.kind === "pred" ? c.value : null;
}

const COMBINES: ReadonlySet<string> = new Set(["AND", "OR", "XOR"]);

interface Known {
  readonly outcome: boolean;
  readonly rule: FoldRule;
  readonly why: string;
}

/** `cmp BOOL q` where the comparison (`known`) or the predicate is known. */
function foldCombination(inst: Inst, dest: Dest, known: Known | null): Folded | null {
  const q = inst.ops[3];
  const bool = inst.mods.find((m) => COMBINES.has(m)) ?? "AND";
  if (q?.kind !== "reg" || !isPredicateReg(q.reg)) return null;
  const set = (value: boolean): Inst => constantMove(inst, dest, { kind: "pred", value }, "bits");
  const copy = (neg: boolean): Inst => ({ ...inst, op: "PMOV", mods: [], ops: [dest, { ...q, neg: q.neg !== neg }] });
  if (known !== null) {
    const { outcome, rule, why } = known;
    if (bool === "AND") return { inst: outcome ? copy(false) : set(false), rule, why };
    if (bool === "OR") return { inst: outcome ? set(true) : copy(false), rule, why };
    return { inst: copy(outcome), rule, why };
  }
  if (!isConstantPredicate(q)) return null;
  const value = !q.neg;
  const why = `the predicate it is combined with is ${value ? "true" : "false"}`;
  const alone = (): Inst => ({ ...inst, mods: inst.mods.filter((m) => !COMBINES.has(m)), ops: inst.ops.slice(0, 3) });
  if (bool === "AND") return { inst: value ? alone() : set(false), rule: "known-predicate", why };
  if (bool === "OR") return { inst: value ? set(true) : alone(), rule: "known-predicate", why };
  return value ? null : { inst: alone(), rule: "known-predicate", why };
}

/**
 * A PHI that takes one value from everywhere, as the copy to put behind the block's PHIs; null when the values differ. An input that names the PHI's own
 * register adds nothing where the register still holds this PHI's result at the end of that predecessor (`keeps`); another definition, or the value at
 * entry, is a value like any other.
 */
export function equalPhi(phi: Inst, keeps: (pred: BlockId) => boolean): Inst | null {
  const [dest, ...inputs] = phi.ops;
  if (dest?.kind !== "reg") return null;
  let value: Operand | null = null;
  let kept = false;
  for (const input of inputs) {
    if (input.kind !== "phi") return null;
    if (input.value.kind === "reg" && input.value.reg === dest.reg && !input.value.neg && keeps(input.pred)) {
      kept = true;
      continue;
    }
    if (value !== null && !sameOperand(value, input.value)) return null;
    value = input.value;
  }
  // A way on which the PHI keeps its result adds nothing, unless the value is one that has changed since.
  if (value === null || (kept && (value.kind === "cbank" || (value.kind === "reg" && !isConstantReg(value.reg))))) return null;
  const op = isPredicateReg(dest.reg) ? "PMOV" : "MOV";
  return { ...phi, op, mods: [], ops: [dest, value] };
}
