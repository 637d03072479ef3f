/**
 * Where lanes that diverge are together again, by the rules of the interpreter (interp/README.md, 'Where lanes diverge and reconverge'): at the BSYNC of the innermost
 * region that is open, or else at the immediate post-dominator. Whether lanes diverge at all is not examined here; `uniformity` does that.
 */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { alwaysRuns, barrierOf, getBlock } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { postDominators } from "./dominators.ts";
import { type FlowGraph, flowGraph, solve } from "./solve.ts";

export type Meet =
  /** At the head of a block. */
  | { readonly kind: "head"; readonly block: BlockId }
  /** After the BSYNC at this place. */
  | { readonly kind: "sync"; readonly block: BlockId; readonly at: number }
  /** At no known place. */
  | { readonly kind: "nowhere" };

export const NOWHERE: Meet = { kind: "nowhere" };

/** A region that is open on every path to a place: the BSSY that opened it, and what was open below it. */
interface Region {
  readonly barrier: Reg | null;
  readonly below: Open;
  readonly depth: number;
  /** By BSSY: the regions opened in this one, one map with nothing unknown between, one with. */
  readonly inner: readonly [Map<InstId, Region>, Map<InstId, Region>];
  /** The only BSYNC that closes it, as far as is known. */
  join: { readonly block: BlockId; readonly at: number } | null;
  /** Lanes may leave it otherwise than by one BSYNC or the end of the thread. */
  leaks: boolean;
}

/** What is open at a place: `top` and what is below it, and when not `sure` perhaps more inside of it. Never changed: equal states are one object a region. */
interface Open {
  readonly top: Region | null;
  readonly sure: boolean;
}

/** What is open at the end of a block; null as long as no path to it is known. */
class OpenFact {
  open: Open | null;

  constructor(open: Open | null) {
    this.open = open;
  }

  copyFrom({ open }: OpenFact): boolean {
    const changed = this.open?.top !== open?.top || this.open?.sure !== open?.sure;
    this.open = open;
    return changed;
  }
}

export const laneMeets: (fn: Func) => LaneMeets = cached("all", (fn) => new LaneMeets(fn));

/** An instruction that opens, closes or leaves a region. */
interface Sync {
  readonly at: number;
  readonly inst: Inst;
}

/** Answers for one state of a function, of which it keeps what it needs: the function may change. Only reachable blocks are described. */
export class LaneMeets {
  private readonly graph: FlowGraph<BlockId>;
  /** By block id: the number of instructions, and those that open, close or leave a region. */
  private readonly counts: Int32Array;
  private readonly syncs: (readonly Sync[])[] = [];
  private readonly idom: Int32Array;
  private readonly heads = new Map<BlockId, Open>();
  private readonly ends = new Map<BlockId, Open>();
  private readonly roots: readonly [Map<InstId, Region>, Map<InstId, Region>] = [new Map(), new Map()];

  constructor(fn: Func) {
    this.graph = flowGraph(fn);
    this.idom = postDominators(fn).idom;
    this.counts = new Int32Array(fn.blocks.length);
    let any = false;
    for (const id of this.graph.order) {
      const { insts } = getBlock(fn, id);
      this.counts[id] = insts.length;
      this.syncs[id] = syncsOf(insts);
      any ||= this.syncs[id] !== NO_SYNCS;
    }
    if (!any) return;
    this.solve();
    for (const id of this.graph.order) this.note(id);
  }

  /** Some region may be open at the block's end. */
  isOpen(block: BlockId): boolean {
    const open = this.ends.get(block) ?? CLOSED;
    return open.top !== null || !open.sure;
  }

  /** Where lanes that diverge at the end of the block are together again. */
  meet(block: BlockId): Meet {
    return this.meetOf(this.ends.get(block) ?? CLOSED, block);
  }

  /** Where lanes that diverge at this instruction inside the block are together again: at a guarded BSSY, BSYNC or BAR, or a BREAK. Null: they diverge nowhere. */
  meetInside(block: BlockId, at: number): Meet | null {
    const open = this.openAt(block, at);
    const inst = this.syncAt(block, at);
    if (inst?.op !== "BREAK") return this.meetOf(open, block);
    const region = find(open, barrierOf(inst));
    if (region === null) return open.sure && gapOf(open) === null ? null : NOWHERE;
    // Lanes that broke out diverge from the others at the BSYNC of that region.
    return region.below.top === null ? NOWHERE : this.meetOf(region.below, block);
  }

