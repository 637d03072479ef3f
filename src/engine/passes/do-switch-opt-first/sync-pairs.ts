/** Handler A, first half: removes BSSY and BSYNC where the lanes in between cannot go apart. */

import { laneMeets } from "../../analysis/lane-meets.ts";
import { type Uniformity, uniformity } from "../../analysis/uniformity.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, getBlock, isTerminator, isUnconditional, usesOf } from "../../ir/visit.ts";
import type { Facts } from "../../trace/event.ts";
import type { PassContext } from "../pass.ts";
import type { Part } from "./do-switch-opt-first.ts";
import { LINE } from "./pseudocode.ts";

/** Blocks that the walks of one run may visit together; regions beyond it stay. */
export const WALK_LIMIT = 4_000_000;

interface Place {
  readonly block: BlockId;
  readonly at: number;
}

/** Why a pair stays: line, condition, sentence. */
interface Refusal {
  readonly line: number;
  readonly condition: string;
  readonly template: string;
  readonly facts: Facts;
  readonly blocks: readonly BlockId[];
}

interface Pair {
  readonly opens: Inst;
  readonly open: BlockId;
  /** BSYNCs of the region: block and instruction. */
  readonly syncs: readonly { readonly block: BlockId; readonly inst: InstId }[];
  readonly branches: number;
}

/** Decides for all BSSYs on the function as it is, then deletes the pairs that may go. */
export function removeSyncPairs(ctx: PassContext): Part {
  const { edit, rec } = ctx;
  const fn = edit.func;
  const finder = new PairFinder(fn);
  const pairs: Pair[] = [];
  const refused = new Map<string, number>();
  let matches = 0;
  if (rec.on) rec.begin("span", LINE.sync, "look for sync pairs whose region cannot diverge", {});
  for (const block of fn.layout) {
    for (const [at, inst] of getBlock(fn, block).insts.entries()) {
      if (inst.op !== "BSSY") continue;
      matches++;
      const facts = { block: getBlock(fn, block).label, barrier: barrierName(inst) };
      if (rec.on) rec.begin("visit", LINE.bssy, "{block} opens the region of {barrier}", facts, { blocks: [block], insts: [inst.id] });
      const found = finder.find({ block, at }, inst);
      if ("condition" in found) {
        refused.set(found.condition, (refused.get(found.condition) ?? 0) + 1);
        if (rec.on) {
          const said = { ...facts, ...found.facts, verdict: "no", condition: found.condition };
          rec.event("match", found.line, found.template, said, { blocks: [block, ...found.blocks], insts: [inst.id] });
        }
      } else {
        pairs.push(found);
        if (rec.on) {
          const said = { ...facts, verdict: "yes", syncs: found.syncs.length, branches: found.branches };
          const template =
            "no lane can leave the others between {block} and the {syncs} BSYNC of {barrier}: {branches} {branches:branch|branches}, all uniform";
          rec.event("match", LINE.divergent, template, said, { blocks: [block, ...found.syncs.map((s) => s.block)], insts: [inst.id] });
        }
      }
      if (rec.on) rec.end();
    }
  }
  deletePairs(ctx, pairs);
  if (rec.on) rec.end();
  const reasons = [...refused].map(([condition, n]) => (n === 1 ? condition : `${condition} (${n})`)).join(", ");
  return { matches, rewrites: pairs.length, why: matches === 0 ? "no BSSY" : `every sync pair stays: ${reasons}` };
}

function deletePairs({ edit, rec }: PassContext, pairs: readonly Pair[]): void {
  if (pairs.length === 0) return;
  const worklist = rec.on ? rec.structure("worklist", "modified-blocks", "Blocks that lost a sync instruction") : null;
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
    rec.at(LINE.remove);
    edit.sweep(block, (inst) => insts.has(inst.id));
    if (worklist !== null) rec.cell(worklist, n++, { block, label: edit.block(block).label, removed: insts.size });
  }
  if (rec.on) {
    const facts = { pairs: pairs.length, blocks: doomed.size };
    rec.event(
      "rewrite",
      LINE.remove,
      "{pairs} sync {pairs:pair is|pairs are} gone; {blocks} {blocks:block was|blocks were} modified",
      facts,
      { blocks: [...doomed.keys()] },
    );
  }
}

const barrierOf = (inst: Inst): Reg | null => (inst.op === "BSSY" ? defsOf(inst) : usesOf(inst)).findLast((r) => (r & 7) === 5) ?? null;

function barrierName(inst: Inst): string {
  const r = barrierOf(inst);
  return r === null ? "no barrier" : regName(r);
}

/** Where a barrier is named: places in each block, ascending. */
interface BarrierEvents {
  readonly at: Map<BlockId, number[]>;
  /** Made when first asked for. */
  openHeads: ReadonlySet<BlockId> | null;
}

class PairFinder {
  private readonly fn: Func;
  private events: ReadonlyMap<Reg, BarrierEvents> | null = null;
  private uniform: Uniformity | null = null;
  private work = 0;

  constructor(fn: Func) {
    this.fn = fn;
  }

