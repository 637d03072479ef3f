/** The pass of docs/write-a-pass.md: a select between two equal values is a move. */

import type { Block, Inst } from "../../../ir/types.ts";
import { sameOperand } from "../../../ir/visit.ts";
import { printOperand } from "../../../text/print-operand.ts";
import type { Pass, PassContext, PassOutcome } from "../../pass.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const equalSelect: Pass = {
  family: "equal-select",
  ids: ["equal-select"],
  summary: "Replaces a select between two equal values by a move.",
  rules: RULES,
  pseudocode: PSEUDOCODE,
  settles: true,
  neverLonger: true,
  run,
};

function run({ edit, remark }: PassContext): PassOutcome {
  for (const id of edit.func.layout) {
    const block = edit.block(id);
    remark.span(RULES.block, { block }, () => {
      for (const [at, inst] of block.insts.entries()) if (inst.op === "SEL") select({ edit, remark }, block, at, inst);
    });
  }
  return remark.outcome({ none: "no select is there" });
}

/** `at`: the place of the SEL in its block. */
function select({ edit, remark }: Pick<PassContext, "edit" | "remark">, block: Block, at: number, inst: Inst): void {
  const [dest, x, y] = inst.ops;
  if (dest === undefined || x === undefined || y === undefined) return;
  const about = { inst, block, x: () => printOperand(edit.func, inst, 1), y: () => printOperand(edit.func, inst, 2) };
  remark.step(RULES.select, about);
  if (!remark.holds(RULES.equal, "different", sameOperand(x, y), about)) return;
  remark.found(RULES.replace, about, () => {
    edit.replace(block.id, at, { ...inst, op: "MOV", mods: [], ops: [dest, x] });
    return true;
  });
}
