/** The one explicit list of passes. Adding a pass is one folder and one line here. */

import { branchFolding } from "./branch-folding/branch-folding.ts";
import { doSwitchOptSecond } from "./do-switch-opt/do-switch-opt-second.ts";
import type { Pass } from "./pass.ts";

export const PASSES: readonly Pass[] = [branchFolding, doSwitchOptSecond];
