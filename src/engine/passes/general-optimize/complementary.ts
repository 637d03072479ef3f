/** LateCopyPropComplPred: `@P r = s` and `@!P r = s` in one block are `r = s`. */

import { reversePostOrder } from "../../analysis/order.ts";
import { withGuard } from "../../ir/copies.ts";
import type { Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, sameOperand, usesOf } from "../../ir/visit.ts";
import type { ReasonsOf } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import { copySource } from "../shared/copies/copy-values.ts";
import { RULES } from "./rules.ts";

/** How many instructions may stand between the two copies. */
const WINDOW = 16;

type Obstacle = ReasonsOf<(typeof RULES)["complementary"]["spec"]>;

/**
 * Merges such pairs: the first copy loses its guard, the second goes. Predicates that lost a reader are added to `lost`. Source:
 * copy-propagation-and-cse, Controlling Knobs.
 */
export function mergeComplementaryCopies({ edit, remark }: Pick<PassContext, "edit" | "remark">, lost: Set<Reg>): void {
  for (const block of reversePostOrder(edit.func).order) {
    for (let at = 0; at < edit.block(block).insts.length; at++) {
      const { insts } = edit.block(block);
      const inst = insts[at];
      if (inst === undefined || inst.guard === null || isConstantReg(inst.guard.reg)) continue;
      const { reg } = inst.guard;
      const partner = partnerOf(insts, at, inst);
      if (partner === null) continue;
      const allowed = partner.obstacles.every((reason) => remark.holds(RULES.complementary, reason, false, { inst, block }));
      if (!allowed) continue;
      const { other } = partner;
      remark.found(RULES.complementary, { inst, other, block, insts: [other] }, () => {
        lost.add(reg);
        edit.remove(block, insts.indexOf(other));
        edit.replace(block, at, withGuard(inst, null));
      });
    }
  }
}

interface Partner {
  readonly other: Inst;
  /** What is in the way, the first one first. */
  readonly obstacles: readonly Obstacle[];
}

/** The copy under the complement; null when there is none within the window. */
function partnerOf(insts: readonly Inst[], at: number, first: Inst): Partner | null {
  const [dest] = first.ops;
  const source = copySource(first);
  if (dest?.kind !== "reg" || source === null || first.guard === null) return null;
  const { reg: predicate, neg } = first.guard;
  const sourceReg: Reg | null = source.kind === "reg" && !isConstantReg(source.reg) ? source.reg : null;
  const obstacles = new Set<Obstacle>();
  for (let i = at + 1; i < Math.min(insts.length, at + 1 + WINDOW); i++) {
    const inst = insts[i];
    if (inst === undefined) break;
    const other = copySource(inst);
    const target = inst.ops[0];
    const complement = inst.op === first.op && inst.guard?.reg === predicate && inst.guard.neg !== neg;
    if (complement && other !== null && target?.kind === "reg" && target.reg === dest.reg && sameOperand(other, source)) {
      return { other: inst, obstacles: [...obstacles] };
    }
    const defs = defsOf(inst);
    if (usesOf(inst).includes(dest.reg)) obstacles.add("read-between");
    if (defs.includes(predicate)) obstacles.add("predicate-redefined");
    if (sourceReg !== null && defs.includes(sourceReg)) obstacles.add("source-redefined");
    if (defs.includes(dest.reg)) obstacles.add("destination-redefined");
  }
  return null;
}
