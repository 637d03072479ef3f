/** Backward liveness of registers over bit sets, kept only for registers that are live across a block boundary. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, phiInput, phisOf, usesOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { reversePostOrder } from "./order.ts";

export interface Liveness {
  /** Registers that are live at some block's entry or feed a PHI; their index here is their bit. */
  readonly regs: readonly Reg[];
  readonly bit: ReadonlyMap<Reg, number>;
  /** Words a row; row b of `liveIn`/`liveOut` starts at `b * words`, b the block id. */
  readonly words: number;
  readonly liveIn: Uint32Array;
  readonly liveOut: Uint32Array;
  /** Rounds until nothing changed (the last one included). */
  readonly rounds: number;
}

/** Called after each visit of a block: bits newly live in. `round` from 1. */
export type LivenessObserver = (block: BlockId, round: number, added: readonly Reg[]) => void;

export const liveness: (fn: Func) => Liveness = cached("all", (fn) => computeLiveness(fn));

/**
 * Liveness to a fixed point. A PHI's inputs are live out of the predecessor they come from, its result is defined at the block's head.
 * A guarded definition does not end a live range: the old value shows through when the guard is false. Results of a `.func` are live at RET.
 * Unreachable blocks have empty sets.
 */
export function computeLiveness(fn: Func, observe?: LivenessObserver): Liveness {
  const { order } = reversePostOrder(fn);
  const { regs, bit } = globalRegs(fn, order);
  const words = (regs.length + 31) >>> 5;
  const size = fn.blocks.length * words;
  const liveIn = new Uint32Array(size);
  const liveOut = new Uint32Array(size);
  const gen = new Uint32Array(size);
  const kill = new Uint32Array(size);
  const fixedOut = new Uint32Array(size);
  for (const id of order) summarise(fn, getBlock(fn, id), bit, words, gen, kill, fixedOut);

  let rounds = 0;
  const dirty = new Uint8Array(fn.blocks.length);
  for (const id of order) dirty[id] = 1;
  for (let changed = order.length > 0; changed; ) {
    changed = false;
    rounds++;
    for (let i = order.length - 1; i >= 0; i--) {
      const id = order[i] as BlockId;
      if (dirty[id] !== 1) continue;
      dirty[id] = 0;
      const block = getBlock(fn, id);
      const row = id * words;
      for (let w = 0; w < words; w++) {
        let out = fixedOut[row + w] ?? 0;
        for (const s of block.succs) out |= liveIn[s * words + w] ?? 0;
        liveOut[row + w] = out;
      }
      const added: Reg[] = [];
      let grew = false;
      for (let w = 0; w < words; w++) {
        const before = liveIn[row + w] ?? 0;
        const now = ((gen[row + w] ?? 0) | ((liveOut[row + w] ?? 0) & ~(kill[row + w] ?? 0))) >>> 0;
        if (now === before) continue;
        grew = true;
        liveIn[row + w] = now;
        if (observe !== undefined)
          for (let d = now & ~before; d !== 0; d &= d - 1) added.push(regs[w * 32 + (31 - Math.clz32(d & -d))] as Reg);
      }
      observe?.(id, rounds, added);
      if (grew) {
        for (const p of block.preds) dirty[p] = 1;
        changed = true;
      }
    }
  }
  return { regs, bit, words, liveIn, liveOut, rounds };
}

/** Registers read before they are surely written in some block, PHI inputs and results included. */
export function globalRegs(fn: Func, order: readonly BlockId[]): { regs: Reg[]; bit: Map<Reg, number> } {
  const bit = new Map<Reg, number>();
  const regs: Reg[] = [];
  const add = (r: Reg): void => {
    if (!bit.has(r)) {
      bit.set(r, regs.length);
      regs.push(r);
    }
  };
  for (const r of fn.returns) add(r);
  const written = new Set<Reg>();
  for (const id of order) {
    written.clear();
    for (const inst of getBlock(fn, id).insts) {
      for (const r of usesOf(inst)) if (inst.op === "PHI" || !written.has(r)) add(r);
      if (inst.guard === null) for (const r of defsOf(inst)) written.add(r);
    }
  }
  return { regs, bit };
}

function summarise(
  fn: Func,
  block: Block,
  bit: ReadonlyMap<Reg, number>,
  words: number,
  gen: Uint32Array,
  kill: Uint32Array,
  out: Uint32Array,
): void {
  const row = block.id * words;
  for (let i = block.insts.length - 1; i >= 0; i--) {
    const inst = block.insts[i] as Inst;
    if (inst.guard === null) {
      for (const r of defsOf(inst)) {
        const b = bit.get(r);
        if (b === undefined) continue;
        kill[row + (b >>> 5)] = (kill[row + (b >>> 5)] ?? 0) | (1 << (b & 31));
        gen[row + (b >>> 5)] = (gen[row + (b >>> 5)] ?? 0) & ~(1 << (b & 31));
      }
    }
    if (inst.op !== "PHI") for (const r of usesOf(inst)) setBit(gen, row, bit.get(r));
    if (inst.op === "RET") {
      // A guarded RET reads the results too; what follows it is reached with them live as well only if used there.
      for (const r of fn.returns) setBit(gen, row, bit.get(r));
    }
  }
  for (const succ of block.succs) {
    for (const phi of phisOf(getBlock(fn, succ))) {
      const value = phiInput(phi, block.id);
      if (value?.kind === "reg") setBit(out, row, bit.get(value.reg));
    }
  }
}

function setBit(rows: Uint32Array, row: number, b: number | undefined): void {
  if (b !== undefined) rows[row + (b >>> 5)] = (rows[row + (b >>> 5)] ?? 0) | (1 << (b & 31));
}

function rowHas(live: Liveness, rows: Uint32Array, block: BlockId, r: Reg): boolean {
  const b = live.bit.get(r);
  return b !== undefined && ((rows[block * live.words + (b >>> 5)] ?? 0) & (1 << (b & 31))) !== 0;
}

export function isLiveIn(live: Liveness, block: BlockId, r: Reg): boolean {
  return rowHas(live, live.liveIn, block, r);
}

/** Live behind the block's last instruction on some edge. Results read by a RET inside the block are not in here. */
export function isLiveOut(live: Liveness, block: BlockId, r: Reg): boolean {
  return rowHas(live, live.liveOut, block, r);
}

export function liveRegs(live: Liveness, rows: Uint32Array, block: BlockId): Reg[] {
  const found: Reg[] = [];
  for (let w = 0; w < live.words; w++) {
    for (let d = rows[block * live.words + w] ?? 0; d !== 0; d &= d - 1) {
      const r = live.regs[w * 32 + (31 - Math.clz32(d & -d))];
      if (r !== undefined) found.push(r);
    }
  }
  return found;
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
  const now = new Set(liveRegs(live, live.liveOut, id));
  const isLive = (r: Reg): boolean => now.has(r);
  for (let i = block.insts.length - 1; i >= 0; i--) {
    const inst = block.insts[i] as Inst;
    if (visit(inst, i, isLive) === true) continue;
    if (inst.guard === null) for (const r of defsOf(inst)) now.delete(r);
    if (inst.op !== "PHI") for (const r of usesOf(inst)) now.add(r);
    if (inst.op === "RET") for (const r of fn.returns) now.add(r);
  }
}
