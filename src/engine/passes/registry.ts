/** The one explicit list of passes. A new pass has a line here and one in `abouts.ts`. */

import { analyzeControlFlowPass } from "./analyze-control-flow/analyze-control-flow.ts";
import { backCopyPropagation } from "./back-copy-prop/back-copy-prop.ts";
import { branchFolding } from "./branch-folding/branch-folding.ts";
import { oriBranchOpt } from "./branch-opt/ori-branch-opt.ts";
import { doSwitchOptSecond } from "./do-switch-opt/do-switch-opt-second.ts";
import { doSwitchOptFirst } from "./do-switch-opt-first/do-switch-opt-first.ts";
import { expandJmxComputation } from "./expand-jmx/expand-jmx-computation.ts";
import { generalOptimize } from "./general-optimize/general-optimize.ts";
import { generalOptimizeEarly } from "./general-optimize-early/general-optimize-early.ts";
import { generalOptimizeLate } from "./general-optimize-late/general-optimize-late.ts";
import { generalOptimizeMid } from "./general-optimize-mid/general-optimize-mid.ts";
import { gvnCse } from "./gvn-cse/gvn-cse.ts";
import { lateOriCommoning } from "./late-ori-commoning/late-ori-commoning.ts";
import { oriPerformLiveDead } from "./live-dead/live-dead.ts";
import { mergeEquivalentConditionalFlow } from "./merge-equivalent-conditional-flow/merge-equivalent-conditional-flow.ts";
import { optimizeNestedCondBranches } from "./optimize-nested-cond-branches/optimize-nested-cond-branches.ts";
import { oriDoPredication } from "./ori-do-predication/ori-do-predication.ts";
import { oriLinearReplacement } from "./ori-linear-replacement/ori-linear-replacement.ts";
import { oriReassociateAndCommon } from "./ori-reassociate-and-common/ori-reassociate-and-common.ts";
import type { Pass } from "./pass.ts";
import { setControlFlowOpLastInBb } from "./set-control-flow-op/set-control-flow-op-last-in-bb.ts";

export const PASSES: readonly Pass[] = [
  branchFolding,
  backCopyPropagation,
  optimizeNestedCondBranches,
  oriLinearReplacement,
  oriDoPredication,
  mergeEquivalentConditionalFlow,
  gvnCse,
  oriReassociateAndCommon,
  lateOriCommoning,
  doSwitchOptFirst,
  doSwitchOptSecond,
  expandJmxComputation,
  analyzeControlFlowPass,
  oriBranchOpt,
  setControlFlowOpLastInBb,
  oriPerformLiveDead,
  generalOptimizeEarly,
  generalOptimize,
  generalOptimizeMid,
  generalOptimizeLate,
];
