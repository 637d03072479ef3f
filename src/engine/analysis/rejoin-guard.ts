/** Whether lanes reconverge elsewhere when an edge or a branch is removed, and whether some instruction would notice. Not stated in the reference. */

import { Editor } from "../ir/edit.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { getBlock, waitsForBlock } from "../ir/visit.ts";
import type { Arms } from "./arms.ts";
import { cached } from "./cache.ts";
import { leavesFunction, postDominators } from "./dominators.ts";
import { hasRegions, laneMeets, NOWHERE } from "./lane-meets.ts";
import { seesOtherLanes } from "./regrouping.ts";
import { type Uniformity, uniformity } from "./uniformity.ts";

/** Blocks that all questions of one run may examine; beyond it the answer is 'not safe'. */
export const REJOIN_LIMIT = 1_000_000;

/** Why not: an instruction that would run with other lanes, or the limit. */
export type RejoinObstacle = { readonly reason: string; readonly inst: Inst | null } | null;

const anySeesOthers = cached("all", (fn) => fn.layout.some((id) => getBlock(fn, id).insts.some((inst) => seesOtherLanes(inst))));

/**
 * Lanes of a divergent branch reconverge at the BSYNC of the region that is open there, or at its immediate post-dominator (`lane-meets.ts`). If a pass removes an edge or
 * a branch, they may reconverge earlier, and a vote or a shuffle before that would see more of them.
 */
export class RejoinGuard {
  private readonly before: Func;
  private readonly edit: Editor;
  /** Some instruction of the function depends on the lanes it runs with. */
  private readonly matters: boolean;
  /** For `dropArms`, which first needs it: by block id, 1 if a thread can end from the block; null if regions may be open. */
  private ends: Uint8Array | null | undefined;
  private work = 0;

  /** `before`: of the editor, where its owner has one already. */
  constructor(edit: Editor, before: Func = edit.snapshot()) {
    this.before = before;
    this.edit = edit;
    this.matters = anySeesOthers(before);
  }

  /**
   * May the branch of a triangle or a diamond be removed, so that all lanes run its arms together? Where no region is open, lanes that diverge at the head reconverge at
   * the join, which both paths reach, and nothing else has to be checked. For passes that close such arms and end threads at heads: they neither open regions nor
   * change from which blocks a thread can reach its end.
   */
  dropArms({ head, join, taken, otherwise }: Arms): RejoinObstacle {
    if (!this.matters) return null;
    const fn = this.edit.func;
    if (this.ends === undefined) this.ends = hasRegions(fn) ? null : postDominators(fn).inTree;
    const leaves = [head, taken, otherwise].some((id) => id !== null && leavesFunction(fn, id));
    if (this.ends?.[join] !== 1 || join === head || leaves) return this.together(head, null);
    if (!this.spend(fn)) return LIMIT;
    for (const id of getBlock(fn, head).succs.toReversed()) {
      const found = id === join ? null : this.obstacleIn(fn, id, Number.POSITIVE_INFINITY);
      if (found !== null) return uniformity(fn).isDivergent(head) ? found : null;
    }
    return null;
  }

  /** May lanes that diverge in a block run what is below it together, where they ran it one group after the other? For joining this branch with one further down. */
  shareBelow(head: BlockId): RejoinObstacle {
    return this.together(head, null);
  }

  /**
   * May what leads from some blocks to `from` lead to `to` instead? Lanes that leave one of them for both would go together from there on. Asked of blocks
   * that do the same, or of an empty one and where it leads to.
   */
  joinWays(blocks: readonly BlockId[], from: BlockId, to: BlockId): RejoinObstacle {
    if (!this.matters) return null;
    for (const id of blocks) {
      const { succs } = getBlock(this.edit.func, id);
      if (!succs.includes(from) || !succs.includes(to)) continue;
      const obstacle = this.together(id, [to]);
      if (obstacle !== null) return obstacle;
    }
    return null;
  }

  /** The instruction inside a block at which lanes may diverge that reconverge at the end of the block or later; null when there is none, or none that matters. */
  partsInside(block: Block): Inst | null {
    if (!this.matters) return null;
    return block.insts.find((inst) => (inst.op === "BSSY" || waitsForBlock(inst)) && inst.guard !== null) ?? null;
  }

  /** May the lanes that diverge at the end of a block run everything up to their reconvergence together? `from`: only what comes after these. For the current function. */
  private together(block: BlockId, from: readonly BlockId[] | null): RejoinObstacle {
    if (!this.matters) return null;
    const fn = this.edit.func;
    if (!this.spend(fn)) return LIMIT;
    const found = this.obstacleBelow(fn, block, from);
    // Checked last: an edit invalidates this analysis of the whole function, and most blocks have nothing below them that sees other lanes.
    return found === null || !uniformity(fn).isDivergent(block) ? null : found;
  }

