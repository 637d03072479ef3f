/** Parts 3 and 4 of AnalyzeControlFlow: loop headers and bodies from the registered back edges, then the consistency check. */

import { dominates, dominators } from "../../../analysis/dominators.ts";
import { BLOCK_FLAG, FUNC_FLAG } from "../../../ir/flags.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { getBlock } from "../../../ir/visit.ts";
import { CONTROL_FLOW } from "./control-flow-rules.ts";
import type { Analysis } from "./control-flow-state.ts";

/** Returns true when the RPO-violation latch was set. */
export function confirmLoops(analysis: Analysis): boolean {
  const { edit, remark, worklist } = analysis;
  const entries = worklist.entries();
  remark.span(CONTROL_FLOW.header, {}, () => {
    const furthest = furthestLatches(analysis, entries);
    for (let rpo = 1; rpo < entries.length; rpo++) confirmHeader(analysis, entries, rpo, furthest[rpo] ?? 0);
    markBodies(analysis, entries, furthest);
  });
  return remark.span(CONTROL_FLOW.check, { func: edit.func.name }, () => check(analysis, entries));
}

/** By RPO number of the header: the largest number of a block that jumps back to it; 0 for no header. */
function furthestLatches({ number, retreating, backEdges }: Analysis, entries: Int32Array): Int32Array {
  const furthest = new Int32Array(entries.length);
  for (let rpo = 1; rpo < entries.length; rpo++) {
    const latch = entries[rpo] as number;
    if ((retreating[latch] ?? 0) === 0) continue;
    for (const target of backEdges.get(latch) ?? []) {
      const header = number[target] ?? 0;
      furthest[header] = Math.max(furthest[header] ?? 0, rpo);
    }
  }
  return furthest;
}

function confirmHeader(analysis: Analysis, entries: Int32Array, rpo: number, furthest: number): void {
  const { remark, records, force } = analysis;
  const id = entries[rpo] as BlockId;
  if (furthest > 0) remark.matched(CONTROL_FLOW.header, { block: id, latch: entries[furthest] as BlockId, latchRpo: furthest });
  else if (force) remark.missed(CONTROL_FLOW.header, "no-retreating-edge", { block: id });
  remark.at(CONTROL_FLOW.header);
  if (furthest > 0) {
    records.setBits(id, "flags", BLOCK_FLAG.LOOP_HEADER);
    records.set(id, "latchExit", furthest);
  } else records.clearBits(id, "flags", BLOCK_FLAG.LOOP_HEADER);
  // The full rebuild assumed predecessors for every block; only the entry can be without one of smaller number.
  if (force && !hasSmallerPred(analysis, id)) records.clearBits(id, "flags", BLOCK_FLAG.HAS_PRED);
}

function hasSmallerPred({ edit, number }: Analysis, id: BlockId): boolean {
  const own = number[id] ?? 0;
  return getBlock(edit.func, id).preds.some((p) => (number[p] ?? 0) > 0 && (number[p] ?? 0) < own);
}

/** IN_LOOP on every number from a header to its furthest latch. Blocks that have it are skipped over, so that nests cost one visit a block. */
function markBodies(analysis: Analysis, entries: Int32Array, furthest: Int32Array): void {
  const { remark, records } = analysis;
  let marked = 0;
  for (let header = 1; header < entries.length; header++) {
    const last = furthest[header] ?? 0;
    if (last === 0) continue;
    const blocks = (): BlockId[] => Array.from(entries.subarray(header, last + 1)) as BlockId[];
    remark.step(CONTROL_FLOW.body, { from: header, to: last, header: entries[header] as BlockId, blocks });
    remark.at(CONTROL_FLOW.body);
    // Headers come in ascending order: everything up to `marked` from an earlier header on has the bit.
    for (let rpo = Math.max(header, marked + 1); rpo <= last; rpo++) records.setBits(entries[rpo] as BlockId, "flags", BLOCK_FLAG.IN_LOOP);
    marked = Math.max(marked, last);
  }
}

/** A retreating edge whose target does not dominate its source, or an edge to a block without number; the first one sets the latch. */
function check(analysis: Analysis, entries: Int32Array): boolean {
  const { edit, remark, records, number } = analysis;
  const fn = edit.func;
  const dom = dominators(fn);
  for (let rpo = 1; rpo < entries.length; rpo++) {
    const id = entries[rpo] as BlockId;
    for (const to of getBlock(fn, id).succs) {
      const target = number[to] ?? 0;
      const unnumbered = target === 0;
      if (!unnumbered && (target > rpo || dominates(dom, to, id))) continue;
      remark.missed(CONTROL_FLOW.check, unnumbered ? "unnumbered" : "irreducible", { from: id, to, blocks: [id, to], edges: [[id, to]] });
      remark.at(CONTROL_FLOW.check);
      records.funcFlags |= FUNC_FLAG.RPO_VIOLATION;
      return true;
    }
  }
  remark.matched(CONTROL_FLOW.check);
  return false;
}
