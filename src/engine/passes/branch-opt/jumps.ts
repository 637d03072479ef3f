/** Rewrites 2 and 4: branches that decide nothing, jumps to the next block of the layout, jumps over jumps. */

import { withForm, withGuard, withNeg, withOps } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { replaceEnd } from "./erase.ts";
import type { BranchOptState } from "./state.ts";

const NOT_NEXT = "jumps do not target the next block";

export const equal = rule<BranchOptState, Block>()({
  line: "    equal targets: both edges of A, or all entries of its table, lead to one block",
  found: {
    blocks: "'{inst}' in {block} leads to {target:block} in either case",
    exits: "the EXIT of {target:block} follows '{inst}' in {block}: all lanes end in either case",
  },
  done: {
    falls: "{block} falls through into {target:block}, without a branch",
    goes: "{block} jumps to {target:block} without a condition",
  },
  missed: {
    "targets-differ": {
      why: "branches lead to different blocks",
      say: "'{inst}' in {block} has different targets, {targets:blocks}",
    },
    "exit-policy": {
      code: "policy",
      why: "an EXIT before an EXIT is left to policy 'measured'",
      say: "the EXIT of {target:block} follows '{inst}' in {block}: policy 'notes' has no rewrite for it",
    },
  },
  match(state, block, miss) {
    const { insts } = terminatorsOf(block);
    const [inst] = insts;
    if (inst === undefined) return null;
    const next = exitAfterExit(state, block, insts);
    if (next !== null) {
      if (state.policy !== "measured") return miss("exit-policy", { inst, block, target: next });
      return { found: "exits", done: "falls", inst, block, target: next, after: [] };
    }
    const [target] = block.succs;
    const jumps = insts.every((each) => branchTarget(each) !== null || tableName(each) !== null);
    if (!jumps || target === undefined || (insts.length === 1 && inst.op === "BRA" && isUnconditional(inst))) return null;
    if (block.succs.length > 1) return miss("targets-differ", { inst, block, targets: block.succs });
    // Lanes whose next block is the same stay together, whatever the branch tests.
    const found = { found: "blocks", inst, block, target } as const;
    if (fallsThrough(block)) return { ...found, done: "falls", after: [] };
    const jump = withForm(inst, "BRA", inst.op === "BRA" ? inst.mods : [], [{ kind: "label", block: target }], null);
    return { ...found, done: "goes", after: [jump] };
  },
  apply: (state, { block, after }) => replaceEnd(state, block, after),
});

/** `@P EXIT` right before an EXIT: all lanes end here in either case. Not among the reference's rewrites; the real compiler leaves one EXIT. */
function exitAfterExit({ edit }: BranchOptState, block: Block, insts: readonly Inst[]): BlockId | null {
  const [last] = insts;
  if (last === undefined || insts.length !== 1 || last.op !== "EXIT" || isUnconditional(last)) return null;
  const next = edit.next(block.id);
  const [first] = next === null ? [] : edit.block(next).insts;
  return first !== undefined && first.op === "EXIT" && isUnconditional(first) ? next : null;
}

export const fold = rule<BranchOptState, Block>()({
  line: "    fold: the last jump of A targets the next block of the layout",
  found: "'{inst}' jumps to the block right after {block}",
  done: "{block} falls through into {target:block}",
  missed: {
    "last-block": { code: "not-next", why: NOT_NEXT, say: "'{inst}' stays: {block} is the last block" },
    "not-next": { why: NOT_NEXT, say: "'{inst}' stays: {next:block} comes after {block}" },
  },
  match({ edit }, block, miss) {
    const { insts } = terminatorsOf(block);
    const inst = insts[insts.length - 1];
    const target = inst === undefined ? null : branchTarget(inst);
    if (inst === undefined || target === null || !isUnconditional(inst)) return null;
    const next = edit.next(block.id);
    if (next === null) return miss("last-block", { inst, block });
    if (target !== next) return miss("not-next", { inst, block, next });
    return { inst, block, target, after: insts.slice(0, -1) };
  },
  apply: (state, { block, after }) => replaceEnd(state, block, after),
});

/** `@P BRA next; BRA far` becomes `@!P BRA far`. Not among the reference's four rewrites; the real compiler leaves no jump over a jump. */
export const invert = rule<BranchOptState, Block>()({
  line: "    jump over a jump (policy measured): invert the condition, fall through",
  policy: "measured",
  found: "'{inst}' only jumps over '{jump:inst}'",
  done: "the end of {block} becomes '{after:inst}'",
  missed: {
    "jumps-farther": { code: "not-next", why: NOT_NEXT, say: "'{inst}' jumps farther than over '{jump:inst}'" },
    "two-conditions": { say: "'{inst}' has a guard and an operand: no single condition to invert" },
    policy: {
      why: "a jump over a jump is left to policy 'measured'",
      say: "'{inst}' only jumps over '{jump:inst}': policy 'notes' has no rewrite for it",
    },
  },
  match({ edit, policy }, block, miss) {
    const { insts } = terminatorsOf(block);
    const [inst, jump] = insts;
    if (inst === undefined || jump === undefined || insts.length !== 2) return null;
    const target = branchTarget(inst);
    const far = branchTarget(jump);
    if (target === null || far === null || !isUnconditional(jump)) return null;
    const said = { inst, jump, block };
    if (target !== edit.next(block.id)) return miss("jumps-farther", said);
    const inverted = inverse(inst);
    if (inverted === null) return miss("two-conditions", said);
    if (policy !== "measured") return miss("policy", said);
    return { ...said, after: withOps(inverted, [...inverted.ops.slice(0, -1), { kind: "label", block: far }]) };
  },
  apply: (state, { block, after }) => replaceEnd(state, block, [after]),
});

function inverse(inst: Inst): Inst | null {
  const [operand] = inst.ops;
  if (inst.ops.length === 1) return inst.guard === null ? null : withGuard(inst, { reg: inst.guard.reg, neg: !inst.guard.neg });
  if (inst.guard !== null || operand?.kind !== "reg") return null;
  return withOps(inst, [withNeg(operand, !operand.neg), ...inst.ops.slice(1)]);
}
