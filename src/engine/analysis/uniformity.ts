/** Which values and branches may differ between the lanes of a warp: forward data flow, with control dependence through divergent branches. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, phiInput, phisOf, terminatorsOf, usesOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { type DivergenceRegion, divergenceRegion } from "./divergence-region.ts";
import { isLiveIn, type Liveness, liveness, liveRegs } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";
import { alwaysWrites, type ReachingDefs, reachingDefs } from "./reaching-defs.ts";
import { computesVarying, paramsVary, sameInputs } from "./varying-sources.ts";

/** Blocks in all divergent regions together, from which on the analysis gives up and calls everything varying. */
export const REGION_LIMIT = 4_000_000;

/** Answers for the function as it was when asked. Only reachable blocks are described. */
export interface Uniformity {
  /** Lanes of one warp may leave the block on different edges. */
  isDivergent(block: BlockId): boolean;
  /** A register that is live at the block's head may differ there between lanes. False for what is not live. */
  variesIn(block: BlockId, r: Reg): boolean;
  /** A register differs after this instruction wrote it (its own old value under a false guard included). */
  resultVaries(inst: InstId): boolean;
  /** Registers that the instruction reads, guard included, and that may differ there. */
  varyingUses(inst: InstId): readonly Reg[];
  /** Lanes may disagree about the instruction's guard. */
  guardVaries(inst: Inst): boolean;
  /** Blocks where lanes of some divergent branch meet again. */
  isJoin(block: BlockId): boolean;
  /** The block lies between some divergent branch and the place where all its lanes are together again: fewer lanes may be along. */
  inRegion(block: BlockId): boolean;
  /** True when `REGION_LIMIT` was reached: everything is called varying. */
  readonly capped: boolean;
}

const NONE: readonly Reg[] = [];

export const uniformity: (fn: Func) => Uniformity = cached("all", (fn) => new UniformitySolver(fn).solve());

class UniformitySolver implements Uniformity {
  capped = false;
  private readonly fn: Func;
  private readonly order: readonly BlockId[];
  private readonly live: Liveness;
  private readonly defs: ReachingDefs;
  private readonly divergent: Uint8Array;
  private readonly joins: Uint8Array;
  private readonly regions: Uint8Array;
  private readonly dirty: Uint8Array;
  /** Row b: registers (bits of `live`) that vary at the head of block b. */
  private readonly rows: Uint32Array;
  private readonly varyingPhis = new Set<InstId>();
  private readonly results = new Set<InstId>();
  private readonly uses = new Map<InstId, Reg[]>();
  /** Registers written so far in the block being scanned: whether they vary. */
  private readonly local = new Map<Reg, boolean>();
  private regionWork = 0;
  /** By block id: the registers it writes, made when the first region asks. */
  private written: readonly (readonly Reg[])[] | null = null;

  constructor(fn: Func) {
    this.fn = fn;
    this.order = reversePostOrder(fn).order;
    this.live = liveness(fn);
    this.defs = reachingDefs(fn);
    this.divergent = new Uint8Array(fn.blocks.length);
    this.joins = new Uint8Array(fn.blocks.length);
    this.regions = new Uint8Array(fn.blocks.length);
    this.dirty = new Uint8Array(fn.blocks.length);
    this.rows = new Uint32Array(fn.blocks.length * this.live.words);
  }

  solve(): Uniformity {
    const entry = this.order[0];
    if (entry !== undefined && paramsVary(this.fn)) for (const { reg } of this.fn.params) this.mark(entry, reg);
    for (const id of this.order) this.dirty[id] = 1;
    for (let again = true; again && !this.capped; ) {
      again = false;
      for (const id of this.order) {
        if (this.dirty[id] !== 1) continue;
        this.dirty[id] = 0;
        again = true;
        this.scan(getBlock(this.fn, id));
      }
    }
    if (this.capped) for (const id of this.fn.layout) if (getBlock(this.fn, id).succs.length > 1) this.divergent[id] = 1;
    return this;
  }

  isDivergent(block: BlockId): boolean {
    return this.divergent[block] === 1;
  }
  variesIn(block: BlockId, r: Reg): boolean {
    return (this.capped && isLiveIn(this.live, block, r)) || this.bit(block, r);
  }
  resultVaries(inst: InstId): boolean {
    return this.capped || this.results.has(inst);
  }
  varyingUses(inst: InstId): readonly Reg[] {
    return this.uses.get(inst) ?? NONE;
  }
  guardVaries(inst: Inst): boolean {
    if (inst.guard === null || isConstantReg(inst.guard.reg)) return false;
    return this.capped || this.varyingUses(inst.id).includes(inst.guard.reg);
  }
  inRegion(block: BlockId): boolean {
    return this.capped || this.regions[block] === 1;
  }
  isJoin(block: BlockId): boolean {
    return this.capped || this.joins[block] === 1;
  }

  // --- data flow ---------------------------------------------------------------------------------------------------------------

  private bit(block: BlockId, r: Reg): boolean {
    const b = this.live.bit.get(r);
    return b !== undefined && ((this.rows[block * this.live.words + (b >>> 5)] ?? 0) & (1 << (b & 31))) !== 0;
  }

  /** Makes a register vary at a block's head, where it is live. */
  private mark(block: BlockId, r: Reg): void {
    const b = this.live.bit.get(r);
    if (b === undefined || !isLiveIn(this.live, block, r) || this.bit(block, r)) return;
    const at = block * this.live.words + (b >>> 5);
    this.rows[at] = (this.rows[at] ?? 0) | (1 << (b & 31));
    this.dirty[block] = 1;
  }

  private varies(block: BlockId, r: Reg): boolean {
    return this.local.get(r) ?? this.bit(block, r);
  }

