/** Phase 3, AnalyzeControlFlow: the pipeline's entry to the control-flow analysis that other phases call themselves. */

import { plural } from "../../../base/plural.ts";
import { loopInfo } from "../../analysis/loops.ts";
import { BLOCK_FLAG } from "../../ir/flags.ts";
import type { Func } from "../../ir/types.ts";
import { pseudocodeOf } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { analyzeControlFlow } from "../shared/control-flow/control-flow.ts";
import { CONTROL_FLOW } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { stepDominators } from "./dominator-steps.ts";

/** Source: analyze-control-flow, 'Wrapper Gate'. The level and knob 235 are gates of the position; the wrapper requests incremental mode, a knob here for the other. */
export const analyzeControlFlowPass: Pass = {
  ...identityOf(ABOUT),
  rules: CONTROL_FLOW,
  pseudocode: pseudocodeOf(CONTROL_FLOW),
  run: ({ edit, remark, knobs }: PassContext): PassOutcome => {
    const result = analyzeControlFlow(edit, { force: knobs.flag("control-flow-full-rebuild", CONTROL_FLOW.guard), remark });
    const fn = edit.func;
    stepDominators(fn, remark);
    const { loops } = loopInfo(fn);
    const figures = {
      blocks: result.count,
      unreachable: fn.layout.length - result.count,
      edges: result.successors.edgeCount,
      backEdges: result.backEdges.edgeCount,
      loopHeaders: loops.length,
      inLoop: fn.layout.filter((id) => ((fn.blocks[id]?.flags ?? 0) & BLOCK_FLAG.IN_LOOP) !== 0).length,
      inNaturalLoop: naturalBlocks(fn),
      retagged: result.retagged,
      violation: result.violation ? 1 : 0,
    };
    return remark.outcome({ matches: loops.length, why: sentence(figures), figures });
  },
};

function naturalBlocks(fn: Func): number {
  const { depth } = loopInfo(fn);
  let n = 0;
  for (const id of fn.layout) if ((depth[id] ?? 0) > 0) n++;
  return n;
}

function sentence(f: Readonly<Record<"blocks" | "unreachable" | "loopHeaders" | "backEdges" | "violation", number>>): string {
  const parts = [
    `it only annotates: ${plural(f.blocks, "block")} numbered`,
    plural(f.loopHeaders, "loop header"),
    plural(f.backEdges, "back edge"),
  ];
  if (f.unreachable > 0) parts.push(`${plural(f.unreachable, "block")} unreachable`);
  if (f.violation > 0) parts.push("the graph is irreducible");
  return parts.join(", ");
}