  find(open: Place, opens: Inst): Pair | Refusal {
    const barrier = barrierOf(opens);
    if (barrier === null || isGuarded(opens)) {
      return refuse(LINE.guards, "guarded-pair", "the BSSY of {block} is guarded", {}, []);
    }
    if (this.mayBeOpen(open, barrier)) {
      return refuse(
        LINE.barrier,
        "barrier-open",
        "another region of {barrier} may be open already at the BSSY of {block}, which takes its lanes out of it",
        {},
        [],
      );
    }
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
      if (++this.work > WALK_LIMIT) return refuse(LINE.walk, "too-large", "the regions of the function are too large to walk", {}, []);
      const step = this.walk(block, at, barrier);
      if (step.refusal !== null) return step.refusal;
      if (step.sync !== null) syncs.set(step.sync.inst.id, { block, at: step.sync.at });
      if (step.leaves === null) continue;
      if (step.leaves.length > 1) {
        branches++;
        this.uniform ??= uniformity(this.fn);
        if (this.uniform.isDivergent(block)) {
          const inside = getBlock(this.fn, block).label;
          return refuse(
            LINE.divergent,
            "divergent-branch",
            "lanes may go apart at the end of {inside}, inside the region of {barrier}",
            { inside },
            [block],
          );
        }
      }
      for (const s of step.leaves) stack.push({ block: s, at: 0 });
    }
    if (syncs.size === 0) return refuse(LINE.walk, "no-bsync", "no BSYNC of {barrier} is reached from {block}", {}, []);
    for (const sync of syncs.values()) {
      if (!this.reachedOnlyFrom(sync, open, barrier)) {
        const inside = getBlock(this.fn, sync.block).label;
        return refuse(LINE.alone, "shared-bsync", "the BSYNC in {inside} is reached without the BSSY of {block}", { inside }, [sync.block]);
      }
    }
    for (const sync of syncs.values()) {
      const inside = getBlock(this.fn, sync.block).label;
      if (!laneMeets(this.fn).closesAlone(sync.block, sync.at)) {
        const template = "the BSYNC in {inside} may close regions that were opened inside of the one of {barrier}";
        return refuse(LINE.alone, "closes-others", template, { inside }, [sync.block]);
      }
      const later = this.usedAfter(sync, barrier);
      if (later !== null) {
        const { label } = getBlock(this.fn, later);
        const template = "behind the BSYNC in {inside}, {later} names {barrier} again without another BSSY";
        return refuse(LINE.alone, "later-use", template, { inside, later: label }, [sync.block, later]);
      }
    }
    const list = [...syncs].map(([inst, { block }]) => ({ block, inst }));
    return { opens, open: open.block, syncs: list, branches };
  }

  /** Goes through a block from `at` on, up to the barrier's BSYNC. `leaves`: where control goes on, null when it stops here. */
  private walk(
    block: BlockId,
    at: number,
    barrier: Reg,
  ): {
    readonly refusal: Refusal | null;
    readonly sync: { readonly inst: Inst; readonly at: number } | null;
    readonly leaves: readonly BlockId[] | null;
  } {
    const { insts, label, succs } = getBlock(this.fn, block);
    const no = (line: number, condition: string, template: string, inst: Inst) => ({
      refusal: refuse(line, condition, template, { inside: label, op: inst.op }, [block]),
      sync: null,
      leaves: null,
    });
    for (let i = at; i < insts.length; i++) {
      const inst = insts[i] as Inst;
      const names = usesOf(inst).includes(barrier) || defsOf(inst).includes(barrier);
      if (names && inst.op === "BSYNC") {
        if (isGuarded(inst)) return no(LINE.guards, "guarded-pair", "the BSYNC in {inside} is guarded", inst);
        return { refusal: null, sync: { inst, at: i }, leaves: null };
      }
      if (names) return no(LINE.barrier, "barrier-used", "{op} in {inside} uses {barrier} inside its region", inst);
      if (isGuarded(inst) && this.waits(inst) && this.guardVaries(inst)) {
        return no(LINE.guards, "divergent-guard", "lanes may disagree about the guard of {op} in {inside}", inst);
      }
      // An unguarded EXIT, RET or KILL: nothing goes on behind it.
      if (isTerminator(inst) && isUnconditional(inst) && inst.op !== "BRA" && inst.op !== "JMX" && inst.op !== "BRX") {
        return { refusal: null, sync: null, leaves: succs };
      }
    }
    return { refusal: null, sync: null, leaves: succs };
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

  /** Backwards from the BSSY some way meets a BSSY of the same barrier, or another use of it, before a BSYNC. */
  private mayBeOpen(open: Place, barrier: Reg): boolean {
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
    return inst.op !== "BSYNC" || isGuarded(inst);
  }

  /** Backwards from the BSYNC every way must meet this BSSY before the entry, another BSSY or another BSYNC of the barrier. */
  private reachedOnlyFrom(sync: Place, open: Place, barrier: Reg): boolean {
    const { at } = this.eventsOf(barrier);
    const seen = new Set<BlockId>();
    const stack: Place[] = [{ block: sync.block, at: sync.at }];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (++this.work > WALK_LIMIT) return false;
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

  /** The block of the first other instruction behind the BSYNC that reads the barrier as this region left it. */
  private usedAfter(sync: Place, barrier: Reg): BlockId | null {
    const { at } = this.eventsOf(barrier);
    const seen = new Set<BlockId>();
    const stack: Place[] = [{ block: sync.block, at: sync.at + 1 }];
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (++this.work > WALK_LIMIT) return place.block;
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
      for (const r of [...defsOf(inst), ...usesOf(inst)]) {
        if (regClass(r) !== "B") continue;
        const found = events.get(r) ?? { at: new Map(), openHeads: null };
        events.set(r, found);
        const places = found.at.get(id);
        if (places === undefined) found.at.set(id, [i]);
        else if (places.at(-1) !== i) places.push(i);
      }
    }
  }
  return events;
}

const isGuarded = (inst: Inst): boolean => inst.guard !== null && !(isConstantReg(inst.guard.reg) && !inst.guard.neg);

const refuse = (line: number, condition: string, template: string, facts: Facts, blocks: readonly BlockId[]): Refusal => ({
  line,
  condition,
  template,
  facts,
  blocks,
});
