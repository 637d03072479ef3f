/** The dominance check with its one-entry cache (copy propagation and CSE, "Dominance Check with Cache"). */

import { type DomTree, dominates } from "../../analysis/dominators.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/**
 * The notes skip the check while the function's extended-scope bit is clear. Here it is always made, since a leader that does not dominate would change the
 * program's meaning; the cache is the described one: the last leader's block, for the block that asks.
 */
export class DominanceCache {
  hits = 0;
  misses = 0;
  private readonly tree: DomTree;
  private readonly rec: Recorder;
  private readonly label: (id: BlockId) => string;
  private above: BlockId | null = null;
  private below: BlockId | null = null;
  private result = false;

  constructor(tree: DomTree, rec: Recorder, label: (id: BlockId) => string) {
    this.tree = tree;
    this.rec = rec;
    this.label = label;
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
    if (this.rec.on) {
      this.rec.event(
        "cache",
        LINE.t4,
        hit ? "the cache knows: {above} {dominates} {below}" : "not in the cache: {above} {dominates} {below}",
        { above: this.label(above), below: this.label(below), dominates: this.result ? "dominates" : "does not dominate", hit },
        { blocks: [above, below] },
      );
    }
    return this.result;
  }
}
