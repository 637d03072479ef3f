/** Which values and branches may differ between the lanes of a warp: forward data flow, with control dependence through divergent branches. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import { BlockNumbers } from "../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, phiInput, phisOf, sureDefsOf, terminatorsOf, usesOf, waitsForBlock } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { type DivergenceRegion, DivergenceRegions } from "./divergence-region.ts";
import { type LaneMeets, laneMeets } from "./lane-meets.ts";
import { type Liveness, liveness } from "./liveness.ts";
import { type ReachingDefs, reachingDefs } from "./reaching-defs.ts";
import { MOST_REACHING } from "./reaching-merges.ts";
import { SharedSet, WorkingSet } from "./shared-sets.ts";
import { type FlowGraph, flowGraph, solve, union } from "./solve.ts";
import { asksWhoIsThere, computesVarying, paramsVary, sameInputs } from "./varying-sources.ts";

/** Blocks in all divergent regions together, above which the analysis gives up and treats everything as varying: this many per block, and at least this many. */
const REGION_BLOCKS = 128;
const REGION_LEAST = 1_000_000;

/** Answers for the function as it was at the call. Only reachable blocks are described. */
export interface Uniformity {
  /** Lanes of one warp may leave the block on different edges. */
  isDivergent(block: BlockId): boolean;
  /** Lanes disagree about a jump that ends the block: they leave on different edges, or would if its edges did not all lead to one block. */
  disagrees(block: BlockId): boolean;
  /** A register that is live at the block's head may differ there between lanes. False for what is not live. */
  variesIn(block: BlockId, r: Reg): boolean;
  /** A register differs after this instruction wrote it (its own old value under a false guard included). */
  resultVaries(inst: InstId): boolean;
  /** Registers that the instruction reads, guard included, and that may differ there. */
  varyingUses(inst: InstId): readonly Reg[];
  /** Lanes may disagree about the instruction's guard. */
  guardVaries(inst: Inst): boolean;
  /** Blocks where lanes of some divergent branch reconverge. */
  isJoin(block: BlockId): boolean;
  /** The block is between some divergent branch and the reconvergence of all its lanes: fewer lanes may be active. */
  inRegion(block: BlockId): boolean;
  /** At this instruction of the block some live lanes of the warp may be elsewhere: diverged, and not yet reconverged. */
  isApart(block: BlockId, at: number): boolean;
  /** True when the regions were too large together: everything is called varying. */
  readonly capped: boolean;
}

/** An index that no instruction has. */
const NEVER = 0x7fff_ffff;
const NONE: readonly Reg[] = [];
const NO_BITS: readonly number[] = [];

export const uniformity: (fn: Func) => Uniformity = cached("all", (fn) => new UniformitySolver(fn).solve());

class UniformitySolver implements Uniformity {
  capped = false;
  private readonly fn: Func;
  private readonly graph: FlowGraph<BlockId>;
  private readonly live: Liveness;
  /** Made when the first region has to know which values merge at its end. */
  private defs: ReachingDefs | null = null;
  private readonly divergent: Uint8Array;
  private readonly disagreeing: Uint8Array;
  private readonly joins: Uint8Array;
  private readonly regions: Uint8Array;
  /** By block: lanes may be apart at the instructions before the first number, and at those from the second one on. */
  private readonly apartUntil: Int32Array;
  private readonly apartFrom: Int32Array;
  /** Blocks with an instruction whose result depends on who is there. */
  private readonly asking: Uint8Array;
  private readonly meets: LaneMeets;
  /** Instructions inside blocks at which lanes diverge. */
  private readonly partings = new Set<InstId>();
  /** Registers (bits of `live`) that vary at the current place. */
  private readonly varying: WorkingSet;
  /** By block: bits that vary at its head because of where lanes reconverge, or at the start. */
  private readonly marks = new Map<BlockId, Set<number>>();
  /** By block: bits that vary at its end; of the block being scanned, those of its last visit. */
  private readonly ends: SharedSet[];
  private scanned: BlockId | null = null;
  /** Visits a block once more. */
  private again: (block: BlockId) => void = () => {};
  private readonly varyingPhis = new Set<InstId>();
  /** By instruction id: 1 where its result varies, and what varies of what it reads. */
  private readonly results: Uint8Array;
  private readonly uses: (readonly Reg[] | undefined)[];
  /** The same of registers that are live in their block only: 1 where they vary. */
  private readonly local: BlockNumbers;
  private finder: DivergenceRegions | null = null;
  private regionWork = 0;
  private readonly regionLimit: number;
  /** By block id: the registers it writes, made when the first region needs them. */
  private written: readonly (readonly Reg[])[] | null = null;