  private scan(block: Block): void {
    this.local.clear();
    for (const inst of block.insts) this.step(block, inst);
    this.leave(block);
    if (this.divergent[block.id] !== 1 && block.succs.length > 1 && this.leavesApart(block)) {
      this.divergent[block.id] = 1;
      this.disturb(block.id);
    }
  }

  private step(block: Block, inst: Inst): void {
    const defs = defsOf(inst);
    if (inst.op === "PHI") {
      const varies = this.varyingPhis.has(inst.id) || (this.joins[block.id] === 1 && !sameInputs(inst));
      for (const r of defs) this.local.set(r, varies);
      if (varies) this.results.add(inst.id);
      return;
    }
    const varying: Reg[] = [];
    for (const r of usesOf(inst)) if (this.varies(block.id, r) && !varying.includes(r)) varying.push(r);
    if (varying.length > 0) this.uses.set(inst.id, varying);
    if (defs.length === 0) return;
    const guard = inst.guard !== null && !isConstantReg(inst.guard.reg) ? inst.guard.reg : null;
    const guardVaries = guard !== null && varying.includes(guard);
    const inputVaries = varying.some((r) => r !== guard) || (guardVaries && readsAsInput(inst, guard));
    const computed = guardVaries || computesVarying(inst, inputVaries);
    const sure = alwaysWrites(inst);
    for (const r of defs) {
      const varies = computed || (!sure && this.varies(block.id, r));
      this.local.set(r, varies);
      if (varies) this.results.add(inst.id);
    }
  }

  /** Carries what varies at the block's end to its successors' heads and PHIs. */
  private leave(block: Block): void {
    const { live } = this;
    for (const s of block.succs) {
      for (let w = 0; w < live.words; w++) {
        const from = this.rows[block.id * live.words + w] ?? 0;
        const fresh = from & (live.liveIn[s * live.words + w] ?? 0) & ~(this.rows[s * live.words + w] ?? 0);
        for (let d = fresh; d !== 0; d &= d - 1) {
          const r = live.regs[w * 32 + (31 - Math.clz32(d & -d))] as Reg;
          if (!this.local.has(r)) this.mark(s, r);
        }
      }
      for (const [r, varies] of this.local) if (varies) this.mark(s, r);
      for (const phi of phisOf(getBlock(this.fn, s))) {
        const value = phiInput(phi, block.id);
        if (value?.kind === "reg" && !this.varyingPhis.has(phi.id) && this.varies(block.id, value.reg)) {
          this.varyingPhis.add(phi.id);
          this.dirty[s] = 1;
        }
      }
    }
  }

  private leavesApart(block: Block): boolean {
    return terminatorsOf(block).insts.some((inst) => this.uses.has(inst.id));
  }

  // --- control dependence ------------------------------------------------------------------------------------------------------

  /** A branch turned out divergent: what its lanes carry to where they meet varies from now on. */
  private disturb(branch: BlockId): void {
    const region = divergenceRegion(this.fn, branch);
    this.regionWork += region.blocks.size;
    if (this.regionWork > REGION_LIMIT) {
      this.capped = true;
      return;
    }
    for (const id of region.blocks) this.regions[id] = 1;
    for (const join of region.joins) {
      if (this.joins[join] === 1) continue;
      this.joins[join] = 1;
      this.dirty[join] = 1;
    }
    if (region.joins.length > 0) for (const r of this.definedIn(region)) this.mergeAtJoins(region, r);
    for (const [from, to] of region.exits) this.leaveCycle(region, from, to);
  }

  /** Registers that the region writes and that some block boundary sees. */
  private definedIn(region: DivergenceRegion): ReadonlySet<Reg> {
    this.written ??= this.collectWritten();
    const found = new Set<Reg>();
    for (const id of region.blocks) for (const r of this.written[id] ?? NONE) found.add(r);
    return found;
  }

  private collectWritten(): readonly (readonly Reg[])[] {
    const lists: Reg[][] = [];
    for (const id of this.order) {
      const found = new Set<Reg>();
      for (const inst of getBlock(this.fn, id).insts) for (const r of defsOf(inst)) if (this.live.bit.has(r)) found.add(r);
      lists[id] = [...found];
    }
    return lists;
  }

  private mergeAtJoins(region: DivergenceRegion, r: Reg): void {
    for (const join of region.joins) {
      if (isLiveIn(this.live, join, r) && !this.bit(join, r) && this.mergesWays(region, join, r)) this.mark(join, r);
    }
  }

  /** Different definitions of the register reach the join, at least one of them made since the branch. */
  private mergesWays(region: DivergenceRegion, join: BlockId, r: Reg): boolean {
    const sites = this.defs.reachingAt(join, 0, r);
    return sites.length > 1 && sites.some((site) => site.inst !== null && region.blocks.has(site.block));
  }

  /** Lanes leave a cycle in different iterations: what it computes differs outside. */
  private leaveCycle(region: DivergenceRegion, from: BlockId, to: BlockId): void {
    const madeInside = (r: Reg): boolean => this.defs.sitesOf(r).some((site) => region.cycle.has(site.block));
    for (const r of liveRegs(this.live, this.live.liveIn, to)) if (!this.bit(to, r) && madeInside(r)) this.mark(to, r);
    for (const phi of phisOf(getBlock(this.fn, to))) {
      const value = phiInput(phi, from);
      if (value?.kind === "reg" && madeInside(value.reg)) {
        this.varyingPhis.add(phi.id);
        this.dirty[to] = 1;
      }
    }
  }
}

/** The guard's register is read by an operand, too. */
function readsAsInput(inst: Inst, guard: Reg): boolean {
  return usesOf(inst).filter((r) => r === guard).length > 1;
}
