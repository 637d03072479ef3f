/** What the record of each block must contain once the control flow is analysed: the closed form by which incremental mode finds stale records. */

import { dominates, dominators } from "../../../analysis/dominators.ts";
import { reversePostOrder } from "../../../analysis/order.ts";
import { BLOCK_FLAG, BLOCK_FLAG_RESET_MASK, BLOCK_FLAG2, BLOCK_FLAG2_RET_MASK, FUNC_FLAG } from "../../../ir/flags.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { Block, Func } from "../../../ir/types.ts";
import { getBlock, isTerminator } from "../../../ir/visit.ts";

/** The bit of +280 that RET clears in addition to its mask on +292. */
export const RET_CLEARS = 0x8;

/** The block's first instruction ends the thread or returns, guarded or not. */
export function startsWithEarlyExit(block: Block): boolean {
  const op = block.insts[0]?.op;
  return op === "EXIT" || op === "RET" || op === "KILL";
}

export function returns(block: Block): boolean {
  for (let i = block.insts.length - 1; i >= 0; i--) {
    const inst = block.insts[i];
    if (inst === undefined || !isTerminator(inst)) return false;
    if (inst.op === "RET") return true;
  }
  return false;
}

/** Blocks whose record already contains what a full analysis would write. By block id, 1 = right. */
export function freshRecords(fn: Func): Uint8Array {
  const { order, number } = reversePostOrder(fn);
  const smallest = new Int32Array(fn.blocks.length);
  const furthest = new Int32Array(fn.blocks.length);
  const hasPred = new Uint8Array(fn.blocks.length);
  for (const id of order) {
    const own = number[id] ?? 0;
    for (const s of getBlock(fn, id).succs) {
      const target = number[s] ?? 0;
      if (target > own) hasPred[s] = 1;
      else {
        smallest[id] = smallest[id] === 0 ? target : Math.min(smallest[id] ?? 0, target);
        furthest[s] = Math.max(furthest[s] ?? 0, own);
      }
    }
  }
  const fresh = new Uint8Array(fn.blocks.length);
  let loopEnd = 0;
  const check = (id: BlockId, inLoop: boolean): boolean => {
    const block = getBlock(fn, id);
    const latch = (smallest[id] ?? 0) > 0;
    const header = (furthest[id] ?? 0) > 0;
    // The mask keeps the early-exit bit; the sweep, which does not reach unreachable blocks, writes it.
    let flags = block.flags & BLOCK_FLAG_RESET_MASK & ~((number[id] ?? 0) > 0 ? BLOCK_FLAG.EARLY_EXIT : 0);
    let flags2 = block.flags2 & ~BLOCK_FLAG2.BACK_EDGE_CANDIDATE;
    const reachable = (number[id] ?? 0) > 0;
    if (reachable && returns(block)) {
      flags &= ~RET_CLEARS;
      flags2 &= BLOCK_FLAG2_RET_MASK;
    }
    if (reachable && startsWithEarlyExit(block)) flags |= BLOCK_FLAG.EARLY_EXIT;
    if (header) flags |= BLOCK_FLAG.LOOP_HEADER;
    if (hasPred[id] === 1) flags |= BLOCK_FLAG.HAS_PRED;
    if (inLoop) flags |= BLOCK_FLAG.IN_LOOP;
    if (latch) {
      flags |= BLOCK_FLAG.ANALYSIS_OK;
      flags2 |= BLOCK_FLAG2.BACK_EDGE_CANDIDATE;
    }
    return (
      block.rpo === (number[id] ?? 0) &&
      block.latchExit === (header ? furthest[id] : smallest[id]) &&
      block.flags >>> 0 === flags >>> 0 &&
      block.flags2 === flags2 &&
      block.scratch120 === 0 &&
      block.scratch232 === 0
    );
  };
  for (const id of order) {
    loopEnd = Math.max(loopEnd, furthest[id] ?? 0);
    if (check(id, (number[id] ?? 0) <= loopEnd)) fresh[id] = 1;
  }
  for (const id of fn.layout) if ((number[id] ?? 0) === 0 && check(id, false)) fresh[id] = 1;
  return fresh;
}

/** The analysis has run on this function: its entry has a number. */
export function isAnalyzed(fn: Func): boolean {
  const entry = fn.layout[0];
  return entry !== undefined && (fn.blocks[entry]?.rpo ?? 0) > 0;
}

/** A call of the analysis would change nothing: no block's record, and none of the function's bits. */
export function recordsAreRight(fn: Func): boolean {
  const fresh = freshRecords(fn);
  for (const id of fn.layout) if (fresh[id] !== 1) return false;
  return functionBits(fn) === (fn.flags & OWN_BITS);
}

const OWN_BITS =
  FUNC_FLAG.ANALYSIS_RUNNING |
  FUNC_FLAG.EARLY_EXIT_OBSERVED |
  FUNC_FLAG.REENTRY_GUARD |
  FUNC_FLAG.FORCE_REBUILD |
  FUNC_FLAG.RPO_VIOLATION |
  FUNC_FLAG.CALLEE_ATTRIBUTE;

/** What a full analysis leaves in the function's bits that are its own. */
function functionBits(fn: Func): number {
  const { order, number } = reversePostOrder(fn);
  // A bit that nothing clears.
  let bits = fn.flags & FUNC_FLAG.CALLEE_ATTRIBUTE;
  let retreats = false;
  for (const id of order) {
    const block = getBlock(fn, id);
    if (startsWithEarlyExit(block)) bits |= FUNC_FLAG.EARLY_EXIT_OBSERVED;
    if (fn.kind === "func" && returns(block)) bits |= FUNC_FLAG.CALLEE_ATTRIBUTE;
    retreats ||= block.succs.some((to) => (number[to] ?? 0) <= (number[id] ?? 0));
  }
  return retreats && isIrreducible(fn) ? bits | FUNC_FLAG.RPO_VIOLATION : bits;
}

function isIrreducible(fn: Func): boolean {
  const { order, number } = reversePostOrder(fn);
  const dom = dominators(fn);
  return order.some((id) => getBlock(fn, id).succs.some((to) => (number[to] ?? 0) <= (number[id] ?? 0) && !dominates(dom, to, id)));
}
