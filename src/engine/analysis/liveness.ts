/** Backward liveness of registers over bit sets, kept only for registers that are live across a block boundary. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { RegNumbers } from "../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { getBlock, phiInput, phisOf, sureDefsOf, usesOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { LiveRows } from "./live-rows.ts";
import { reversePostOrder } from "./order.ts";
import { Worklist } from "./worklist.ts";

/** Called after each visit of a block: bits newly live in. `round` from 1. */
export type LivenessObserver = (block: BlockId, round: number, added: readonly Reg[]) => void;

export const liveness: (fn: Func) => Liveness = cached("all", (fn) => computeLiveness(fn));

/**
 * Liveness to a fixed point. A PHI's inputs are live out of the predecessor they come from, its result is defined at the block's head.
 * A guarded definition does not end a live range: the old value shows through when the guard is false. Results of a `.func` are live at RET.
 * Unreachable blocks have empty sets.
 */
export function computeLiveness(fn: Func, observe?: LivenessObserver): Liveness {
  return new Liveness(fn, observe ?? null);
}

/** Answers for the function as it was when solved. */
export class Liveness {
  /** Registers that are live at some block's entry or feed a PHI; their index here is their bit. */
  readonly regs: readonly Reg[];
  readonly bit: Pick<RegNumbers, "get" | "has">;
  /** Rounds until nothing changed (the last one included). */
  readonly rounds: number;
  private readonly rows: LiveRows;
  /** By block id: empty for unreachable blocks. */
  private readonly succs: (readonly BlockId[])[];
  /** By block id: bits that PHIs of successors read at its end; bits it reads first (b) or surely writes first (~b), each once. */
  private readonly phiReads: Int32Array[];
  private readonly effects: Int32Array[];
  /** The block whose end the rows have open; -1: none. */
  private opened = -1;

  constructor(fn: Func, observe: LivenessObserver | null) {
    const { order } = reversePostOrder(fn);
    const { regs, bit } = globalRegs(fn);
    this.regs = regs;
    this.bit = bit;
    this.rows = new LiveRows(fn.blocks.length, regs.length);
    this.succs = new Array(fn.blocks.length).fill(NOTHING);
    this.phiReads = new Array(fn.blocks.length).fill(NO_BITS);
    this.effects = new Array(fn.blocks.length).fill(NO_BITS);
    const summary = new Summary(regs.length);
    for (const id of order) {
      const block = getBlock(fn, id);
      this.succs[id] = block.succs;
      this.phiReads[id] = phiReadsOf(fn, block, bit);
      this.effects[id] = effectsOf(fn, block, bit, summary);
    }
    this.rounds = this.solve(fn, order, observe);
  }

  isLiveIn(block: BlockId, r: Reg): boolean {
    const b = this.bit.get(r);
    return b >= 0 && this.rows.headHas(block, b);
  }

  /** Live after the block's last instruction on some edge. Results read by a RET inside the block are not in here. */
  isLiveOut(block: BlockId, r: Reg): boolean {
    const b = this.bit.get(r);
    if (b < 0) return false;
    this.open(block);
    return this.rows.has(b);
  }

  liveIn(block: BlockId): Reg[] {
    const found: Reg[] = [];
    this.rows.eachAtHead(block, (b) => found.push(this.regs[b] as Reg));
    return found;
  }

  liveOut(block: BlockId): Reg[] {
    const found: Reg[] = [];
    this.open(block);
    this.rows.eachOpen((b) => found.push(this.regs[b] as Reg));
    return found;
  }

  /** What is live at the heads of some blocks together. */
  gather(): { readonly add: (block: BlockId) => void; readonly has: (r: Reg) => boolean } {
    const union = this.rows.gather();
    return {
      add: union.add,
      has: (r) => {
        const b = this.bit.get(r);
        return b >= 0 && union.has(b);
      },
    };
  }

  private open(block: BlockId): void {
    if (this.opened === block) return;
    this.opened = block;
    this.rows.load(this.succs[block] ?? NOTHING);
    for (const b of this.phiReads[block] ?? NO_BITS) this.rows.put(b, 1);
  }

  /** Live at a block's head: what is live at its end and not surely written in it, and what it reads first. */
  private solve(fn: Func, order: readonly BlockId[], observe: LivenessObserver | null): number {
    const work = new Worklist(order.toReversed(), fn.blocks.length);
    const rounds = work.solve((id, round) => {
      this.opened = -1;
      this.open(id);
      for (const effect of this.effects[id] ?? NO_BITS) {
        if (effect < 0) this.rows.put(~effect, 0);
        else this.rows.put(effect, 1);
      }
      const added: Reg[] = [];
      const grew = this.rows.store(id, observe === null ? null : (b) => added.push(this.regs[b] as Reg));
      observe?.(id, round, added);
      if (grew) work.addAll(getBlock(fn, id).preds);
      return grew;
    });
    this.opened = -1;
    return rounds;
  }
}

