/** Level 2 of constant handling, one instruction at a time: what it may become once its inputs are replaced. */

import { withForm, withMods, withNeg } from "../../../ir/copies.ts";
import type { BlockId, Reg } from "../../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { sameOperand } from "../../../ir/visit.ts";
import type { Names } from "../../../remark/rules.ts";
import { constantMove, constantOf, isConstantPredicate } from "./constant.ts";
import { evaluate, hasConstantInputs, isFloatOp, isFoldable } from "./evaluate.ts";
import type { FOLD, SIMPLIFY } from "./rules.ts";

/** A simplified instruction, with the line that does it and the name of its sentence there. */
export type Folded =
  | { readonly line: "fold"; readonly way: Names<(typeof FOLD)["done"]>; readonly inst: Inst }
  | { readonly line: "simplify"; readonly way: Names<(typeof SIMPLIFY)["done"]>; readonly inst: Inst };

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

/** The simplified instruction, with the same id, guard and destination; null if nothing applies. */
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
  return { line: "fold", way: "constant-inputs", inst: constantMove(inst, dest, c, half ? "bits" : type) };
}

/** Only modifiers on a literal are left to do: `MOV R1, -RZ`. */
function foldMove(inst: Inst, dest: Dest): Folded | null {
  const source = inst.ops[1];
  if (inst.op === "PMOV" || source?.kind !== "reg" || !isConstantReg(source.reg) || (!source.neg && !source.abs && !source.not))
    return null;
  const c = evaluate(inst);
  return c === null ? null : { line: "fold", way: "constant-input", inst: constantMove(inst, dest, c, "bits") };
}

function foldSelect(inst: Inst, dest: Dest): Folded | null {
  const [, a, b, p] = inst.ops;
  if (a === undefined || b === undefined || p === undefined) return null;
  const known = constantOf(p, false);
  if (known?.kind === "pred") {
    const move = moveOf(inst, dest, known.value ? 1 : 2);
    return move && { line: "simplify", way: known.value ? "select-true" : "select-false", inst: move };
  }
  if (!sameOperand(a, b)) return null;
  const move = moveOf(inst, dest, 1);
  return move && { line: "simplify", way: "equal-select", inst: move };
}

/** `MOV dest, operand`; null when MOV does not accept the operand unchanged. */
function moveOf(inst: Inst, dest: Dest, index: number): Inst | null {
  const operand = inst.ops[index];
  if (operand === undefined) return null;
  const isFloat = inst.op === "FSEL";
  if ((operand.kind === "reg" || operand.kind === "cbank") && isFloat && (operand.neg || operand.abs)) return null;
  if (operand.kind === "cbank" && operand.abs) return null;
  return withForm(inst, "MOV", [], [dest, operand]);
}

const SELF_TRUE: ReadonlySet<string> = new Set(["EQ", "LE", "GE"]);

function foldCompare(inst: Inst, dest: Dest): Folded | null {
  const [, a, b] = inst.ops;
  if (a === undefined || b === undefined) return null;
  const isSelf = (a.kind === "reg" || a.kind === "cbank") && sameOperand(a, b);
  const outcome = isSelf ? inst.mods.some((m) => SELF_TRUE.has(m)) : compareAlone(inst);
  if (outcome === null) return foldCombination(inst, dest, null);
  const way = isSelf ? "self-compare" : "known-compare";
  if (inst.ops.length === 4) return foldCombination(inst, dest, { outcome, way });
  return { line: "fold", way, inst: constantMove(inst, dest, { kind: "pred", value: outcome }, "bits") };
}

/** The comparison without the predicate it is combined with, when both sides are constants. */
function compareAlone(inst: Inst): boolean | null {
  if (inst.ops.length !== 4) return null;
  const bare = withMods(
    inst,
    inst.mods.filter((m) => !COMBINES.has(m)),
    inst.ops.slice(0, 3),
  );
  const c = evaluate(bare);
  return c?.kind === "pred" ? c.value : null;
}