  constructor(fn: Func) {
    this.fn = fn;
    this.graph = flowGraph(fn);
    this.live = liveness(fn);
    this.results = new Uint8Array(fn.nextInst);
    this.uses = new Array(fn.nextInst);
    this.local = new BlockNumbers(fn);
    this.divergent = new Uint8Array(fn.blocks.length);
    this.disagreeing = new Uint8Array(fn.blocks.length);
    this.joins = new Uint8Array(fn.blocks.length);
    this.regions = new Uint8Array(fn.blocks.length);
    this.apartUntil = new Int32Array(fn.blocks.length);
    this.apartFrom = new Int32Array(fn.blocks.length).fill(NEVER);
    this.asking = new Uint8Array(fn.blocks.length);
    for (const id of this.graph.order) if (getBlock(fn, id).insts.some(asksWhoIsThere)) this.asking[id] = 1;
    this.meets = laneMeets(fn);
    this.regionLimit = Math.max(REGION_LEAST, REGION_BLOCKS * this.graph.order.length);
    this.ends = new Array(fn.blocks.length);
    this.varying = new WorkingSet(this.live.regs.length);
  }

  solve(): Uniformity {
    const [entry] = this.graph.order;
    if (entry !== undefined && paramsVary(this.fn)) for (const { reg } of this.fn.params) this.mark(entry, reg);
    solve(this.graph, {
      direction: "forward",
      top: (id) => {
        const end = new SharedSet(this.live.regs.length);
        this.ends[id] = end;
        return end;
      },
      start: (id) => {
        this.varying.clear();
        for (const b of this.marks.get(id) ?? NO_BITS) this.varying.add(b);
        return this.varying;
      },
      meet: union,
      transfer: (id, _, again) => {
        this.again = again;
        this.scanned = id;
        if (!this.capped) this.scan(getBlock(this.fn, id));
      },
    });
    this.scanned = null;
    if (this.capped) for (const id of this.fn.layout) if (getBlock(this.fn, id).succs.length > 1) this.divergent[id] = 1;
    return this;
  }

  isDivergent(block: BlockId): boolean {
    return this.divergent[block] === 1;
  }
  disagrees(block: BlockId): boolean {
    return this.capped || this.disagreeing[block] === 1;
  }
  variesIn(block: BlockId, r: Reg): boolean {
    return this.live.isLiveIn(block, r) && (this.capped || this.variesAtHead(block, r));
  }
  resultVaries(inst: InstId): boolean {
    return this.capped || this.results[inst] === 1;
  }
  varyingUses(inst: InstId): readonly Reg[] {
    return this.uses[inst] ?? NONE;
  }
  guardVaries(inst: Inst): boolean {
    if (inst.guard === null || isConstantReg(inst.guard.reg)) return false;
    return this.capped || this.varyingUses(inst.id).includes(inst.guard.reg);
  }
  inRegion(block: BlockId): boolean {
    return this.capped || this.regions[block] === 1;
  }
  isApart(block: BlockId, at: number): boolean {
    return this.capped || at < (this.apartUntil[block] ?? 0) || at >= (this.apartFrom[block] ?? NEVER);
  }
  isJoin(block: BlockId): boolean {
    return this.capped || this.joins[block] === 1;
  }

  // --- data flow ---------------------------------------------------------------------------------------------------------------

  private variesAtHead(block: BlockId, r: Reg): boolean {
    const b = this.live.bit.get(r);
    if (b < 0) return false;
    const ends = (p: BlockId): boolean => (p === this.scanned ? this.varying : this.ends[p])?.has(b) === true;
    return this.marks.get(block)?.has(b) === true || this.graph.preds[block]?.some(ends) === true;
  }

