/** Handler A, first half: removes BSSY and BSYNC where the lanes in between cannot go apart. */

import { laneMeets } from "../../analysis/lane-meets.ts";
import { type Uniformity, uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { alwaysRuns, barrierOf, effectOf, getBlock, isTerminator, isUnconditional } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import { BarrierPlaces, type Place } from "./barrier-places.ts";
import type { Part } from "./part.ts";
import type { ModifiedBlockRow } from "./rows.ts";
import { RULES } from "./rules.ts";

interface Pair {
  readonly opens: Inst;
  readonly open: BlockId;
  /** BSYNCs of the region: block and instruction. */
  readonly syncs: readonly { readonly block: BlockId; readonly inst: InstId }[];
  /** Branches inside. */
  readonly branches: number;
}

/** Decides for all BSSYs on the function as it is, then deletes the pairs that may go. */
export function removeSyncPairs(ctx: PassContext): Part {
  const { edit, remark } = ctx;
  const fn = edit.func;
  const finder = new PairFinder(ctx);
  const pairs: Pair[] = [];
  let matches = 0;
  remark.open(RULES.sync);
  for (const block of fn.layout) {
    for (const [at, inst] of getBlock(fn, block).insts.entries()) {
      if (inst.op !== "BSSY") continue;
      matches++;
      const barrier = barrierOf(inst);
      remark.open(RULES.bssy, { block, barrier: barrier ?? "no barrier", inst });
      const pair = finder.find({ block, at }, inst, barrier);
      if (pair !== null) {
        const { syncs, branches } = pair;
        const said = { block, syncs: syncs.length, barrier, branches, inst, blocks: () => syncs.map((s) => s.block) };
        remark.found(RULES.divergent, said, () => pairs.push(pair));
      }
      remark.close();
    }
  }
  deletePairs(ctx, pairs);
  remark.close();
  const reasons = remark.reasons("number", [RULES.walk, RULES.barrier, RULES.guards, RULES.divergent, RULES.alone]);
  return { matches, rewrites: pairs.length, why: matches === 0 ? "no BSSY" : `every sync pair stays: ${reasons}` };
}

function deletePairs({ edit, remark }: PassContext, pairs: readonly Pair[]): void {
  if (pairs.length === 0) return;
  const worklist = remark.shown.worklist<ModifiedBlockRow>("modified-blocks", "Blocks that lost a sync instruction");
  const doomed = new Map<BlockId, Set<InstId>>();
  const doom = (block: BlockId, inst: InstId): void => {
    const set = doomed.get(block);
    if (set === undefined) doomed.set(block, new Set([inst]));
    else set.add(inst);
  };
  for (const { open, opens, syncs } of pairs) {
    doom(open, opens.id);
    for (const { block, inst } of syncs) doom(block, inst);
  }
  let n = 0;
  for (const [block, insts] of doomed) {
    remark.at(RULES.remove);
    edit.sweep(block, (inst) => insts.has(inst.id));
    worklist.set(n++, { block, label: edit.block(block).label, removed: insts.size });
  }
  remark.step(RULES.remove, { pairs: pairs.length, modified: doomed.size, blocks: () => [...doomed.keys()] });
}

/** A BSSY and its barrier, in remarks. */
interface Said {
  readonly block: BlockId;
  readonly barrier: Reg;
  readonly inst: Inst;
}

/** Where a walk through a region stops: at a BSYNC of its barrier, or it leaves the block for others. */
interface Stop {
  readonly sync: { readonly inst: Inst; readonly at: number } | null;
  readonly leaves: readonly BlockId[];
}

class PairFinder {
  private readonly ctx: PassContext;
  private readonly fn: Func;
  private readonly places: BarrierPlaces;
  private uniform: Uniformity | null = null;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.fn = ctx.edit.func;
    this.places = new BarrierPlaces(this.fn);
  }

  /** The BSSY with its BSYNCs when they may go; null when not. */
  find(open: Place, opens: Inst, barrier: Reg | null): Pair | null {
    const { remark } = this.ctx;
    const { block } = open;
    if (barrier === null) return remark.missed(RULES.guards, "no-barrier", { block, inst: opens });
    const said = { block, barrier, inst: opens };
    if (!remark.holds(RULES.guards, "guarded-bssy", alwaysRuns(opens), said)) return null;
    if (!remark.holds(RULES.barrier, "barrier-open", !this.places.mayBeOpen(open, barrier), said)) return null;
    const region = this.region(open, said);
    if (region === null) return null;
    const { syncs, branches } = region;
    if (syncs.size === 0) return remark.missed(RULES.walk, "no-bsync", said);
    if (!this.isAlone([...syncs.values()], open, said)) return null;
    return { opens, open: block, syncs: [...syncs].map(([inst, sync]) => ({ block: sync.block, inst })), branches };
  }

  /** The BSYNCs that end the region, by instruction; null when lanes may go apart in it, or something else forbids the removal. */
  private region(open: Place, said: Said): { readonly syncs: ReadonlyMap<InstId, Place>; readonly branches: number } | null {
    const { remark } = this.ctx;
    const syncs = new Map<InstId, Place>();
    let branches = 0;
    const seen = new Set<BlockId>();
    const stack: Place[] = [{ block: open.block, at: open.at + 1 }];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      const { block, at } = place;
      if (at === 0) {
        if (seen.has(block)) continue;
        seen.add(block);
      }
      if (!this.places.visit()) return remark.missed(RULES.walk, "too-large", said);
      const stop = this.walk(block, at, said);
      if (stop === null) return null;
      if (stop.sync !== null) syncs.set(stop.sync.inst.id, { block, at: stop.sync.at });
      if (stop.leaves.length > 1) {
        branches++;
        this.uniform ??= uniformity(this.fn);
        const apart = this.uniform.isDivergent(block);
        if (apart && !remark.holds(RULES.divergent, "divergent-branch", false, { ...said, inside: block, blocks: [block] })) return null;
      }
      for (const s of stop.leaves) stack.push({ block: s, at: 0 });
    }
    return { syncs, branches };
  }

  /** Goes through a block from `at` on, up to the barrier's BSYNC. Null when the pair has to stay. */
  private walk(block: BlockId, at: number, said: Said): Stop | null {
    const { remark } = this.ctx;
    const { barrier } = said;
    const { insts, succs } = getBlock(this.fn, block);
    for (let i = at; i < insts.length; i++) {
      const inst = insts[i] as Inst;
      const names = barrierOf(inst) === barrier;
      if (names && inst.op === "BSYNC") {
        if (!alwaysRuns(inst) && !remark.holds(RULES.guards, "guarded-bsync", false, { ...said, inside: block, blocks: [block] }))
          return null;
        return { sync: { inst, at: i }, leaves: [] };
      }
      if (names && !remark.holds(RULES.barrier, "barrier-used", false, { ...said, op: inst.op, inside: block, blocks: [block] }))
        return null;
      const apart = !alwaysRuns(inst) && this.waits(inst) && this.guardVaries(inst);
      if (apart && !remark.holds(RULES.guards, "divergent-guard", false, { ...said, op: inst.op, inside: block, blocks: [block] }))
        return null;
      // An unguarded EXIT, RET or KILL: nothing goes on after it.
      if (isTerminator(inst) && isUnconditional(inst) && inst.op !== "BRA" && inst.op !== "JMX" && inst.op !== "BRX") break;
    }
    return { sync: null, leaves: succs };
  }

  /** Each BSYNC belongs to this BSSY only, closes no other region, and nothing names its barrier again. */
  private isAlone(syncs: readonly Place[], open: Place, said: Said): boolean {
    const { remark } = this.ctx;
    const { barrier } = said;
    for (const sync of syncs) {
      const inside = sync.block;
      const own = this.places.reachedOnlyFrom(sync, open, barrier);
      if (!remark.holds(RULES.alone, "shared-bsync", own, { ...said, inside, blocks: [inside] })) return false;
    }
    for (const sync of syncs) {
      const inside = sync.block;
      const closesAlone = laneMeets(this.fn).closesAlone(inside, sync.at);
      if (!remark.holds(RULES.alone, "closes-others", closesAlone, { ...said, inside, blocks: [inside] })) return false;
      const later = this.places.usedAfter(sync, barrier);
      if (later !== null && !remark.holds(RULES.alone, "later-use", false, { ...said, inside, later, blocks: [inside, later] }))
        return false;
    }
    return true;
  }

  /** A guarded one of these sends lanes apart like a branch. */
  private waits(inst: Inst): boolean {
    const effect = effectOf(inst);
    return effect === "sync" || effect === "barrier" || effect === "call";
  }

  private guardVaries(inst: Inst): boolean {
    this.uniform ??= uniformity(this.fn);
    return this.uniform.guardVaries(inst);
  }
}
