/** The one explicit list of passes. Adding a pass is one folder and one line here. */

import { analyzeControlFlowPass } from "./analyze-control-flow/analyze-control-flow.ts";
import { branchFolding } from "./branch-folding/branch-folding.ts";
import { doSwitchOptSecond } from "./do-switch-opt/do-switch-opt-second.ts";
import { expandJmxComputation } from "./expand-jmx/expand-jmx-computation.ts";
import { oriPerformLiveDead } from "./live-dead/live-dead.ts";
import type { Pass } from "./pass.ts";
import { setControlFlowOpLastInBb } from "./set-control-flow-op/set-control-flow-op-last-in-bb.ts";

export const PASSES: readonly Pass[] = [
  branchFolding,
  doSwitchOptSecond,
  expandJmxComputation,
  analyzeControlFlowPass,
  setControlFlowOpLastInBb,
  oriPerformLiveDead,
];