const NOTHING: readonly BlockId[] = [];
const NO_BITS = new Int32Array(0);

/** Registers read before they are surely written in some block, PHI inputs and results included, each with its place among them. */
export const globalRegs: (fn: Func) => { readonly regs: readonly Reg[]; readonly bit: RegNumbers } = cached("all", (fn) => {
  const bit = new RegNumbers(fn);
  const regs: Reg[] = [];
  const add = (r: Reg): void => {
    if (bit.has(r)) return;
    bit.set(r, regs.length);
    regs.push(r);
  };
  for (const r of fn.returns) add(r);
  /** The place of the block that wrote it last. */
  const written = new RegNumbers(fn);
  const { order } = reversePostOrder(fn);
  for (let place = 0; place < order.length; place++) {
    const { insts } = getBlock(fn, order[place] as BlockId);
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      const uses = usesOf(inst);
      for (let i = 0; i < uses.length; i++) {
        const r = uses[i] as Reg;
        if (inst.op === "PHI" || written.get(r) !== place) add(r);
      }
      const defs = sureDefsOf(inst);
      for (let i = 0; i < defs.length; i++) written.set(defs[i] as Reg, place);
    }
  }
  return { regs, bit };
});

/** What a block does to the registers that are kept, each noted last being what it does first; scratch space for one block after the other. */
class Summary {
  private readonly reads: Uint8Array;
  private readonly noted: number[] = [];

  constructor(bits: number) {
    this.reads = new Uint8Array(bits);
  }

  note(b: number, read: boolean): void {
    if (b < 0) return;
    if (this.reads[b] === 0) this.noted.push(b);
    this.reads[b] = read ? 2 : 1;
  }

  /** One entry each, its bit where the block reads it first, the complement where it surely writes it first. Clears what was collected. */
  take(): Int32Array {
    const { noted, reads } = this;
    if (noted.length === 0) return NO_BITS;
    const effects = new Int32Array(noted.length);
    for (let i = 0; i < noted.length; i++) {
      const b = noted[i] as number;
      effects[i] = reads[b] === 2 ? b : ~b;
      reads[b] = 0;
    }
    noted.length = 0;
    return effects;
  }
}

function effectsOf(fn: Func, block: Block, bit: RegNumbers, summary: Summary): Int32Array {
  const { insts } = block;
  for (let at = insts.length - 1; at >= 0; at--) {
    const inst = insts[at] as Inst;
    const defs = sureDefsOf(inst);
    for (let i = 0; i < defs.length; i++) summary.note(bit.get(defs[i] as Reg), false);
    if (inst.op !== "PHI") {
      const uses = usesOf(inst);
      for (let i = 0; i < uses.length; i++) summary.note(bit.get(uses[i] as Reg), true);
    }
    // A guarded RET reads the results too; what follows it is reached with them live as well only if used there.
    if (inst.op === "RET") for (const r of fn.returns) summary.note(bit.get(r), true);
  }
  return summary.take();
}

function phiReadsOf(fn: Func, block: Block, bit: RegNumbers): Int32Array {
  const found: number[] = [];
  for (const succ of block.succs) {
    for (const phi of phisOf(getBlock(fn, succ))) {
      const value = phiInput(phi, block.id);
      const b = value?.kind === "reg" ? bit.get(value.reg) : -1;
      if (b >= 0) found.push(b);
    }
  }
  return found.length === 0 ? NO_BITS : Int32Array.from(found);
}

/**
 * Walks a block's instructions from the last to the first; `isLive(r)` says whether a register is live right after the instruction. When `visit` returns
 * `true` the instruction is taken to be gone: its uses are not made live. PHI inputs are not live in their own block.
 */
export function scanLive(
  fn: Func,
  live: Liveness,
  id: BlockId,
  visit: (inst: Inst, index: number, isLive: (r: Reg) => boolean) => boolean | undefined,
): void {
  const block = getBlock(fn, id);
  // Only what the block itself changes is kept apart: the set at its end may be large.
  const now = new Map<Reg, boolean>();
  const isLive = (r: Reg): boolean => now.get(r) ?? live.isLiveOut(id, r);
  for (let i = block.insts.length - 1; i >= 0; i--) {
    const inst = block.insts[i] as Inst;
    if (visit(inst, i, isLive) === true) continue;
    for (const r of sureDefsOf(inst)) now.set(r, false);
    if (inst.op !== "PHI") for (const r of usesOf(inst)) now.set(r, true);
    if (inst.op === "RET") for (const r of fn.returns) now.set(r, true);
  }
}
