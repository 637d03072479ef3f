/** Phase 83, OriBackCopyPropagate: advances the pipeline counter, and shows which operands the encoding may take once it is above 9. */

import type { Reg } from "../../ir/ids.ts";
import { reg, regClass, regName } from "../../ir/reg.ts";
import { usesOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext, PassOutcome } from "../pass.ts";
import type { PipelineCounterRow } from "./rows.ts";

/** The values of +1552 after this phase and after phase 95, SetAfterLegalization. */
const COUNTER_AFTER_BACK_COPY = 9;
const COUNTER_AFTER_LEGALIZATION = 19;
/** Operand encoding relaxes its constraints when the counter is above this. */
const RELAXED_ABOVE = 9;
/** The operand mask that relaxed patterns use instead of 0xFFFFFF. */
const MASK = "0xFFFFFA";
/** Registers 41 to 44 of the reference are P0 to P3. */
const REGISTER_41 = reg("P", 0);

export const COUNTER = {
  phase83: line("phase 83, OriBackCopyPropagate:", { kind: "note", step: "backward copy propagation is over" }),
  counter: line("  the pipeline counter becomes 9 // +1552", { kind: "note", step: "the pipeline counter becomes {counter}" }),
  relax: line(
    "  with relaxed operands and a counter above 9: operand encoding takes address registers and register 41 (P0) into patterns that exclude them before // bit 2 of +1398",
    {
      kind: "note",
      step: {
        later:
          "this target relaxes operands, but {counter} is not above {limit}: {count} {count:register|registers} in operands may use the mask {mask} only after phase 95, which makes the counter {after} ({regs})",
        strict: "this target relaxes no operand, and {counter} is not above {limit}",
      },
      source: "copy-propagation-and-cse: 'Downstream Effects: Pipeline Counter and Encoding Relaxation'",
    },
  ),
};

/** Runs phase 83. */
export function advancePipelineCounter({ edit, remark, target }: PassContext): PassOutcome {
  const { relaxedAddressOperands } = target.backend.capabilities;
  const regs = relaxedAddressOperands ? relaxedOperands(edit) : [];
  const counter = COUNTER_AFTER_BACK_COPY;
  const view = remark.shown.table<PipelineCounterRow>("pipeline-counter", "Pipeline counter (+1552)");
  remark.step(COUNTER.phase83);
  view.set("counter", counter);
  remark.step(COUNTER.counter, { counter, node: view.node("counter") });
  view.set("relaxed-later", () => regs.map(regName));
  const node = view.node("relaxed-later");
  const about = { counter, limit: RELAXED_ABOVE, node };
  if (!relaxedAddressOperands) remark.step(COUNTER.relax, "strict", about);
  else remark.step(COUNTER.relax, "later", { ...about, count: regs.length, mask: MASK, after: COUNTER_AFTER_LEGALIZATION, regs });
  return remark.outcome({ none: `only the pipeline counter changes, to ${counter}`, figures: { counter, relaxedLater: regs.length } });
}

/** Uniform registers (the model's address class) and register 41 (P0, by the numbers that phase 38 uses), where instructions read them. */
function relaxedOperands(edit: PassContext["edit"]): Reg[] {
  const found = new Set<Reg>();
  for (const id of edit.func.layout) {
    for (const inst of edit.block(id).insts) {
      for (const r of usesOf(inst)) if (regClass(r) === "UR" || r === REGISTER_41) found.add(r);
    }
  }
  return [...found].sort((a, b) => a - b);
}
