/** Phase 64, LateOriCommoning: common computations after predication, found by hash and class mask, proved by EQUIV. */

import { FUNC_FLAG } from "../../ir/flags.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { Walker } from "./walker.ts";

export const lateOriCommoning: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  records: RULES.records,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark } = ctx;
  if ((edit.func.flags & FUNC_FLAG.COMMONED) !== 0) {
    remark.missed(RULES.allocate, "already-processed", { name: edit.func.name });
    return remark.outcome({ none: "the function is already processed" });
  }
  callControlFlow(ctx, RULES.records, true);
  const walker = new Walker(ctx);
  walker.run();
  remark.at(RULES.allocate);
  edit.setFuncFlags(edit.func.flags | FUNC_FLAG.COMMONED);
  const { tried, ...counts } = walker.counts;
  return remark.outcome({
    matches: tried,
    none: tried === 0 ? "no instruction could be tried" : "no value is computed twice",
    counts: "always",
    figures: { commoned: counts.movs + counts.removed, ...counts, forgotten: walker.chains.forgotten },
  });
}
