/** What a divergent branch disturbs: the blocks where its lanes reconverge after different paths, and the loops they leave at different times. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { postDominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";

export interface DivergenceRegion {
  /** Blocks on paths from the branch to where all its lanes are together again (its immediate post-dominator), neither end included; in reverse post-order. */
  readonly blocks: readonly BlockId[];
  /** Blocks reached by two paths that share no block: lanes reconverge here with values from different paths. In reverse post-order. */
  readonly joins: readonly BlockId[];
  /** The blocks of the region, and the branch's own, from which the branch is reached again: lanes run through these different numbers of times. */
  readonly cycle: readonly BlockId[];
  /** Edges out of `cycle`. */
  readonly exits: readonly (readonly [from: BlockId, to: BlockId])[];
  /** Is it one of `blocks`? Valid until the next region is computed. */
  readonly has: (block: BlockId) => boolean;
}

const NO_LABEL = -1;

/** Finds the regions of one function's branches one after the other, in the same scratch space. */
export class DivergenceRegions {
  private readonly fn: Func;
  private readonly order: readonly BlockId[];
  private readonly number: Int32Array;
  private readonly idom: Int32Array;
  /** `mark` where a block is in the current region, in its cycle, a seed, a join. */
  private readonly inside: Int32Array;
  private readonly inCycle: Int32Array;
  private readonly seeds: Int32Array;
  private readonly joined: Int32Array;
  private readonly labels: Int32Array;
  private mark = 0;

  constructor(fn: Func) {
    const { order, number } = reversePostOrder(fn);
    const size = fn.blocks.length;
    this.fn = fn;
    this.order = order;
    this.number = number;
    this.idom = postDominators(fn).idom;
    this.inside = new Int32Array(size);
    this.inCycle = new Int32Array(size);
    this.seeds = new Int32Array(size);
    this.joined = new Int32Array(size);
    this.labels = new Int32Array(size);
  }

  /**
   * The region of a branch that a warp may leave on different edges. Labels start at the branch's successors and flow forward; where two different
   * labels come in, lanes of two paths reconverge, and the block becomes its own label. In irreducible graphs a block may be
   * taken for a join that is none: too many joins are safe.
   */
  of(branch: BlockId): DivergenceRegion {
    const { fn, inside, number } = this;
    const mark = ++this.mark;
    const end = this.idom[branch] ?? -1;
    const succs = fn.blocks[branch]?.succs ?? [];
    const places: number[] = [];
    const stack = [...succs];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (id === end || id === branch || inside[id] === mark) continue;
      inside[id] = mark;
      places.push(number[id] ?? 0);
      for (const s of fn.blocks[id]?.succs ?? []) if (inside[s] !== mark) stack.push(s);
    }
    for (const s of succs) this.seeds[s] = mark;
    const blocks = Array.from(Int32Array.from(places).sort(), (place) => this.order[place - 1] as BlockId);
    const joins = this.propagate(branch, end, blocks);
    return { blocks, joins, ...this.cycleOf(branch), has: (id) => inside[id] === mark };
  }

  private propagate(branch: BlockId, end: number, blocks: readonly BlockId[]): BlockId[] {
    const { fn, labels, joined, mark } = this;
    const order = end >= 0 && end !== branch ? [...blocks, end as BlockId] : blocks;
    for (const id of order) labels[id] = NO_LABEL;
    const labelled = (p: number): boolean => p !== branch && p !== end && this.inside[p] === mark;
    for (let changed = true; changed; ) {
      changed = false;
      for (const id of order) {
        if (joined[id] === mark) continue;
        let incoming = this.seeds[id] === mark ? id : NO_LABEL;
        let isJoin = false;
        for (const p of fn.blocks[id]?.preds ?? []) {
          const l = labelled(p) ? (labels[p] ?? NO_LABEL) : NO_LABEL;
          if (l === NO_LABEL || l === incoming) continue;
          if (incoming === NO_LABEL) incoming = l as BlockId;
          else isJoin = true;
        }
        if (isJoin) {
          joined[id] = mark;
          incoming = id;
        }
        if (incoming !== NO_LABEL && labels[id] !== incoming) {
          labels[id] = incoming;
          changed = true;
        }
      }
    }
    return order.filter((id) => joined[id] === mark).sort((a, b) => (this.number[a] ?? 0) - (this.number[b] ?? 0));
  }

  private cycleOf(branch: BlockId): Pick<DivergenceRegion, "cycle" | "exits"> {
    const { fn, inside, inCycle, mark } = this;
    const within = (p: BlockId): boolean => (p === branch || inside[p] === mark) && inCycle[p] !== mark;
    const cycle: BlockId[] = [];
    const stack = (fn.blocks[branch]?.preds ?? []).filter(within);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (inCycle[id] === mark) continue;
      inCycle[id] = mark;
      cycle.push(id);
      if (id !== branch) for (const p of fn.blocks[id]?.preds ?? []) if (within(p)) stack.push(p);
    }
    if (cycle.length > 0 && inCycle[branch] !== mark) {
      inCycle[branch] = mark;
      cycle.push(branch);
    }
    const exits: [BlockId, BlockId][] = [];
    for (const from of cycle) for (const to of fn.blocks[from]?.succs ?? []) if (inCycle[to] !== mark) exits.push([from, to]);
    return { cycle, exits };
  }
}
