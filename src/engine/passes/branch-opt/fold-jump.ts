/** Rewrite 4: a jump to the next block of the layout goes; under policy 'measured', a condition that jumps over a jump is inverted. */

import { withGuard, withNeg, withOps } from "../../ir/copies.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, isUnconditional, terminatorsOf } from "../../ir/visit.ts";
import type { Rewrite } from "./rewrite.ts";
import { RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

export function foldJump(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const last = insts[insts.length - 1];
  const target = last === undefined ? null : branchTarget(last);
  if (last === undefined || target === null || !isUnconditional(last)) return null;
  const { edit, remark } = state;
  const next = edit.next(block.id);
  if (next === null) return remark.missed(RULES.fold, "last-block", { inst: last, block });
  if (target !== next) return remark.missed(RULES.fold, "not-next", { inst: last, block, next });
  state.accepted++;
  remark.matched(RULES.fold, { inst: last, block });
  return {
    name: "fold",
    ask: (apply) => remark.done(RULES.fold, { block, target }, apply),
    edit: () => edit.setTerminators(block.id, insts.slice(0, -1)),
  };
}

/** `@P BRA next; BRA far` becomes `@!P BRA far`. Not among the reference's four rewrites; the real compiler leaves no jump over a jump. */
export function invertJump(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const [first, second] = insts;
  if (first === undefined || second === undefined || insts.length !== 2) return null;
  const target = branchTarget(first);
  const far = branchTarget(second);
  if (target === null || far === null || !isUnconditional(second)) return null;
  const { edit, remark } = state;
  const said = { inst: first, jump: second, block };
  if (target !== edit.next(block.id)) return remark.missed(RULES.invert, "jumps-farther", said);
  const inverted = invert(first);
  if (inverted === null) return remark.missed(RULES.invert, "two-conditions", said);
  if (state.policy !== "measured") return remark.missed(RULES.invert, "policy", said);
  state.accepted++;
  remark.matched(RULES.invert, said);
  const after = withOps(inverted, [...inverted.ops.slice(0, -1), { kind: "label", block: far }]);
  return {
    name: "invert",
    ask: (apply) => remark.done(RULES.invert, { block, after }, apply),
    edit: () => edit.setTerminators(block.id, [after]),
  };
}

function invert(inst: Inst): Inst | null {
  const [operand] = inst.ops;
  if (inst.ops.length === 1) return inst.guard === null ? null : withGuard(inst, { reg: inst.guard.reg, neg: !inst.guard.neg });
  if (inst.guard !== null || operand?.kind !== "reg") return null;
  return withOps(inst, [withNeg(operand, !operand.neg), ...inst.ops.slice(1)]);
}
