/** Predicate simplification: guards that are known, and branches and exits with a known guard or predicate operand. */

import { withGuard } from "../../../ir/copies.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Guard, Inst } from "../../../ir/types.ts";
import { terminatorsOf } from "../../../ir/visit.ts";
import { doom, type Walk } from "./walk.ts";

/** A known guard is dropped, or its instruction is removed at the end of the round. */
export function simplifyGuard(walk: Walk, block: BlockId, at: number, inst: Inst): Inst {
  const { guard } = inst;
  if (guard === null || !isConstantReg(guard.reg) || walk.options.commit !== "all") return inst;
  return dropGuard(walk, block, at, inst, guard);
}

function dropGuard(walk: Walk, block: BlockId, at: number, inst: Inst, { neg }: Guard): Inst {
  const { edit, remark, rules, options, tally, work } = walk;
  if (options.foldBudget?.take(rules.guard) === false) return remark.missed(rules.guard, "budget", { inst }) ?? inst;
  const made = remark.found(rules.guard, neg ? "guard-fails" : "guard-holds", { inst, block }, () => {
    tally.add("predicate simplification");
    if (neg) {
      doom(walk, block, inst);
      return inst;
    }
    const free = withGuard(inst, null);
    edit.replace(block, at, free);
    work.note(free);
    work.touch(free);
    return free;
  });
  return made ?? inst;
}

/** Branches and exits that are always or never taken. `propagate` replaces the uses of those after the first one. */
export function decideTerminators(walk: Walk, block: BlockId, propagate: (inst: Inst) => Inst): void {
  const { edit, remark, options, forms, work } = walk;
  const { insts } = terminatorsOf(edit.block(block));
  const [only] = insts;
  if (only !== undefined && insts.length === 1 && remark.rungs === null && isTaken(forms.get(only.id) ?? only) === null) return;
  const left: Inst[] = [];
  const written: Inst[] = [];
  let decided: Inst | null = null;
  let [i, same] = [0, true];
  for (const old of insts) {
    const own = forms.has(old.id) || !options.copyProp || i === 0 ? old : propagate(old);
    i++;
    if (own !== old) same = false;
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
  const isDecided = decided !== null && decide(walk, block, decided, insts, left);
  remark.carry(() => {
    if (!isDecided && !same) edit.setTerminators(block, [...written, ...insts.slice(written.length)]);
  }, "uses");
}

/** Writes what is left of the terminators, if lanes and the budget let it. */
function decide(walk: Walk, block: BlockId, inst: Inst, insts: readonly Inst[], left: readonly Inst[]): boolean {
  const { edit, remark, rules, options, rejoin, tally, work } = walk;
  const reason = rejoin.dropEdges(block, left)?.reason ?? null;
  if (!remark.holds(rules.guard, "convergence", reason === null, { inst, block, reason })) return false;
  if (options.foldBudget?.take(rules.guard) === false) return remark.missed(rules.guard, "budget", { inst }) ?? false;
  const way = isTaken(inst) === true ? "always-taken" : "never-taken";
  const done = remark.found(rules.guard, way, { inst, block }, () => {
    tally.add("predicate simplification");
    for (const old of insts) work.lose(old);
    const before = edit.block(block).succs;
    edit.setTerminators(block, left);
    for (const s of before) work.again(s);
    return true;
  });
  return done ?? false;
}

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
