/** Whether taking an edge or a branch away lets lanes meet elsewhere, and whether some instruction would notice. Not stated in the notes. */

import { Editor } from "../ir/edit.ts";
import { cloneToStore } from "../ir/edit-op.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { postDominators } from "./dominators.ts";
import { openRegions, seesOtherLanes } from "./switch-convergence.ts";
import { uniformity } from "./uniformity.ts";

/** Blocks that all questions of one run may look at; beyond it the answer is 'not safe'. */
export const REJOIN_LIMIT = 1_000_000;

/** Why not: an instruction that would run with other lanes, or the limit. */
export type RejoinObstacle = { readonly reason: string; readonly inst: Inst | null } | null;

/**
 * Lanes of a divergent branch meet at its immediate post-dominator, or at the BSYNC of an open region (ori-ir.md §3). An edge that is never taken counts for that; without it they may meet
 * earlier, and a vote or a shuffle on the way would see more of them.
 */
export class RejoinGuard {
  private readonly before: Func;
  private readonly edit: Editor;
  /** Blocks with an instruction that depends on the lanes it runs with. */
  private readonly sensitive = new Map<BlockId, Inst>();
  private open: Uint8Array | null = null;
  private work = 0;

  constructor(before: Func, edit: Editor) {
    // The editor goes on changing its own record of the function; the blocks in it are copied before they are written to.
    this.before = cloneToStore(before).func;
    this.edit = edit;
    for (const id of before.layout) {
      const found = getBlock(before, id).insts.find((inst) => seesOtherLanes(inst));
      if (found !== undefined) this.sensitive.set(id, found);
    }
  }

  /**
   * May the branches of a block go whose ways all lead to one block? Lanes that part there meet again in that block at once, unless a region is open: then they
   * stay apart up to its BSYNC.
   */
  dropBranch(branches: readonly Inst[], block: BlockId): RejoinObstacle {
    if (this.sensitive.size === 0) return null;
    this.open ??= openRegions(this.before);
    if (this.open[block] !== 1) return null;
    const uniform = uniformity(this.before);
    if (branches.every((inst) => uniform.varyingUses(inst.id).length === 0)) return null;
    const seen = new Set<BlockId>();
    const work = [...getBlock(this.before, block).succs];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      if (++this.work > REJOIN_LIMIT) return LIMIT;
      const inst = this.sensitive.get(id);
      if (inst !== undefined) return { reason: `the end of an open region, past '${inst.op}' in ${getBlock(this.before, id).label}`, inst };
      for (const s of getBlock(this.before, id).succs) work.push(s);
    }
    return null;
  }

  /**
   * May lanes that part in a block run what is below it together, where they ran it one group after the other? Asked when a branch further down is joined with
   * this one. They meet at the block's immediate post-dominator in any case, or at the end of an open region.
   */
  shareBelow(head: BlockId): RejoinObstacle {
    if (this.sensitive.size === 0 || !uniformity(this.before).isDivergent(head)) return null;
    this.open ??= openRegions(this.before);
    const meet = this.open[head] === 1 ? -1 : (postDominators(this.before).idom[head] ?? -1);
    const seen = new Set<BlockId>();
    const work = [...getBlock(this.before, head).succs];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (id === meet || seen.has(id)) continue;
      seen.add(id);
      if (++this.work > REJOIN_LIMIT) return LIMIT;
      const inst = this.sensitive.get(id);
      if (inst !== undefined)
        return { reason: `'${inst.op}' in ${getBlock(this.before, id).label} would run with more lanes together`, inst };
      for (const s of getBlock(this.before, id).succs) work.push(s);
    }
    return null;
  }

  /**
   * May blocks that end with the same condition become one? Lanes of both would part there together. Refused for any function in which lanes part at all and
   * some instruction would see it: where they meet again may change anywhere above.
   */
  joinBranches(): RejoinObstacle {
    const [first] = this.sensitive;
    if (first === undefined) return null;
    const uniform = uniformity(this.before);
    if (!this.before.layout.some((id) => uniform.isDivergent(id))) return null;
    return { reason: `'${first[1].op}' in ${getBlock(this.before, first[0]).label} may run with other lanes`, inst: first[1] };
  }

  /** May the block's terminators become `insts`, which have fewer successors? Only for ways that are known to be never taken. */
  dropEdges(block: BlockId, insts: readonly Inst[]): RejoinObstacle {
    if (this.sensitive.size === 0) return null;
    const uniform = uniformity(this.before);
    // Ways from a divergent branch to here pass the place where its lanes meet first: that place stays.
    if (!uniform.inRegion(block)) return null;
    const fn = this.edit.func;
    this.work += 2 * fn.layout.length;
    if (this.work > REJOIN_LIMIT) return LIMIT;
    const trial = new Editor(fn, NO_RECORDER);
    trial.setTerminators(block, insts);
    const now = postDominators(fn).idom;
    const then = postDominators(trial.func).idom;
    for (const id of fn.layout) {
      // Lanes do not part in the block itself: all that reach it go the way that is known.
      if (id === block || now[id] === then[id] || !uniform.isDivergent(id)) continue;
      return {
        reason: `lanes that part in ${getBlock(fn, id).label} would meet ${place(fn, then[id])} instead of ${place(fn, now[id])}`,
        inst: null,
      };
    }
    return null;
  }
}

const LIMIT: RejoinObstacle = { reason: "too many questions about convergence: the limit is spent", inst: null };

const place = (fn: Func, id: number | undefined): string => (id === undefined || id < 0 ? "nowhere" : `at ${fn.blocks[id]?.label ?? id}`);
