/** Predicate simplification: guards that are known, and branches and exits with a known guard or predicate operand. */

import { withGuard } from "../../../ir/copies.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Inst } from "../../../ir/types.ts";
import { neverRuns, terminatorsOf } from "../../../ir/visit.ts";
import { rule } from "../../../remark/rule.ts";
import { GUARD } from "./rules.ts";
import { doom, type Place, requestFold, type Walk } from "./walk.ts";

/** A known guard is dropped, or its instruction is removed at the end of the round. */
export const guardedRule = () =>
  rule<Walk, Place>()({
    line: null,
    found: {
      "guard-holds": "the guard of '{inst}' is always true and is removed",
      "guard-fails": "the guard of '{inst}' is always false, so the instruction is removed",
    },
    because: {
      "guard-holds": "the guard of '{inst}' is always true",
      "guard-fails": "the guard of '{inst}' is always false",
    },
    match({ options }, { block, at, inst }) {
      const { guard } = inst;
      if (guard === null || !isConstantReg(guard.reg) || options.commit !== "all") return null;
      return guard.neg ? { found: "guard-fails", inst, block, at } : { found: "guard-holds", inst, block, at };
    },
    apply(walk, { found, inst, block, at }) {
      const { edit, tally, work } = walk;
      tally.add("predicate simplification");
      if (found === "guard-fails") doom(walk, block, inst);
      else {
        const free = withGuard(inst, null);
        work.note(free);
        work.touch(free);
        edit.replace(block, at, free);
      }
    },
  });

/** The instruction without a guard that always holds; an instruction that never runs is removed at the end of the round. */
export function simplifyGuard(walk: Walk, block: BlockId, at: number, inst: Inst): Inst {
  const { edit, rules, removals } = walk;
  const match = inst.guard === null ? null : rules.guarded.look(walk, { block, at, inst });
  const rewrite = requestFold(walk, rules.guard, match, inst);
  if (rewrite === null) return inst;
  if (neverRuns(inst)) rewrite.stage(removals);
  else rewrite.commit();
  return edit.block(block).insts[at] ?? inst;
}

/** Branches and exits that are always or never taken. `propagate` replaces the uses of those after the first one. */
export function decideTerminators(walk: Walk, block: BlockId, propagate: (inst: Inst) => Inst): void {
  const { edit, remark, rules, options, forms, work, uses } = walk;
  const { insts } = terminatorsOf(edit.block(block));
  const [only] = insts;
  if (only !== undefined && insts.length === 1 && isTaken(forms.get(only.id) ?? only) === null) return;
  const left: Inst[] = [];
  const written: Inst[] = [];
  let decided: Inst | null = null;
  for (const [i, old] of insts.entries()) {
    const own = forms.has(old.id) || !options.copyProp || i === 0 ? old : propagate(old);
    written.push(own);
    const inst = forms.get(old.id) ?? own;
    const taken = isTaken(inst);
    if (taken === null) {
      left.push(inst);
      continue;
    }
    decided ??= inst;
    if (taken) {
      left.push(unconditional(inst));
      break;
    }
    work.lose(old);
  }
  const decision = decided && { inst: decided, block, before: insts, after: left };
  const rewrite = decision && requestFold(walk, rules.guard, rules.guard.look(walk, decision), decision.inst);
  rewrite?.commit();
  if (uses.count === 0) return;
  remark.commitTogether(uses, () => {
    if (rewrite === null) edit.setTerminators(block, [...written, ...insts.slice(written.length)]);
  });
}

export interface Decision {
  /** The first terminator that is known. */
  readonly inst: Inst;
  readonly block: BlockId;
  readonly before: readonly Inst[];
  readonly after: readonly Inst[];
}

/** A branch or exit is decided, if lanes reconverge where they did. */
export const guardRule = (line: string | null) =>
  rule<Walk, Decision>()({
    line,
    ...GUARD,
    match({ rejoin }, decision, _, holds) {
      const { block, inst, after } = decision;
      const reason = rejoin.dropEdges(block, after)?.reason ?? null;
      if (!holds("convergence", reason === null, { inst, block, reason })) return null;
      return isTaken(inst) === true ? { done: "always-taken", ...decision } : { done: "never-taken", ...decision };
    },
    apply({ edit, tally, work }, { block, before, after }) {
      tally.add("predicate simplification");
      for (const old of before) work.lose(old);
      for (const s of edit.block(block).succs) work.again(s);
      edit.setTerminators(block, after);
    },
  });

/**
 * Whether a terminator is certainly taken (true), certainly not (false), or conditional (null). Unconditional ones count as conditional: nothing is
 * to do.
 */
function isTaken(inst: Inst): boolean | null {
  if (inst.guard !== null && isConstantReg(inst.guard.reg) && inst.guard.neg) return false;
  const operand = inst.op === "BRA" && inst.ops.length === 2 ? inst.ops[0] : undefined;
  const known = operand?.kind === "reg" && isConstantReg(operand.reg) ? !operand.neg : null;
  if (known === false) return false;
  const guardFree = inst.guard === null || isConstantReg(inst.guard.reg);
  if (guardFree && known === true) return true;
  if (guardFree && inst.guard !== null && operand === undefined) return true;
  return null;
}

function unconditional(inst: Inst): Inst {
  return withGuard(inst, null, inst.op === "BRA" ? inst.ops.slice(-1) : inst.ops);
}

/** The condition in guard or predicate operand is a constant now and was none before. */
export function conditionBecomesKnown(old: Inst, inst: Inst): boolean {
  return isTaken(inst) !== null && isTaken(old) === null;
}