  /** This BSYNC closes only the region of its barrier. */
  closesAlone(block: BlockId, at: number): boolean {
    const open = this.openAt(block, at);
    const inst = this.syncAt(block, at);
    return inst !== null && open.sure && open.top?.barrier === barrierOf(inst);
  }

  private syncAt(block: BlockId, at: number): Inst | null {
    return this.syncs[block]?.find((sync) => sync.at === at)?.inst ?? null;
  }

  private openAt(block: BlockId, at: number): Open {
    let open = this.heads.get(block) ?? CLOSED;
    for (const sync of this.syncs[block] ?? NO_SYNCS) if (sync.at < at) open = this.step(open, sync.inst, null);
    return open;
  }

  /**
   * Every block that lanes may run which parted at the end of `block` and have not met again: `visit` gets the number of its instructions, from the head,
   * before they do. It ends the walk by returning true. The block itself is among them where it is reached again.
   */
  spread(block: BlockId, visit: (id: BlockId, count: number) => boolean): void {
    this.walk(this.graph.succs[block] ?? [], this.meet(block), visit);
  }

  /** The same from the head of some blocks on, up to a place. */
  walk(from: readonly BlockId[], meet: Meet, visit: (id: BlockId, count: number) => boolean): void {
    const seen = new Set<BlockId>();
    const work = [...from];
    for (let id = work.pop(); id !== undefined; id = work.pop()) {
      if (seen.has(id) || (meet.kind === "head" && meet.block === id)) continue;
      seen.add(id);
      const ends = meet.kind === "sync" && meet.block === id;
      if (visit(id, ends ? meet.at + 1 : (this.counts[id] ?? 0))) return;
      if (!ends) for (const s of this.graph.succs[id] ?? []) work.push(s);
    }
  }

  /**
   * Whether lanes that run these blocks together, of each so many instructions, may diverge there and not be together again at `meet`, where they would be if each had
   * run them alone: those that go together open a region together, and wait for each other where it closes. A region that is still open at `meet` keeps the
   * lanes that opened it, so lanes may diverge differently after it.
   */
  leavesOpen(run: ReadonlyMap<BlockId, number>, meet: Meet): boolean {
    if (this.ends.size === 0) return false;
    const inside = (place: Meet): boolean => {
      if (place.kind === "nowhere") return false;
      if (meet.kind !== "nowhere" && place.kind === meet.kind && place.block === meet.block) return true;
      return (run.get(place.block) ?? -1) > (place.kind === "sync" ? place.at : -1);
    };
    for (const [id, count] of run) {
      const isWhole = count === this.counts[id];
      const parts = isWhole && new Set(this.graph.succs[id]).size > 1;
      if (parts && !inside(this.meet(id))) return true;
      const arrives = isWhole && meet.kind === "head" && this.graph.succs[id]?.includes(meet.block);
      if (arrives && this.isOpen(id)) return true;
      for (const { at, inst } of this.syncs[id] ?? NO_SYNCS) {
        if (at >= count || (alwaysRuns(inst) && inst.op !== "BREAK")) continue;
        const place = this.meetInside(id, at);
        if (place !== null && !inside(place)) return true;
      }
    }
    return false;
  }

  private meetOf(open: Open, block: BlockId): Meet {
    if (open.top === null && open.sure) {
      const at = this.idom[block] ?? -1;
      return at < 0 ? NOWHERE : { kind: "head", block: at as BlockId };
    }
    for (let region = open.top; region !== null; region = region.below.top) {
      if (!region.leaks && region.join !== null) return { kind: "sync", ...region.join };
    }
    return NOWHERE;
  }

  // --- which regions are open --------------------------------------------------------------------------------------------------

  /** What two edges into a block do not agree on is unknown there. */
  private solve(): void {
    const [entry] = this.graph.order;
    solve(this.graph, {
      direction: "forward",
      top: () => new OpenFact(null),
      // A BSSY opens different regions where different ones are open, so that the transfer is not monotone: a head never gets back what it has lost, and this ends.
      start: (id) => new OpenFact(this.heads.get(id) ?? (id === entry ? CLOSED : null)),
      meet: (fact, { open }) => {
        if (open !== null) fact.open = fact.open === null ? open : merge(fact.open, open);
      },
      transfer: (id, fact) => {
        let open = fact.open ?? CLOSED;
        this.heads.set(id, open);
        for (const { inst } of this.syncs[id] ?? NO_SYNCS) open = this.step(open, inst, null);
        this.ends.set(id, open);
        fact.open = open;
      },
    });
  }

