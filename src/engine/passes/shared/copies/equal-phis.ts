/** PHIs with one value: deferred cleanup (mark 0x200), they become copies at the end of the round. */

import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Inst } from "../../../ir/types.ts";
import { defsOf } from "../../../ir/visit.ts";
import { rule } from "../../../remark/rule.ts";
import { equalPhi } from "./fold.ts";
import { MARK } from "./marks.ts";
import { MARKED } from "./rules.ts";
import type { Deferred, Walk } from "./walk.ts";

/** Defers a PHI with one value that is not made by another PHI of its block. */
export function deferEqualPhi(walk: Walk, block: BlockId, inst: Inst): void {
  const { remark, rules, marks, phis } = walk;
  if (!isUsable(walk, block, inst)) return;
  const marked = marks.set(block, inst, MARK.DEFERRED);
  if (marked !== null) remark.step(rules.phi, "mark", marked);
  phis.push({ block, phi: inst.id });
}

function isUsable(walk: Walk, block: BlockId, phi: Inst): boolean {
  const value = copyOf(walk, phi)?.ops[1];
  if (value === undefined) return false;
  if (value.kind !== "reg" || isConstantReg(value.reg)) return true;
  return !walk.edit.block(block).insts.some((inst) => inst.op === "PHI" && defsOf(inst).includes(value.reg));
}

/** The copy that an equal PHI becomes. What reaches is known as of the round's start, where more may have reached than does now. */
function copyOf({ values }: Walk, phi: Inst): Inst | null {
  const dest = phi.ops[0];
  return dest?.kind === "reg" ? equalPhi(phi, (pred) => values.isSoleAtEnd(pred, dest.reg, phi)) : null;
}

/** Makes copies of the deferred PHIs. */
export function settlePhis(walk: Walk): void {
  const { remark, rules, options, phis } = walk;
  for (const deferred of phis) {
    const match = rules.phi.look(walk, deferred);
    if (match === null) continue;
    if (options.foldBudget?.take(rules.phi) === false) {
      remark.missed(rules.phi, "budget");
      return;
    }
    match.request()?.commit();
  }
}

/** The rule, at a line of each family's pseudocode. */
export const phiRule = (line: string | null) =>
  rule<Walk, Deferred>()({
    line,
    step: { mark: { kind: "operand-mark", say: `${MARKED}: it has one value on every edge` } },
    done: "'{inst}' has one value on every edge, so it becomes '{made:inst}'",
    because: "'{inst}' has the same value on every incoming edge",
    missed: { budget: { silent: true, say: "knob 464 is spent" } },
    match(walk, { block, phi }) {
      const inst = walk.edit.block(block).insts.find((each) => each.id === phi);
      const made = inst?.op === "PHI" ? copyOf(walk, inst) : null;
      return inst === undefined || made === null ? null : { inst, made, block };
    },
    apply({ edit, marks, tally, work }, { inst, made, block }) {
      const { insts } = edit.block(block);
      const at = insts.indexOf(inst);
      const last = insts.findLastIndex((each) => each.op === "PHI");
      marks.clear(inst);
      tally.add("constant folding");
      work.note(made);
      work.touch(made);
      // A use that a PHI must keep may be replaced in a copy.
      if (work.readsCopied(made)) work.again(block);
      if (last === at) edit.replace(block, at, made);
      else {
        edit.remove(block, at);
        edit.insert(block, last, made);
      }
    },
  });