  /** Makes a register vary at a block's head, where it is live. */
  private mark(block: BlockId, r: Reg): void {
    const b = this.live.bit.get(r);
    if (b < 0 || !this.live.isLiveIn(block, r)) return;
    const marked = this.marks.get(block) ?? new Set();
    if (marked.has(b)) return;
    this.marks.set(block, marked.add(b));
    this.again(block);
  }

  /** At the current place of the scan. */
  private varies(r: Reg): boolean {
    const b = this.live.bit.get(r);
    return b >= 0 ? this.varying.has(b) : this.local.get(r) === 1;
  }

  private write(r: Reg, varies: boolean): void {
    const b = this.live.bit.get(r);
    if (b < 0) this.local.set(r, varies ? 1 : 0);
    else if (varies) this.varying.add(b);
    else this.varying.delete(b);
  }

  private scan(block: Block): void {
    this.local.clear();
    for (let at = 0; at < block.insts.length; at++) this.step(block, block.insts[at] as Inst, at);
    this.leave(block);
    if (this.disagreeing[block.id] === 1 || !this.leavesApart(block)) return;
    this.disagreeing[block.id] = 1;
    if (block.succs.length < 2) return;
    this.divergent[block.id] = 1;
    this.disturb(block.id);
  }

  private step(block: Block, inst: Inst, at: number): void {
    const defs = defsOf(inst);
    if (inst.op === "PHI") {
      const varies = this.varyingPhis.has(inst.id) || (this.joins[block.id] === 1 && !sameInputs(inst));
      for (const r of defs) this.write(r, varies);
      if (varies) this.results[inst.id] = 1;
      return;
    }
    const varying = this.varyingOf(usesOf(inst));
    if (varying.length > 0) this.uses[inst.id] = varying;
    if (partsInside(inst, varying)) this.partInside(block.id, inst, at);
    if (defs.length === 0) return;
    const guard = inst.guard !== null && !isConstantReg(inst.guard.reg) ? inst.guard.reg : null;
    const guardVaries = guard !== null && varying.includes(guard);
    const inputVaries = varying.some((r) => r !== guard) || (guardVaries && readsAsInput(inst, guard));
    const computed = guardVaries || computesVarying(inst, inputVaries, this.isApart(block.id, at));
    const sure = sureDefsOf(inst);
    for (const r of defs) {
      const varies = computed || (!sure.includes(r) && this.varies(r));
      this.write(r, varies);
      if (varies) this.results[inst.id] = 1;
    }
  }

  /** Each once. */
  private varyingOf(regs: readonly Reg[]): readonly Reg[] {
    let found: Reg[] | null = null;
    for (let i = 0; i < regs.length; i++) {
      const r = regs[i] as Reg;
      if (!this.varies(r)) continue;
      if (found === null) found = [r];
      else if (!found.includes(r)) found.push(r);
    }
    return found ?? NONE;
  }

  /** PHIs of the successors that take a varying value from the block. */
  private leave(block: Block): void {
    for (const s of block.succs) {
      for (const phi of phisOf(getBlock(this.fn, s))) {
        const value = phiInput(phi, block.id);
        if (value?.kind === "reg" && !this.varyingPhis.has(phi.id) && this.varies(value.reg)) {
          this.varyingPhis.add(phi.id);
          this.again(s);
        }
      }
    }
  }

  private leavesApart(block: Block): boolean {
    return terminatorsOf(block).insts.some((inst) => this.uses[inst.id] !== undefined);
  }

  // --- control dependence ------------------------------------------------------------------------------------------------------

