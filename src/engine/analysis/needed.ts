/** Backward liveness that counts a read only when the instruction that reads is itself needed: what remains is what the effects depend on. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, isRemovableWhenDead, phiInput, phisOf, usesOf } from "../ir/visit.ts";
import { globalRegs } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";
import { alwaysWrites } from "./reaching-defs.ts";

/** Why an instruction is needed; `dead`: it is not. */
export type Need = "effect" | "result" | "dead";

/** Watches the data flow. All calls come in the order of the algorithm; `round` counts from 1. */
export interface NeedObserver {
  round?(round: number): void;
  /** A block is visited: registers live behind its last instruction. */
  enter?(block: Block, round: number, liveOut: readonly Reg[]): void;
  /** An instruction was judged with the sets as they are; `isLive` tells what is live right before it. */
  judge?(block: Block, inst: Inst, need: Need): void;
  /** The block is done: registers newly live at its head, and PHIs newly needed. */
  leave?(block: Block, round: number, added: readonly Reg[], liveIn: readonly Reg[]): void;
}

/**
 * A program is read backwards to a fixed point over the reverse post-order, starting with nothing live. A guarded definition does not end a live range; a PHI's inputs
 * are live at the ends of their predecessors, when its result is; results of a `.func` are read by RET. Unreachable blocks have no say.
 */
export class Needed {
  readonly rounds: number;
  private readonly fn: Func;
  private readonly order: readonly BlockId[];
  /** Bit of each register; those of the first `words` words are kept by block, the others live and die inside one. */
  private readonly bit: Map<Reg, number>;
  private readonly regs: (Reg | undefined)[];
  private readonly words: number;
  private readonly liveIn: Uint32Array;
  private readonly live: Uint32Array;
  private readonly phis = new Set<Inst["id"]>();

  constructor(fn: Func, observer: NeedObserver | null = null) {
    this.fn = fn;
    this.order = reversePostOrder(fn).order;
    const global = globalRegs(fn, this.order);
    this.bit = new Map(global.bit);
    this.regs = [...global.regs];
    this.words = (this.regs.length + 31) >>> 5;
    let next = this.words * 32;
    for (const id of this.order) {
      for (const inst of getBlock(fn, id).insts) {
        for (const r of defsOf(inst)) {
          if (this.bit.has(r)) continue;
          this.bit.set(r, next);
          this.regs[next++] = r;
        }
      }
    }
    this.live = new Uint32Array((next + 31) >>> 5);
    this.liveIn = new Uint32Array(fn.blocks.length * this.words);
    this.rounds = this.solve(observer);
  }

  /** Judges a block's instructions from the last to the first, with the final sets. */
  scan(id: BlockId, judge: (inst: Inst, at: number, need: Need) => void): void {
    const block = getBlock(this.fn, id);
    this.loadOut(block);
    this.walk(block, judge);
  }

  /** During `scan` and inside observer calls: the register is live where the walk stands (behind the instruction being judged). */
  isLive(r: Reg): boolean {
    const b = this.bit.get(r);
    return b !== undefined && ((this.live[b >>> 5] ?? 0) & (1 << (b & 31))) !== 0;
  }

  // --- inside ------------------------------------------------------------------------------------------------------------------

  private solve(observer: NeedObserver | null): number {
    const dirty = new Uint8Array(this.fn.blocks.length);
    for (const id of this.order) dirty[id] = 1;
    let rounds = 0;
    for (let changed = this.order.length > 0; changed; ) {
      changed = false;
      rounds++;
      observer?.round?.(rounds);
      for (let i = this.order.length - 1; i >= 0; i--) {
        const id = this.order[i] as BlockId;
        if (dirty[id] !== 1) continue;
        dirty[id] = 0;
        const block = getBlock(this.fn, id);
        this.loadOut(block);
        observer?.enter?.(block, rounds, this.kept());
        const phisBefore = this.phis.size;
        this.walk(block, observer?.judge === undefined ? null : (inst, _at, need) => observer.judge?.(block, inst, need));
        const added = this.storeIn(id, observer !== null);
        observer?.leave?.(block, rounds, added.regs, this.kept());
        if (!added.grew && this.phis.size === phisBefore) continue;
        changed = true;
        for (const p of block.preds) dirty[p] = 1;
      }
    }
    return rounds;
  }

  /** Live behind the block: what its successors need at their heads, and what their needed PHIs take from here. */
  private loadOut(block: Block): void {
    const { live, liveIn, words } = this;
    live.fill(0, 0, words);
    for (const s of block.succs) {
      for (let w = 0; w < words; w++) live[w] = (live[w] ?? 0) | (liveIn[s * words + w] ?? 0);
      for (const phi of phisOf(getBlock(this.fn, s))) {
        if (!this.phis.has(phi.id)) continue;
        const value = phiInput(phi, block.id);
        if (value?.kind === "reg") this.set(value.reg);
      }
    }
  }

  private walk(block: Block, judge: ((inst: Inst, at: number, need: Need) => void) | null): void {
    const { insts } = block;
    for (let at = insts.length - 1; at >= 0; at--) {
      const inst = insts[at] as Inst;
      const defs = defsOf(inst);
      const need: Need = !isRemovableWhenDead(inst) ? "effect" : defs.some((r) => this.isLive(r)) ? "result" : "dead";
      judge?.(inst, at, need);
      if (need === "dead") continue;
      if (alwaysWrites(inst)) for (const r of defs) this.clear(r);
      if (inst.op === "PHI") this.phis.add(inst.id);
      else for (const r of usesOf(inst)) this.set(r);
      if (inst.op === "RET") for (const r of this.fn.returns) this.set(r);
    }
  }

  private storeIn(id: BlockId, list: boolean): { readonly grew: boolean; readonly regs: readonly Reg[] } {
    const regs: Reg[] = [];
    let grew = false;
    for (let w = 0; w < this.words; w++) {
      const before = this.liveIn[id * this.words + w] ?? 0;
      const now = this.live[w] ?? 0;
      const fresh = now & ~before;
      if (fresh === 0) continue;
      grew = true;
      this.liveIn[id * this.words + w] = before | now;
      if (list) for (let d = fresh; d !== 0; d &= d - 1) regs.push(this.regs[w * 32 + (31 - Math.clz32(d & -d))] as Reg);
    }
    return { grew, regs };
  }

  /** The registers of the working set that are kept by block. */
  private kept(): readonly Reg[] {
    const found: Reg[] = [];
    for (let w = 0; w < this.words; w++) {
      for (let d = this.live[w] ?? 0; d !== 0; d &= d - 1) found.push(this.regs[w * 32 + (31 - Math.clz32(d & -d))] as Reg);
    }
    return found;
  }

  private set(r: Reg): void {
    const b = this.bit.get(r);
    if (b !== undefined) this.live[b >>> 5] = (this.live[b >>> 5] ?? 0) | (1 << (b & 31));
  }

  private clear(r: Reg): void {
    const b = this.bit.get(r);
    if (b !== undefined) this.live[b >>> 5] = (this.live[b >>> 5] ?? 0) & ~(1 << (b & 31));
  }
}
