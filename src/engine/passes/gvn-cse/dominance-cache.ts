/** The dominance check with its one-entry cache (copy propagation and CSE, "Dominance Check with Cache"). */

import { type DomTree, dominates } from "../../analysis/dominators.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { RULES } from "./rules.ts";

/**
 * The notes skip the check while the function's extended-scope bit is clear. Here it is always made, since a leader that does not dominate would change the
 * program's meaning; the cache is the described one: the last leader's block, for the block that asks.
 */
export class DominanceCache {
  hits = 0;
  misses = 0;
  private readonly tree: DomTree;
  private readonly remark: Remarks;
  private above: BlockId | null = null;
  private below: BlockId | null = null;
  private result = false;

  constructor(tree: DomTree, remark: Remarks) {
    this.tree = tree;
    this.remark = remark;
  }

  dominates(above: BlockId, below: BlockId): boolean {
    const hit = this.above === above && this.below === below;
    if (hit) this.hits++;
    else {
      this.misses++;
      this.above = above;
      this.below = below;
      this.result = dominates(this.tree, above, below);
    }
    const said = this.result ? "dominates" : "does not dominate";
    this.remark.step(RULES.t4, hit ? "hit" : "miss", { above, below, dominates: said, blocks: [above, below], also: { hit } });
    return this.result;
  }
}
