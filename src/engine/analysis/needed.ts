/** Backward liveness that counts a read only when the instruction that reads is itself needed: what remains is what the effects depend on. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { RegNumbers } from "../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, isRemovableWhenDead, phiInput, phisOf, sureDefsOf, usesOf } from "../ir/visit.ts";
import { LiveRows } from "./live-rows.ts";
import { globalRegs } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";
import { Worklist } from "./worklist.ts";

const NONE: readonly Inst[] = [];

/** Why an instruction is needed; `kept`: it is not, but stays by order from outside; `dead`: it is not. */
export type Need = "effect" | "result" | "kept" | "dead";

/** Watches the data flow. All calls come in the order of the algorithm; `round` counts from 1. */
export interface NeedObserver {
  /** False: there is no listener any more, so no lists are made; all lists together grow with blocks times registers. */
  listens?(): boolean;
  round?(round: number): void;
  /** A block is visited: registers live after its last instruction. */
  enter?(block: Block, round: number, liveOut: () => readonly Reg[]): void;
  /** An instruction was judged with the current sets; `isLive` says what is live right before it. */
  judge?(block: Block, inst: Inst, need: Need): void;
  /** The block is done: registers newly live at its head, and PHIs newly needed. */
  leave?(block: Block, round: number, added: readonly Reg[], liveIn: () => readonly Reg[]): void;
}

/**
 * A program is read backwards to a fixed point over the reverse post-order, starting with nothing live. A guarded definition does not end a live range; a PHI's inputs
 * are live at the ends of their predecessors, when its result is; results of a `.func` are read by RET. Unreachable blocks are ignored.
 */
export class Needed {
  readonly rounds: number;
  private readonly fn: Func;
  private readonly order: readonly BlockId[];
  /** Bit of each register; the first ones, those of registers that cross a block boundary, are kept by block. */
  private readonly bit: RegNumbers;
  private readonly regs: readonly Reg[];
  private readonly live: LiveRows;
  private readonly phis = new Set<Inst["id"]>();
  /** By block id: 1 if it has PHIs. */
  private readonly merging: Uint8Array;
  /** By block id: what its last visit, and so the fixed point, found dead; last one first. */
  private readonly dead: (Inst[] | null)[];
  private readonly keep: ReadonlySet<Inst["id"]> | null;

  /** `keep`: instructions that will stay even if nothing needs them, so that what they read is needed. */
  constructor(fn: Func, observer: NeedObserver | null = null, keep: ReadonlySet<Inst["id"]> | null = null) {
    this.fn = fn;
    this.keep = keep;
    this.order = reversePostOrder(fn).order;
    const global = globalRegs(fn);
    this.bit = new RegNumbers(global.bit);
    this.regs = global.regs;
    let next = global.regs.length;
    this.merging = new Uint8Array(fn.blocks.length);
    this.dead = new Array(fn.blocks.length).fill(null);
    for (const id of this.order) {
      const { insts } = getBlock(fn, id);
      if (insts[0]?.op === "PHI") this.merging[id] = 1;
      for (let at = 0; at < insts.length; at++) {
        const defs = defsOf(insts[at] as Inst);
        for (let i = 0; i < defs.length; i++) if (!this.bit.has(defs[i] as Reg)) this.bit.set(defs[i] as Reg, next++);
      }
    }
    this.live = new LiveRows(fn.blocks.length, global.regs.length, next);
    this.rounds = this.solve(observer);
  }

  /** Judges a block's instructions from the last to the first, with the final sets. */
  scan(id: BlockId, judge: (inst: Inst, at: number, need: Need) => void): void {
    const block = getBlock(this.fn, id);
    this.loadOut(block);
    this.walk(block, judge);
  }

  /** Instructions of the block that nothing needs, the last one first. */
  deadIn(id: BlockId): readonly Inst[] {
    return this.dead[id] ?? NONE;
  }

  /** During `scan` and inside observer calls: the register is live at the current position of the walk (after the instruction being judged). */
  isLive(r: Reg): boolean {
    const b = this.bit.get(r);
    return b >= 0 && this.live.has(b);
  }

  // --- inside ------------------------------------------------------------------------------------------------------------------

  private solve(observer: NeedObserver | null): number {
    const work = new Worklist(this.order.toReversed(), this.fn.blocks.length);
    const visit = (id: BlockId, round: number): boolean => {
      const block = getBlock(this.fn, id);
      this.loadOut(block);
      observer?.enter?.(block, round, () => this.kept());
      const phisBefore = this.phis.size;
      this.walk(block, observer?.judge === undefined ? null : (inst, _at, need) => observer.judge?.(block, inst, need));
      const added: Reg[] = [];
      const heard = observer !== null && observer.listens?.() !== false;
      const grew = this.live.store(id, heard ? (b) => added.push(this.regs[b] as Reg) : null) || this.phis.size > phisBefore;
      observer?.leave?.(block, round, added, () => this.kept());
      if (grew) work.addAll(block.preds);
      return grew;
    };
    return work.solve(visit, (round) => observer?.round?.(round));
  }

  /** Live after the block: what its successors need at their heads, and what their needed PHIs take from here. */
  private loadOut(block: Block): void {
    this.live.load(block.succs);
    for (const s of block.succs) {
      if (this.merging[s] !== 1) continue;
      for (const phi of phisOf(getBlock(this.fn, s))) {
        if (!this.phis.has(phi.id)) continue;
        const value = phiInput(phi, block.id);
        if (value?.kind === "reg") this.put(value.reg, 1);
      }
    }
  }

  private walk(block: Block, judge: ((inst: Inst, at: number, need: Need) => void) | null): void {
    const { insts } = block;
    let dead: Inst[] | null = null;
    for (let at = insts.length - 1; at >= 0; at--) {
      const inst = insts[at] as Inst;
      const defs = defsOf(inst);
      const need = this.needOf(inst, defs);
      judge?.(inst, at, need);
      if (need === "dead") {
        dead ??= [];
        dead.push(inst);
        continue;
      }
      const sure = sureDefsOf(inst);
      for (let i = 0; i < sure.length; i++) this.put(sure[i] as Reg, 0);
      if (inst.op === "PHI") this.phis.add(inst.id);
      else {
        const uses = usesOf(inst);
        for (let i = 0; i < uses.length; i++) this.put(uses[i] as Reg, 1);
      }
      if (inst.op === "RET") for (const r of this.fn.returns) this.put(r, 1);
    }
    this.dead[block.id] = dead;
  }

  private needOf(inst: Inst, defs: readonly Reg[]): Need {
    if (!isRemovableWhenDead(inst)) return "effect";
    for (let i = 0; i < defs.length; i++) if (this.isLive(defs[i] as Reg)) return "result";
    return this.keep?.has(inst.id) === true ? "kept" : "dead";
  }

  /** The registers of the working set that are kept by block. */
  private kept(): readonly Reg[] {
    const found: Reg[] = [];
    this.live.eachOpen((b) => found.push(this.regs[b] as Reg));
    return found;
  }

  private put(r: Reg, live: 0 | 1): void {
    const b = this.bit.get(r);
    if (b >= 0) this.live.put(b, live);
  }
}
