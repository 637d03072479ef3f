/** The dominance check with its one-entry cache (copy propagation and CSE, "Dominance Check with Cache"). */

import { dominates } from "../../analysis/dominators.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { Numbering } from "./numbering.ts";
import type { CacheRow } from "./rows.ts";

/** The frame of the message about an instruction that is not replaced. */
export const STAYS = "'{inst}' in {block} stays: {why}";

/** The lines of the check. */
export const DOMINANCE = {
  chain: line("    mode 2: up the immediate dominators, to the leader's block", {
    step: {
      walked: "up from {below:block}: {walked:blocks}",
      long: "up from {below:block} there are more than 256 dominators, so their numbers are compared instead",
    },
  }),
  t4: line(
    "    the leader's block must dominate this one, which a one-entry cache remembers; if not, I leads // T4: the source is I's own head",
    {
      kind: "cache",
      step: {
        hit: "the cache knows: {above:block} {dominates} {below:block}",
        miss: "not in the cache: {above:block} {dominates} {below:block}",
      },
      stays: STAYS,
      missed: {
        "leader-dominates": {
          code: "T4",
          say: "{home:block}, where the leader is, does not dominate {block}",
          droppable: "on a path that bypasses the leader its register may differ",
        },
      },
    },
  ),
};

/** Steps up the chain of immediate dominators before the tree's own numbers are compared. */
const LONGEST_CHAIN = 256;

/**
 * The reference skips the check while the function's extended-scope bit is clear. Here it is always made, since a leader that does not dominate would change the
 * program's meaning; the cache is the described one: the last leader's block, for the block that reads it. It keeps the plain answer, the caller gets the inverted one.
 */
export class DominanceCache {
  hits = 0;
  misses = 0;
  private readonly numbering: Numbering;
  private readonly view: ShownTable<CacheRow>;
  private readonly remark: Remarks;
  /** Mode 2: the chain of immediate dominators is walked. */
  private readonly chain: boolean;
  private above: BlockId | null = null;
  private below: BlockId | null = null;
  private result = false;

  constructor(numbering: Numbering, remark: Remarks, chain: boolean) {
    this.numbering = numbering;
    this.view = remark.shown.table("dominance-cache", "Dominance cache: its one entry (qword_2A12A08, byte_2A129FE)");
    this.remark = remark;
    this.chain = chain;
  }

  /** The inverted answer, as the described function returns it: true when `above` does not dominate `below`. */
  denies(above: BlockId, below: BlockId): boolean {
    const hit = this.above === above && this.below === below;
    if (hit) this.hits++;
    else {
      this.misses++;
      this.above = above;
      this.below = below;
      this.result = this.chain ? this.climb(above, below) : dominates(this.numbering.walk.tree, above, below);
      const { blocks } = this.numbering.fn;
      const stored = Number(this.result);
      this.view.set("entry", () => ({ leader: blocks[above]?.label ?? "", block: blocks[below]?.label ?? "", dominates: stored }));
    }
    const said = this.result ? "dominates" : "does not dominate";
    this.remark.step(DOMINANCE.t4, hit ? "hit" : "miss", {
      above,
      below,
      dominates: said,
      blocks: [above, below],
      node: this.view.node("entry"),
      also: { hit, cached: Number(this.result), answer: Number(!this.result) },
    });
    return !this.result;
  }

  /** Up the immediate dominators of `below`, as far as the leader's depth allows. */
  private climb(above: BlockId, below: BlockId): boolean {
    const { idom, enter } = this.numbering.walk.tree;
    const walked: BlockId[] = [];
    let at = idom[below] ?? -1;
    // A dominator is entered before what it dominates: further up than the leader it cannot be.
    while (at >= 0 && at !== above && (enter[at] ?? 0) > (enter[above] ?? 0) && walked.length < LONGEST_CHAIN) {
      walked.push(at as BlockId);
      at = idom[at] ?? -1;
    }
    if (at >= 0) walked.push(at as BlockId);
    const long = walked.length > LONGEST_CHAIN;
    this.remark.step(DOMINANCE.chain, long ? "long" : "walked", { below, walked, blocks: [below], also: { steps: walked.length } });
    return long ? dominates(this.numbering.walk.tree, above, below) : at === above;
  }
}