const COMBINES: ReadonlySet<string> = new Set(["AND", "OR", "XOR"]);

interface Known {
  readonly outcome: boolean;
  readonly way: "self-compare" | "known-compare";
}

/** `cmp BOOL q` where the comparison (`known`) or the predicate is known. */
function foldCombination(inst: Inst, dest: Dest, known: Known | null): Folded | null {
  const q = inst.ops[3];
  const bool = inst.mods.find((m) => COMBINES.has(m)) ?? "AND";
  if (q?.kind !== "reg" || !isPredicateReg(q.reg)) return null;
  const set = (value: boolean): Inst => constantMove(inst, dest, { kind: "pred", value }, "bits");
  const copy = (neg: boolean): Inst => withForm(inst, "PMOV", [], [dest, withNeg(q, q.neg !== neg)]);
  if (known !== null) {
    const { outcome, way } = known;
    const made =
      bool === "AND" ? (outcome ? copy(false) : set(false)) : bool === "OR" ? (outcome ? set(true) : copy(false)) : copy(outcome);
    return { line: "fold", way, inst: made };
  }
  if (!isConstantPredicate(q)) return null;
  const value = !q.neg;
  const folded = (made: Inst): Folded => ({ line: "simplify", way: value ? "combined-true" : "combined-false", inst: made });
  const alone = (): Inst =>
    withMods(
      inst,
      inst.mods.filter((m) => !COMBINES.has(m)),
      inst.ops.slice(0, 3),
    );
  if (bool === "AND") return folded(value ? alone() : set(false));
  if (bool === "OR") return folded(value ? set(true) : alone());
  return value ? null : folded(alone());
}

/**
 * A PHI with one value on all edges, as the copy to insert after the block's PHIs; null if the values differ. An input that names the PHI's own
 * register adds nothing if the register still has this PHI's result at the end of that predecessor (`keeps`); another definition, or the value at
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
  // An edge on which the PHI keeps its result adds nothing, unless the value has changed since.
  if (value === null || (kept && (value.kind === "cbank" || (value.kind === "reg" && !isConstantReg(value.reg))))) return null;
  const op = isPredicateReg(dest.reg) ? "PMOV" : "MOV";
  return withForm(phi, op, [], [dest, value]);
}

/** A constant, a copy or a complement, when the table restricted to the inputs that vary is one; else null. a = 0xF0, b = 0xCC, c = 0xAA. */
function reducePlop3(inst: Inst, dest: Operand & { kind: "reg" }): Folded | null {
  const table = inst.ops[4];
  const inputs = inst.ops.slice(1, 4);
  if (table?.kind !== "imm") return null;
  const varying: Reg[] = [];
  for (const input of inputs) {
    if (input.kind !== "reg") return null;
    if (!isConstantReg(input.reg) && !varying.includes(input.reg)) varying.push(input.reg);
  }
  const results: boolean[] = [];
  for (let assignment = 0; assignment < 1 << varying.length; assignment++) {
    let row = 0;
    for (const input of inputs) {
      if (input.kind !== "reg") return null;
      const raw = isConstantReg(input.reg) ? true : ((assignment >> varying.indexOf(input.reg)) & 1) === 1;
      row = row * 2 + (raw !== input.neg ? 1 : 0);
    }
    results.push(((table.value >> row) & 1) === 1);
  }
  const first = results[0] ?? false;
  if (results.every((r) => r === first)) {
    const move = constantMove(inst, dest, { kind: "pred", value: first }, "bits");
    return { line: "simplify", way: first ? "table-true" : "table-false", inst: move };
  }
  for (const [i, reg] of varying.entries()) {
    for (const neg of [false, true]) {
      if (!results.every((r, assignment) => r === ((((assignment >> i) & 1) === 1) !== neg))) continue;
      const source: Operand = { kind: "reg", reg, neg, abs: false, not: false };
      const copy = withForm(inst, "PMOV", [], [dest, source]);
      return { line: "simplify", way: neg ? "table-complement" : "table-input", inst: copy };
    }
  }
  return null;
}
