/** Where barriers are named, and what can be open or named at a place. */

import type { BlockId, Reg } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { alwaysRuns, barrierOf, getBlock } from "../../ir/visit.ts";

/** Blocks that the walks of one run may visit together; regions beyond it stay. */
const WALK_LIMIT = 4_000_000;

export interface Place {
  readonly block: BlockId;
  readonly at: number;
}

/** Where one barrier is named: places in each block, ascending. */
interface BarrierEvents {
  readonly at: Map<BlockId, number[]>;
  /** Made when first needed. */
  openHeads: ReadonlySet<BlockId> | null;
}

/** The answers for one state of a function. */
export class BarrierPlaces {
  private readonly fn: Func;
  private events: ReadonlyMap<Reg, BarrierEvents> | null = null;
  private work = 0;

  constructor(fn: Func) {
    this.fn = fn;
  }

  /** Counts one visited block; false when no more may be visited. */
  visit(): boolean {
    return ++this.work <= WALK_LIMIT;
  }

  /** Backwards from the BSSY some path reaches a BSSY of the same barrier, or another use of it, before a BSYNC. */
  mayBeOpen(open: Place, barrier: Reg): boolean {
    const events = this.eventsOf(barrier);
    const before = events.at.get(open.block)?.findLast((i) => i < open.at);
    if (before !== undefined) return this.opens(open.block, before);
    events.openHeads ??= this.openHeads(events.at);
    return events.openHeads.has(open.block);
  }

  /** Blocks at whose head the barrier may be open: whatever is reached from where it is opened, up to the next instruction that names it. */
  private openHeads(at: ReadonlyMap<BlockId, readonly number[]>): ReadonlySet<BlockId> {
    const heads = new Set<BlockId>();
    const work: BlockId[] = [];
    for (const [block, places] of at) if (this.opens(block, places.at(-1) ?? 0)) work.push(block);
    for (let block = work.pop(); block !== undefined; block = work.pop()) {
      for (const s of getBlock(this.fn, block).succs) {
        if (heads.has(s)) continue;
        heads.add(s);
        if (!at.has(s)) work.push(s);
      }
    }
    return heads;
  }

  /** True for any instruction that names a barrier, but for a BSYNC of all lanes. */
  private opens(block: BlockId, at: number): boolean {
    const inst = getBlock(this.fn, block).insts[at] as Inst;
    return inst.op !== "BSYNC" || !alwaysRuns(inst);
  }

  /** Backwards from the BSYNC every path must reach this BSSY before the entry, another BSSY or another BSYNC of the barrier. */
  reachedOnlyFrom(sync: Place, open: Place, barrier: Reg): boolean {
    const { at } = this.eventsOf(barrier);
    const seen = new Set<BlockId>();
    const stack: Place[] = [{ block: sync.block, at: sync.at }];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (!this.visit()) return false;
      const { block, at: end } = place;
      const met = at.get(block)?.findLast((i) => i < end);
      if (met !== undefined) {
        if (block !== open.block || met !== open.at) return false;
        continue;
      }
      if (block === this.fn.layout[0]) return false;
      for (const p of getBlock(this.fn, block).preds) {
        if (seen.has(p)) continue;
        seen.add(p);
        stack.push({ block: p, at: Number.POSITIVE_INFINITY });
      }
    }
    return true;
  }

  /** The block of the first other instruction after the BSYNC that reads the barrier as this region left it. */
  usedAfter(sync: Place, barrier: Reg): BlockId | null {
    const { at } = this.eventsOf(barrier);
    const seen = new Set<BlockId>();
    const stack: Place[] = [{ block: sync.block, at: sync.at + 1 }];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (!this.visit()) return place.block;
      const { block, at: from } = place;
      const next = at.get(block)?.find((i) => i >= from);
      if (next !== undefined) {
        if (getBlock(this.fn, block).insts[next]?.op !== "BSSY") return block;
        continue;
      }
      for (const s of getBlock(this.fn, block).succs) {
        if (seen.has(s)) continue;
        seen.add(s);
        stack.push({ block: s, at: 0 });
      }
    }
    return null;
  }

  private eventsOf(barrier: Reg): BarrierEvents {
    this.events ??= collectEvents(this.fn);
    return this.events.get(barrier) ?? { at: new Map(), openHeads: null };
  }
}

/** One pass over the function, for all barriers. */
function collectEvents(fn: Func): ReadonlyMap<Reg, BarrierEvents> {
  const events = new Map<Reg, BarrierEvents>();
  for (const id of fn.layout) {
    for (const [i, inst] of getBlock(fn, id).insts.entries()) {
      const barrier = barrierOf(inst);
      if (barrier === null) continue;
      const found = events.get(barrier) ?? { at: new Map(), openHeads: null };
      events.set(barrier, found);
      const places = found.at.get(id);
      if (places === undefined) found.at.set(id, [i]);
      else places.push(i);
    }
  }
  return events;
}