  /** A branch turned out divergent: what its lanes carry to where they reconverge varies from now on. */
  private disturb(branch: BlockId): void {
    this.finder ??= new DivergenceRegions(this.fn);
    const region = this.finder.of(branch);
    this.regionWork += region.blocks.length;
    if (this.regionWork > this.regionLimit) {
      this.capped = true;
      return;
    }
    for (const id of region.blocks) this.regions[id] = 1;
    this.meets.spread(branch, (id, count) => this.setApart(id, count));
    for (const join of region.joins) {
      if (this.joins[join] === 1) continue;
      this.joins[join] = 1;
      this.again(join);
    }
    if (region.joins.length > 0) for (const r of this.writtenIn(region.blocks)) this.mergeAtJoins(region, r);
    if (region.exits.length === 0) return;
    const made = this.writtenIn(region.cycle);
    this.regionWork += region.exits.length * made.size;
    if (this.regionWork > this.regionLimit) {
      this.capped = true;
      return;
    }
    for (const [from, to] of region.exits) this.leaveCycle(made, from, to);
  }

  /** Lanes may be diverged at the first `count` instructions of a block. True if that is too much work to continue. */
  private setApart(id: BlockId, count: number): boolean {
    if (++this.regionWork > this.regionLimit) {
      this.capped = true;
      return true;
    }
    if (count <= (this.apartUntil[id] ?? 0)) return false;
    this.apartUntil[id] = count;
    if (this.asking[id] === 1) this.again(id);
    return false;
  }

  /** An instruction inside a block sends lanes apart: the others run what is after it on their own. */
  private partInside(block: BlockId, inst: Inst, at: number): void {
    if (this.partings.has(inst.id)) return;
    this.partings.add(inst.id);
    const meet = this.meets.meetInside(block, at);
    if (meet === null) return;
    if (at < (this.apartFrom[block] ?? NEVER)) this.apartFrom[block] = at;
    if (this.asking[block] === 1) this.again(block);
    this.meets.walk(getBlock(this.fn, block).succs, meet, (id, count) => this.setApart(id, count));
  }

  /** Registers that the blocks write and that some block boundary sees. */
  private writtenIn(blocks: readonly BlockId[]): ReadonlySet<Reg> {
    this.written ??= this.collectWritten();
    const found = new Set<Reg>();
    for (const id of blocks) for (const r of this.written[id] ?? NONE) found.add(r);
    return found;
  }

  private collectWritten(): readonly (readonly Reg[])[] {
    const lists: Reg[][] = [];
    for (const id of this.graph.order) {
      const found = new Set<Reg>();
      for (const inst of getBlock(this.fn, id).insts) for (const r of defsOf(inst)) if (this.live.bit.has(r)) found.add(r);
      lists[id] = [...found];
    }
    return lists;
  }

  private mergeAtJoins(region: DivergenceRegion, r: Reg): void {
    for (const join of region.joins) {
      if (this.live.isLiveIn(join, r) && !this.variesAtHead(join, r) && this.mergesWays(region, join, r)) this.mark(join, r);
    }
  }

  /** Different definitions of the register reach the join, at least one of them after the branch; or more than are examined. */
  private mergesWays(region: DivergenceRegion, join: BlockId, r: Reg): boolean {
    this.defs ??= reachingDefs(this.fn);
    const sites = this.defs.reachingAt(join, 0, r);
    return sites.length > MOST_REACHING || (sites.length > 1 && sites.some((site) => site.inst !== null && region.has(site.block)));
  }

  /** Lanes leave a cycle in different iterations: what it computes differs outside. */
  private leaveCycle(made: ReadonlySet<Reg>, from: BlockId, to: BlockId): void {
    for (const r of made) if (!this.variesAtHead(to, r)) this.mark(to, r);
    for (const phi of phisOf(getBlock(this.fn, to))) {
      const value = phiInput(phi, from);
      if (value?.kind === "reg" && made.has(value.reg)) {
        this.varyingPhis.add(phi.id);
        this.again(to);
      }
    }
  }
}

/** Lanes that disagree about the guard of one of these continue separately, and so may lanes that broke out of a region. */
function partsInside(inst: Inst, varying: readonly Reg[]): boolean {
  if (inst.op === "BREAK") return true;
  if (inst.op !== "BSSY" && inst.op !== "BSYNC" && !waitsForBlock(inst)) return false;
  return inst.guard !== null && varying.includes(inst.guard.reg);
}

/** The guard's register is read by an operand, too. */
function readsAsInput(inst: Inst, guard: Reg): boolean {
  return usesOf(inst).filter((r) => r === guard).length > 1;
}
