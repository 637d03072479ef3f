/** Phase 83, OriBackCopyPropagate: advances the pipeline counter, and shows which operands the encoding may now take. */

import type { Reg } from "../../ir/ids.ts";
import { regClass, regIndex, regName } from "../../ir/reg.ts";
import { usesOf } from "../../ir/visit.ts";
import type { PassContext, PassOutcome } from "../pass.ts";
import { LINE } from "./pseudocode.ts";

/** The value of +1552 behind this phase (phase 95 makes it 19). */
export const COUNTER_AFTER_BACK_COPY = 9;
/** The operand mask that relaxed patterns use instead of 0xFFFFFF. */
export const RELAXED_MASK = 0xfffffa;
const SPECIAL_REGISTER = 41;

/** Runs phase 83. */
export function advancePipelineCounter({ edit, rec, target }: PassContext): PassOutcome {
  const { relaxedAddressOperands } = target.backend.capabilities;
  const relaxed = relaxedAddressOperands ? relaxedOperands(edit) : [];
  if (rec.on) {
    const view = rec.structure("table", "pipeline-counter", "Pipeline counter (+1552)");
    rec.event("note", LINE.phase83, "backward copy propagation is over", {});
    rec.cell(view, "counter", COUNTER_AFTER_BACK_COPY);
    rec.event(
      "note",
      LINE.counter,
      "the pipeline counter becomes {counter}",
      { counter: COUNTER_AFTER_BACK_COPY },
      { nodes: ["pipeline-counter/counter"] },
    );
    rec.cell(view, "relaxed", relaxed.map(regName));
    rec.event(
      "note",
      LINE.relax,
      relaxedAddressOperands
        ? "{count} {count:register|registers} in operands may now use the mask {mask}: {regs}"
        : "the backend's bit 2 of +1398 is clear: no operand is relaxed",
      { count: relaxed.length, mask: `0x${RELAXED_MASK.toString(16).toUpperCase()}`, regs: relaxed.map(regName) },
      { regs: relaxed, nodes: ["pipeline-counter/relaxed"] },
    );
  }
  return {
    matches: 0,
    rewrites: 0,
    why: `only the pipeline counter changes, to ${COUNTER_AFTER_BACK_COPY}`,
    figures: { counter: COUNTER_AFTER_BACK_COPY, relaxed: relaxed.length },
  };
}

/** Uniform registers (the model's address class) and register 41, where instructions read them. */
function relaxedOperands(edit: PassContext["edit"]): Reg[] {
  const found = new Set<Reg>();
  for (const id of edit.func.layout) {
    for (const inst of edit.block(id).insts) {
      for (const r of usesOf(inst)) if (regClass(r) === "UR" || (regClass(r) === "R" && regIndex(r) === SPECIAL_REGISTER)) found.add(r);
    }
  }
  return [...found].sort((a, b) => a - b);
}