  /** The first instruction that would see more lanes, on the paths to where lanes that diverge in the block reconverge; or after it, where they would no longer reconverge. */
  private obstacleBelow(fn: Func, block: BlockId, from: readonly BlockId[] | null): RejoinObstacle {
    const meets = laneMeets(fn);
    const starts = from ?? getBlock(fn, block).succs;
    const meet = meets.meet(block);
    const run = new Map<BlockId, number>();
    let found: RejoinObstacle = null;
    meets.walk(starts, meet, (id, count) => {
      run.set(id, count);
      found = this.obstacleIn(fn, id, count);
      return found !== null;
    });
    if (found !== null || !meets.leavesOpen(run, meet)) return found;
    meets.walk(starts, NOWHERE, (id, count) => {
      found = this.obstacleIn(fn, id, count, "may run with fewer lanes together");
      return found !== null;
    });
    return found;
  }

  /** The first instruction of a block that would see other lanes, when it is among its first `count`. */
  private obstacleIn(fn: Func, id: BlockId, count: number, how = "would run with more lanes together"): RejoinObstacle {
    const { insts, label } = getBlock(fn, id);
    const at = insts.findIndex((inst) => seesOtherLanes(inst));
    if (at < 0 || at >= count) return null;
    const inst = insts[at] as Inst;
    return { reason: `'${inst.op}' in ${label} ${how}`, inst };
  }

  /** Counts a question; false when the limit is spent. */
  private spend(fn: Func): boolean {
    this.work += fn.layout.length;
    return this.work <= REJOIN_LIMIT;
  }

  /**
   * May blocks that end with the same condition become one? Lanes of both would diverge there together. Refused for any function in which lanes diverge at all and
   * some instruction would see it: where they reconverge may change anywhere above.
   */
  joinBranches(): RejoinObstacle {
    if (!this.matters) return null;
    const uniform = uniformity(this.before);
    if (!this.before.layout.some((id) => uniform.isDivergent(id))) return null;
    for (const id of this.before.layout) {
      const { insts, label } = getBlock(this.before, id);
      const inst = insts.find((candidate) => seesOtherLanes(candidate));
      if (inst !== undefined) return { reason: `'${inst.op}' in ${label} may run with other lanes`, inst };
    }
    return null;
  }

  /** May the block's terminators become `insts`, which have fewer successors? Only for edges that are known to be never taken. */
  dropEdges(block: BlockId, insts: readonly Inst[]): RejoinObstacle {
    if (!this.matters) return null;
    const uniform = uniformity(this.before);
    const fn = this.edit.func;
    // Paths from where lanes diverge to here pass the place where they reconverge first: that place stays. Instructions above may be removed by now: the branch shows where it was.
    const last = getBlock(fn, block).insts.at(-1);
    const at = this.before.blocks[block]?.insts.findIndex((inst) => inst.id === last?.id) ?? -1;
    if (at >= 0 && !uniform.inRegion(block) && !uniform.isApart(block, at)) return null;
    this.work += 2 * fn.layout.length;
    if (this.work > REJOIN_LIMIT) return LIMIT;
    const trial = new Editor(fn);
    trial.setTerminators(block, insts);
    const now = postDominators(fn).idom;
    const then = postDominators(trial.func).idom;
    for (const id of fn.layout) {
      if (now[id] === then[id]) continue;
      // At the end of the block itself lanes do not diverge: all that reach it take the known edge.
      const parts = (id !== block && uniform.isDivergent(id)) || getBlock(fn, id).insts.some((inst) => mayPart(inst, uniform));
      if (!parts) continue;
      return {
        reason: `lanes that diverge in ${getBlock(fn, id).label} would reconverge ${place(fn, then[id])} instead of ${place(fn, now[id])}`,
        inst: null,
      };
    }
    return null;
  }
}

/** Inside a block, lanes may continue from here without each other. */
const mayPart = (inst: Inst, uniform: Uniformity): boolean =>
  inst.op === "BREAK" || ((inst.op === "BSSY" || inst.op === "BSYNC" || waitsForBlock(inst)) && uniform.guardVaries(inst));

const LIMIT: RejoinObstacle = { reason: "too many questions about convergence: the limit is spent", inst: null };

const place = (fn: Func, id: number | undefined): string => (id === undefined || id < 0 ? "nowhere" : `at ${fn.blocks[id]?.label ?? id}`);
