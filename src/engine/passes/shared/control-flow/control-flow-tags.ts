/** What the record of each block must say once the control flow is analysed: the closed form by which incremental mode finds stale records. */

import { reversePostOrder } from "../../../analysis/order.ts";
import { BLOCK_FLAG, BLOCK_FLAG_RESET_MASK, BLOCK_FLAG2, BLOCK_FLAG2_RET_MASK } from "../../../ir/flags.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { Block, Func } from "../../../ir/types.ts";
import { getBlock, isTerminator } from "../../../ir/visit.ts";

/** The bit of +280 that RET clears besides its mask on +292. */
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

/** Blocks whose record already says what a full analysis would write. By block id, 1 = right. */
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
    let flags = block.flags & BLOCK_FLAG_RESET_MASK & ~BLOCK_FLAG.EARLY_EXIT;
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
