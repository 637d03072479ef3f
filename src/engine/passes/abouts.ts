/** What each pass says about itself: data, without the passes' code. A new pass has a line here and one in `registry.ts`. */

import type { About } from "./about.ts";
import { ABOUT as analyzeControlFlow } from "./analyze-control-flow/about.ts";
import { ABOUT as backCopyProp } from "./back-copy-prop/about.ts";
import { ABOUT as branchFolding } from "./branch-folding/about.ts";
import { ABOUT as branchOpt } from "./branch-opt/about.ts";
import { ABOUT as doSwitchOpt } from "./do-switch-opt/about.ts";
import { ABOUT as doSwitchOptFirst } from "./do-switch-opt-first/about.ts";
import { ABOUT as expandJmx } from "./expand-jmx/about.ts";
import { ABOUT as generalOptimize } from "./general-optimize/about.ts";
import { ABOUT as generalOptimizeEarly } from "./general-optimize-early/about.ts";
import { ABOUT as generalOptimizeLate } from "./general-optimize-late/about.ts";
import { ABOUT as generalOptimizeMid } from "./general-optimize-mid/about.ts";
import { ABOUT as gvnCse } from "./gvn-cse/about.ts";
import { ABOUT as lateOriCommoning } from "./late-ori-commoning/about.ts";
import { ABOUT as liveDead } from "./live-dead/about.ts";
import { ABOUT as mergeEquivalentConditionalFlow } from "./merge-equivalent-conditional-flow/about.ts";
import { ABOUT as optimizeNestedCondBranches } from "./optimize-nested-cond-branches/about.ts";
import { ABOUT as oriDoPredication } from "./ori-do-predication/about.ts";
import { ABOUT as oriLinearReplacement } from "./ori-linear-replacement/about.ts";
import { ABOUT as oriReassociateAndCommon } from "./ori-reassociate-and-common/about.ts";
import { ABOUT as setControlFlowOp } from "./set-control-flow-op/about.ts";

export const ABOUTS = [
  branchFolding,
  analyzeControlFlow,
  setControlFlowOp,
  generalOptimizeEarly,
  doSwitchOptFirst,
  branchOpt,
  liveDead,
  generalOptimize,
  doSwitchOpt,
  oriLinearReplacement,
  generalOptimizeMid,
  optimizeNestedCondBranches,
  gvnCse,
  oriReassociateAndCommon,
  generalOptimizeLate,
  oriDoPredication,
  lateOriCommoning,
  expandJmx,
  backCopyProp,
  mergeEquivalentConditionalFlow,
] as const satisfies readonly About[];
