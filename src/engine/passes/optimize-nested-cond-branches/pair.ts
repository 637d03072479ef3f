/** Nested pairs: an outer condition, an inner one that only it leads to, and the block both may leave to. */

import { analyzeEnding } from "../../analysis/block-ending.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";

/** A predicate or its complement. */
export interface Literal {
  readonly reg: Reg;
  readonly neg: boolean;
}

export function complement(literal: Literal): Literal {
  return { reg: literal.reg, neg: !literal.neg };
}

export function literalOperand(literal: Literal): Operand {
  return { kind: "reg", reg: literal.reg, neg: literal.neg, abs: false, not: false };
}

export function literalText(literal: Literal): string {
  return `${literal.neg ? "!" : ""}${regName(literal.reg)}`;
}

/** A block's conditional branch as two edges; null when the block does not end with one predicate's condition and two different edges. */
export interface Condition {
  readonly branch: Inst;
  readonly literal: Literal;
  /** Where control goes when the literal holds, and when it does not. */
  readonly yes: BlockId;
  readonly no: BlockId;
}

export function conditionOf(edit: Editor, id: BlockId): Condition | null {
  const ending = analyzeEnding(edit.block(id), edit.next(id));
  if (ending.kind !== "cond" || !ending.reversible || ending.otherwise === null || ending.taken === ending.otherwise) return null;
  const guard = ending.branch.guard;
  if (guard === null) return null;
  return { branch: ending.branch, literal: { reg: guard.reg, neg: guard.neg }, yes: ending.taken, no: ending.otherwise };
}

export interface Pair {
  readonly outer: BlockId;
  readonly inner: BlockId;
  /** X: reached when `outerExit` holds in the outer block, or `innerExit` in the inner one. */
  readonly common: BlockId;
  /** Y: the inner block's other target. */
  readonly rest: BlockId;
  readonly outerExit: Literal;
  readonly innerExit: Literal;
  readonly outerBranch: Inst;
  readonly innerBranch: Inst;
}

/**
 * The pair of a condition and one of its targets, or what is missing, in words. `leadsTo`: where a block that does nothing else leads, for
 * an inner block whose region ends before the common target.
 */
export function pairOf(
  edit: Editor,
  outer: BlockId,
  condition: Condition,
  inner: BlockId,
  leadsTo: (block: BlockId) => BlockId = (block) => block,
): Pair | { readonly missing: "shape" | "only-predecessor" | "merge-point" } {
  const nested = conditionOf(edit, inner);
  if (nested === null || inner === outer || inner === edit.func.layout[0]) return { missing: "shape" };
  const preds = edit.block(inner).preds;
  if (preds.length !== 1 || edit.block(inner).insts[0]?.op === "PHI") return { missing: "only-predecessor" };
  const [common, outerExit] = condition.yes === inner ? [condition.no, complement(condition.literal)] : [condition.yes, condition.literal];
  const base = { outer, inner, common, outerExit, outerBranch: condition.branch, innerBranch: nested.branch };
  const leaves = (way: BlockId): boolean => way === common || leadsTo(way) === common;
  if (leaves(nested.yes)) return { ...base, innerExit: nested.literal, rest: nested.no };
  if (leaves(nested.no)) return { ...base, innerExit: complement(nested.literal), rest: nested.yes };
  return { missing: "merge-point" };
}
