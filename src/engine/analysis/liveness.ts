/** Liveness: live-out = union of the successors' live-in, live-in = use + (live-out - def). Kept only of registers that are live across a block boundary. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { RegNumbers } from "../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { getBlock, phiInput, phisOf, sureDefsOf, usesOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { reversePostOrder } from "./order.ts";
import { SharedSet, WorkingSet } from "./shared-sets.ts";
import { flowGraph, type Solution, solve, union } from "./solve.ts";

/** Called after each visit of a block: bits newly live in. `round` from 1. */
export type LivenessObserver = (block: BlockId, round: number, added: readonly Reg[]) => void;

export const liveness: (fn: Func) => Liveness = cached("all", (fn) => computeLiveness(fn));

/**
 * Liveness to a fixed point. A PHI's inputs are live out of the predecessor they come from, its result is defined at the block's head.
 * A guarded definition does not end a live range: the old value shows through when the guard is false. Results of a `.func` are live at RET.
 * Unreachable blocks have empty sets.
 */
export function computeLiveness(fn: Func, observe?: LivenessObserver): Liveness {
  return new Liveness(fn, observe);
}

/** Answers for the function as it was when solved. */
export class Liveness {
  /** Registers that are live at some block's entry or feed a PHI; their index here is their bit. */
  readonly regs: readonly Reg[];
  readonly bit: Pick<RegNumbers, "get" | "has">;
  /** Rounds until nothing changed (the last one included). */
  readonly rounds: number;
  private readonly solution: Solution<BlockId, WorkingSet, SharedSet>;
  /** live-out of the last block that was requested. */
  private end: { readonly block: BlockId; readonly live: WorkingSet } | null = null;

  constructor(fn: Func, observe: LivenessObserver | undefined) {
    const global = globalRegs(fn);
    this.regs = global.regs;
    this.bit = global.bit;
    this.solution = solveLiveness(fn, global, observe);
    this.rounds = this.solution.rounds;
  }

  isLiveIn(block: BlockId, r: Reg): boolean {
    const b = this.bit.get(r);
    return b >= 0 && this.solution.after(block)?.has(b) === true;
  }

  /** Live after the block's last instruction on some edge. Results read by a RET inside the block are not in here. */
  isLiveOut(block: BlockId, r: Reg): boolean {
    const b = this.bit.get(r);
    return b >= 0 && this.liveAtEnd(block).has(b);
  }

  liveIn(block: BlockId): Reg[] {
    const live = this.solution.after(block);
    return live === undefined ? [] : regsOf(live, this.regs);
  }

  liveOut(block: BlockId): Reg[] {
    return regsOf(this.liveAtEnd(block), this.regs);
  }

  /** What is live at the heads of some blocks together. */
  gather(): { readonly add: (block: BlockId) => void; readonly has: (r: Reg) => boolean } {
    const gathered = new WorkingSet(this.regs.length);
    return {
      add: (block) => {
        const live = this.solution.after(block);
        if (live !== undefined) gathered.addAll(live);
      },
      has: (r) => {
        const b = this.bit.get(r);
        return b >= 0 && gathered.has(b);
      },
    };
  }

  private liveAtEnd(block: BlockId): WorkingSet {
    if (this.end?.block !== block) this.end = { block, live: this.solution.before(block) };
    return this.end.live;
  }
}

/** The registers of a set; `but`: without those of another one. */
export function regsOf(set: SharedSet, regs: readonly Reg[], but: SharedSet | null = null): Reg[] {
  const members = but === null ? set.members() : set.members().filter((b) => !but.has(b));
  return members.map((b) => regs[b] as Reg);
}

const NO_BITS = new Int32Array(0);

/** live-out also contains what PHIs of the successors read from the block. */
function solveLiveness(
  fn: Func,
  { regs, bit }: GlobalRegs,
  observe: LivenessObserver | undefined,
): Solution<BlockId, WorkingSet, SharedSet> {
  const graph = flowGraph(fn);
  const phiReads: Int32Array[] = new Array(fn.blocks.length);
  const effects: Int32Array[] = new Array(fn.blocks.length);
  const summary = new Summary(regs.length);
  for (const id of graph.order) {
    const block = getBlock(fn, id);
    phiReads[id] = phiReadsOf(fn, block, bit);
    effects[id] = effectsOf(fn, block, bit, summary);
  }
  // One set for all visits.
  const live = new WorkingSet(regs.length);
  return solve(graph, {
    direction: "backward",
    top: () => new SharedSet(regs.length),
    start(block) {
      live.clear();
      for (const b of phiReads[block] ?? NO_BITS) live.add(b);
      return live;
    },
    meet: union,
    transfer(block) {
      for (const effect of effects[block] ?? NO_BITS) {
        if (effect < 0) live.delete(~effect);
        else live.add(effect);
      }
    },
    visited: observe && ((block, round, now, before) => observe(block, round, regsOf(now, regs, before))),
  });
}

interface GlobalRegs {
  readonly regs: readonly Reg[];
  readonly bit: RegNumbers;
}

/** Registers read before they are surely written in some block, PHI inputs and results included, each with its place among them. */
export const globalRegs: (fn: Func) => GlobalRegs = cached("all", (fn) => {
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
