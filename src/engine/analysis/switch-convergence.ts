/** Whether it matters which lanes of a warp run a piece of code together: what a new dispatch may regroup, and what it may not. */

import type { BlockId } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { effectOf, getBlock } from "../ir/visit.ts";
import { postDominators } from "./dominators.ts";
import { uniformity } from "./uniformity.ts";

/** Blocks that all questions about one function may visit together; beyond it the answer is 'not safe'. */
export const REGROUP_LIMIT = 4_000_000;

/** The instruction that would see another set of lanes, or null when there is none; `capped`: the limit was reached. */
export type RegroupObstacle = { readonly block: BlockId; readonly inst: Inst } | "capped" | null;

/** Depends on which lanes arrive together: warp operations, barriers, calls, and whatever is not known well enough. */
export function seesOtherLanes(inst: Inst): boolean {
  switch (effectOf(inst)) {
    case "warp":
    case "barrier":
    case "call":
      return true;
    case "sync":
      return inst.op === "WARPSYNC";
    default:
      return false;
  }
}

/** Answers for one state of a function; make one before its edits and ask all questions of it. */
export class Regrouping {
  /** Some reachable or unreachable instruction of the function depends on the lanes it runs with. */
  readonly matters: boolean;
  private readonly fn: Func;
  private readonly sensitive: (Inst | undefined)[];
  private work = 0;

  constructor(fn: Func) {
    this.fn = fn;
    this.sensitive = new Array(fn.blocks.length);
    let matters = false;
    for (const id of fn.layout) {
      const found = getBlock(fn, id).insts.find(seesOtherLanes);
      if (found !== undefined) {
        this.sensitive[id] = found;
        matters = true;
      }
    }
    this.matters = matters;
  }

  /**
   * May the lanes that leave `branches` be grouped differently on their way to where all of them are together again? `branches` is a chain of blocks, the
   * first of which all lanes pass. Null when no branch is divergent, or nothing on the way depends on the grouping.
   */
  obstacle(branches: readonly BlockId[]): RegroupObstacle {
    const head = branches[0];
    if (!this.matters || head === undefined) return null;
    const end = postDominators(this.fn).idom[head] ?? -1;
    const found = this.search(branches, end);
    if (found === null) return null;
    const uniform = uniformity(this.fn);
    return branches.some((id) => uniform.isDivergent(id)) ? found : null;
  }

  /** Everything between the branches and their common end, the end left out. Going round a loop the branches are passed again. */
  private search(branches: readonly BlockId[], end: number): RegroupObstacle {
    const seen = new Set<BlockId>();
    const stack: BlockId[] = [];
    for (const id of branches) for (const s of getBlock(this.fn, id).succs) stack.push(s);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (id === end || seen.has(id)) continue;
      seen.add(id);
      if (++this.work > REGROUP_LIMIT) return "capped";
      const inst = this.sensitive[id];
      if (inst !== undefined) return { block: id, inst };
      for (const s of getBlock(this.fn, id).succs) stack.push(s);
    }
    return null;
  }
}
