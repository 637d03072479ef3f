/** What the two parts of the phase share: both collect a block's dead instructions, and remove them in one sweep. */

import type { BlockId, InstId } from "../../ir/ids.ts";
import type { Rewrite } from "../../remark/remarks.ts";
import type { PassContext } from "../pass.ts";

export interface State extends Pick<PassContext, "edit" | "remark" | "policy"> {
  /** Removals that were requested before any was made: only where some may be refused. */
  readonly granted: Map<InstId, Rewrite>;
  /** What the sweep of the block removes. */
  readonly doomed: Set<InstId>;
}

export function sweepDoomed({ edit, doomed }: State, block: BlockId): void {
  if (doomed.size > 0) edit.sweep(block, (inst) => doomed.has(inst.id));
  doomed.clear();
}
