/** LateCopyPropComplPred: `@P r = s` and `@!P r = s` in one block are `r = s`. */

import { reversePostOrder } from "../../analysis/order.ts";
import { withGuard } from "../../ir/copies.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, sameOperand, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import type { PassContext } from "../pass.ts";
import { copySource } from "../shared/copies/copy-values.ts";

interface State extends Pick<PassContext, "edit" | "remark"> {
  /** Registers that lost a reader. */
  readonly lost: Set<Reg>;
}

interface Place {
  readonly block: BlockId;
  readonly at: number;
}

/** The first copy loses its guard, the second is removed. Source: copy-propagation-and-cse, Controlling Knobs. */
export const complementary = rule<State, Place>()({
  line: "phase 65 with LateCopyPropComplPred: two copies of one source under complementary guards become one",
  done: "'{inst}' and '{other:inst}' write the same under complementary guards: one copy without a guard",
  because: "exactly one of the two guards is true, so the copy is always made",
  stays: "'{inst}' and the copy under the complement stay two: {why}",
  missed: {
    "read-between": {
      say: "the register is read in between",
      droppable: "what reads the register in between finds the copy of lanes that have not made it",
    },
    "predicate-redefined": {
      say: "the predicate is written in between",
      droppable: "a lane may be under neither guard, and copies nevertheless",
    },
    "source-redefined": {
      say: "the source is written in between",
      droppable: "lanes of the second copy get what the source held before",
    },
    "destination-redefined": {
      say: "the destination is written in between",
      droppable: "what is written in between outlives the second copy",
    },
  },
  match({ edit }, { block, at }, _miss, holds) {
    const { insts } = edit.block(block);
    const inst = insts[at];
    if (inst === undefined || inst.guard === null || isConstantReg(inst.guard.reg)) return null;
    const partner = partnerOf(insts, at, inst);
    if (partner === null || !partner.obstacles.every((reason) => holds(reason, false, { inst, block }))) return null;
    const { other } = partner;
    return { inst, other, block, insts: [other], at, predicate: inst.guard.reg };
  },
  apply({ edit, lost }, { inst, other, block, at, predicate }) {
    lost.add(predicate);
    edit.remove(block, edit.block(block).insts.indexOf(other));
    edit.replace(block, at, withGuard(inst, null));
  },
});

export function mergeComplementaryCopies(state: State): void {
  const { edit } = state;
  for (const block of reversePostOrder(edit.func).order) {
    for (let at = 0; at < edit.block(block).insts.length; at++) complementary.look(state, { block, at })?.request()?.commit();
  }
}

/** How many instructions may be between the two copies. */
const WINDOW = 16;

type Obstacle = "read-between" | "predicate-redefined" | "source-redefined" | "destination-redefined";

interface Partner {
  readonly other: Inst;
  /** What prevents it, in the order of the code. */
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