  /** Goes through a block once more, now that what is open is known, and notes how regions end. */
  private note(id: BlockId): void {
    let open = this.heads.get(id) ?? CLOSED;
    for (const { at, inst } of this.syncs[id] ?? NO_SYNCS) open = this.step(open, inst, { block: id, at });
    for (const s of this.graph.succs[id] ?? []) {
      const head = this.heads.get(s) ?? CLOSED;
      // Regions that the edges into the block do not agree on.
      for (let region = open.top; region !== null && region.depth > (head.top?.depth ?? 0); region = region.below.top) region.leaks = true;
    }
  }

  /** What is open after an instruction. `place`: record how the regions that end there are closed. */
  private step(open: Open, inst: Inst, place: { readonly block: BlockId; readonly at: number } | null): Open {
    const barrier = barrierOf(inst);
    const region = find(open, barrier);
    const guarded = !alwaysRuns(inst);
    const leave = (end: Region): Open => {
      if (place !== null) for (let r = open.top; r !== null && r.depth >= end.depth; r = r.below.top) r.leaks = true;
      return end.below;
    };
    if (inst.op === "BSYNC" && region !== null && !guarded) {
      if (place !== null) {
        for (let r = open.top; r !== null && r !== region; r = r.below.top) r.leaks = true;
        if (region.join === null) region.join = place;
        else if (region.join.block !== place.block || region.join.at !== place.at) region.leaks = true;
      }
      return region.below;
    }
    // A barrier that may be open at an unknown depth takes what was opened above with it.
    const gap = gapOf(open);
    let after = region !== null ? leave(region) : gap !== null && inst.op !== "BREAK" ? leave(gap) : open;
    if (region !== null && (guarded || inst.op !== "BSSY")) after = unsure(after);
    if (region === null && gap !== null && inst.op !== "BREAK") after = unsure(after);
    if (inst.op !== "BSSY") return after;
    return guarded ? unsure(after) : this.push(after, inst, barrier);
  }

  private push(below: Open, inst: Inst, barrier: Reg | null): Open {
    const map = (below.top?.inner ?? this.roots)[below.sure ? 0 : 1];
    let region = map.get(inst.id);
    if (region === undefined) {
      const depth = (below.top?.depth ?? 0) + 1;
      region = { barrier, below, depth, inner: [new Map(), new Map()], join: null, leaks: false };
      map.set(inst.id, region);
    }
    return { top: region, sure: true };
  }
}

const NO_SYNCS: readonly Sync[] = [];
const CLOSED: Open = { top: null, sure: true };

const unsure = (open: Open): Open => (open.sure ? { top: open.top, sure: false } : open);

/** What is open on both paths. */
function merge(a: Open, b: Open): Open {
  let [x, y] = [a.top, b.top];
  if (x === y) return a.sure && !b.sure ? b : a;
  while (x !== y) {
    if ((x?.depth ?? 0) >= (y?.depth ?? 0)) x = x?.below.top ?? null;
    else y = y?.below.top ?? null;
  }
  return { top: x, sure: false };
}

function find(open: Open, barrier: Reg | null): Region | null {
  for (let region = open.top; region !== null; region = region.below.top) if (region.barrier === barrier) return region;
  return null;
}

/** The outermost region with something unknown right below it. */
function gapOf(open: Open): Region | null {
  let found: Region | null = null;
  for (let region = open.top; region !== null; region = region.below.top) if (!region.below.sure) found = region;
  return found;
}

function syncsOf(insts: readonly Inst[]): readonly Sync[] {
  let found: Sync[] | null = null;
  for (let at = 0; at < insts.length; at++) {
    const inst = insts[at] as Inst;
    if (!isSync(inst)) continue;
    found ??= [];
    found.push({ at, inst });
  }
  return found ?? NO_SYNCS;
}

/** Some block of the layout, reachable or not, opens, closes or leaves a region. */
export const hasRegions = (fn: Func): boolean => fn.layout.some((id) => getBlock(fn, id).insts.some(isSync));

function isSync(inst: Inst): boolean {
  return inst.op === "BSSY" || inst.op === "BSYNC" || inst.op === "BREAK";
}
