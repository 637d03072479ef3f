/** Phases 82 and 83, backward copy propagation: the definition of a copy's source writes the copy's destination, and the copy is removed. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { usesOf } from "../../ir/visit.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { advancePipelineCounter, COUNTER } from "./pipeline-counter.ts";
import { copyOf, GUARDS, REWRITE, type State } from "./rename.ts";

const RULES = rules({
  phase82: line("phase 82, BackPropVReg (installed by a target option):", { kind: "note", step: "{blocks} {blocks:block|blocks} in RPO" }),
  records: line("  AnalyzeControlFlow, incremental; again when a block is left with a stale record // sub_781F80", BRIEF),
  count: line("  count the definitions and uses of every register", {
    kind: "note",
    step: "{count} {count:register is|registers are} read",
  }),
  walk: line("  for each block in RPO, for each instruction, last to first:", { step: "{block}, from its last instruction" }),
  copy: line("    I must be an unguarded copy MOV Rd, Rs of a whole register", { step: "'{inst}' is a copy of {source:reg}" }),
  ...GUARDS,
  ...REWRITE,
  ...COUNTER,
});

export const backCopyPropagation: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  unmet: [{ ids: ["ori-back-copy-propagate"], conditions: null, why: "This phase only advances a counter: it examines no copy." }],
  run: (ctx) => (ctx.id === "ori-back-copy-propagate" ? advancePipelineCounter(ctx) : run(ctx)),
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs } = ctx;
  const { func } = edit;
  const budget = knobs.budget("back-copy-prop-budget", RULES.budget);
  const { order } = reversePostOrder(func);
  remark.step(RULES.phase82, { blocks: order.length });
  callControlFlow(ctx, RULES.records, false);
  const state: State = { edit, remark, uses: usesIn(func), fixed: new Set([...func.params.map((p) => p.reg), ...func.returns]) };
  remark.step(RULES.count, { count: state.uses.size });
  for (const block of order) {
    remark.open(RULES.walk, { block });
    const more = walk(state, budget, block);
    remark.close();
    if (!more) break;
  }
  return remark.outcome({ none: "the function has no copy", each: "every copy" });
}

function usesIn(func: Func): Map<Reg, number> {
  const uses = new Map<Reg, number>();
  for (const id of func.layout) {
    for (const inst of func.blocks[id]?.insts ?? []) for (const r of usesOf(inst)) uses.set(r, (uses.get(r) ?? 0) + 1);
  }
  return uses;
}

/** False when the budget is spent. */
function walk(state: State, budget: Budget, block: BlockId): boolean {
  const { edit, remark } = state;
  // Removing an instruction only moves those after it, which were examined already.
  for (let at = edit.block(block).insts.length - 1; at >= 0; at--) {
    const inst = edit.block(block).insts[at] as Inst;
    const registers = copyOf(inst);
    if (registers === null) continue;
    remark.step(RULES.copy, { inst, source: registers.source, block });
    const match = RULES.rename.look(state, { inst, block, at, ...registers });
    if (match === null) continue;
    if (!budget.take(RULES.budget)) {
      remark.missed(RULES.budget, "budget", { inst, block });
      return false;
    }
    match.request()?.commit();
  }
  return true;
}
