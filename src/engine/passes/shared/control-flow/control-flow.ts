/** AnalyzeControlFlow as a service: numbers blocks, registers edges, tags loop headers and loop bodies, and checks the result. */

import { reversePostOrder } from "../../../analysis/order.ts";
import type { Editor } from "../../../ir/edit.ts";
import { BLOCK_FLAG_RESET_MASK, BLOCK_FLAG2, FUNC_FLAG } from "../../../ir/flags.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { getBlock } from "../../../ir/visit.ts";
import { Remarks } from "../../../remark/remarks.ts";
import type { Rule } from "../../../remark/rules.ts";
import { EdgeMap } from "../../../structures/edge-map.ts";
import { NO_RECORDER } from "../../../trace/recorder.ts";
import { confirmLoops } from "./control-flow-confirm.ts";
import { Records } from "./control-flow-records.ts";
import { type BRIEF, CONTROL_FLOW } from "./control-flow-rules.ts";
import { type Analysis, SuccessorLists } from "./control-flow-state.ts";
import { sweep } from "./control-flow-sweep.ts";
import { freshRecords } from "./control-flow-tags.ts";
import { Trackers } from "./control-flow-trackers.ts";
import { Worklist } from "./control-flow-worklist.ts";

export interface ControlFlowOptions {
  /** Full rebuild: every record is reset, and every block starts as an assumed loop header. Incremental: records that are right are kept. */
  readonly force: boolean;
  /** All events are reported, by `CONTROL_FLOW`. */
  readonly remark?: Remarks;
  /** Only the records' changes and the result are reported, at a line of the caller's. For phases whose subject is something else. */
  readonly brief?: Brief;
}

export interface Brief {
  readonly remark: Remarks;
  readonly rule: Rule<typeof BRIEF>;
  /** Every write of a record is an event (default); else what differs in the end. */
  readonly everyWrite?: boolean;
}

export interface ControlFlow {
  /** The function worklist (+504): entry i is the block with RPO number i, from 1; entry 0 is not used (-1). */
  readonly worklist: Int32Array;
  /** Entries in use, so the last RPO number (+520). */
  readonly count: number;
  /** The successor map (+648), by block id. */
  readonly successors: EdgeMap;
  /** The back-edge map (+680): the retreating edges, by block id of their source. */
  readonly backEdges: EdgeMap;
  /** Function bit +1377 bit 5: irreducible, or an edge to a block without number. Loop-sensitive phases decline then. */
  readonly violation: boolean;
  /** Blocks whose records were reset and written again. */
  readonly retagged: number;
  /** The re-entry guard was set: nothing was written. */
  readonly reentered: boolean;
}

/**
 * Brings the block records up to date: +144, +152, the analysis bits of +280, bit 3 of +292, and the function's bits. The program itself is not changed.
 * Linear in instructions and edges but for the dominators that the check needs. `force` and incremental end in the same records.
 * Source: analyze-control-flow, 'Algorithm'; decisions: docs/fidelity.md, phase 3.
 */
export function analyzeControlFlow(edit: Editor, options: ControlFlowOptions): ControlFlow {
  const { force, brief = null } = options;
  const fn = edit.func;
  const { number } = reversePostOrder(fn);
  const reentered = (fn.flags & FUNC_FLAG.REENTRY_GUARD) !== 0;
  const silent = new Remarks(edit, NO_RECORDER, CONTROL_FLOW, null);
  const told = options.remark ?? silent;
  const remark = reentered ? silent : told;
  const analysis: Analysis = {
    edit,
    remark,
    records: new Records(edit, (brief?.remark ?? told).listening && brief?.everyWrite !== false),
    number,
    retreating: new Uint32Array(fn.blocks.length),
    worklist: new Worklist(fn, remark),
    trackers: remark.listening ? new Trackers(remark) : null,
    lists: remark.listening ? new SuccessorLists(edit, remark) : null,
    successors: new EdgeMap(remark.observe("successors", "Successor map (+648)", CONTROL_FLOW.edge)),
    backEdges: new EdgeMap(remark.observe("back-edges", "Back-edge map (+680)", CONTROL_FLOW.back)),
    force,
  };
  if (reentered) {
    told.missed(CONTROL_FLOW.guard, "re-entry");
    brief?.remark.missed(brief.rule, "re-entry");
    return fromGraph(analysis);
  }
  brief?.remark.open(brief.rule, "analyze", { mode: force ? "full rebuild" : "incremental" });
  const retagged = reset(analysis);
  sweep(analysis);
  const violation = confirmLoops(analysis);
  const { records } = analysis;
  remark.at(CONTROL_FLOW.release);
  brief?.remark.at(brief.rule);
  records.funcFlags &= ~FUNC_FLAG.REENTRY_GUARD;
  records.flush();
  if (brief !== null) {
    brief.remark.step(brief.rule, "numbered", {
      count: analysis.worklist.count,
      edges: analysis.successors.edgeCount,
      backEdges: analysis.backEdges.edgeCount,
      violation,
    });
    brief.remark.close();
  }
  const { worklist, successors, backEdges } = analysis;
  return { worklist: worklist.entries(), count: worklist.count, successors, backEdges, violation, retagged, reentered: false };
}

/** A nested call finds the guard set: it writes nothing, and answers from the graph alone. */
function fromGraph({ edit, number, worklist, successors, backEdges }: Analysis): ControlFlow {
  worklist.count = 0;
  for (const id of edit.func.layout) {
    const own = number[id] ?? 0;
    if (own === 0) continue;
    worklist.put(id, own);
    for (const to of getBlock(edit.func, id).succs) {
      successors.add(id, to);
      if ((number[to] ?? 0) <= own) backEdges.add(id, to);
    }
  }
  const violation = (edit.func.flags & FUNC_FLAG.RPO_VIOLATION) !== 0;
  return { worklist: worklist.entries(), count: worklist.count, successors, backEdges, violation, retagged: 0, reentered: true };
}

/** Part 1. Returns how many blocks were reset. */
function reset(analysis: Analysis): number {
  const { edit, remark, records, worklist, force } = analysis;
  const fn = edit.func;
  remark.at(CONTROL_FLOW.guard);
  records.funcFlags |= FUNC_FLAG.REENTRY_GUARD;
  let kept = 0;
  if (!force) {
    const fresh = freshRecords(fn);
    for (const id of fn.layout) if (fresh[id] === 1) kept++;
    if (remark.listening) sayKept(analysis, fresh, kept);
    records.kept.set(fresh);
  }
  const count = fn.layout.length - kept;
  remark.span(CONTROL_FLOW.reset, "part", { count }, () => {
    for (const id of fn.layout) if (records.kept[id] !== 1) resetBlock(analysis, id);
    remark.at(CONTROL_FLOW.worklist);
    worklist.reset();
    const cleared = FUNC_FLAG.ANALYSIS_RUNNING | FUNC_FLAG.RPO_VIOLATION | FUNC_FLAG.EARLY_EXIT_OBSERVED | FUNC_FLAG.FORCE_REBUILD;
    remark.step(CONTROL_FLOW.function, { also: { bits: ["+1368 bit 0", "+1377 bit 5", "+1369 bit 7", "+1370 bit 5"] } });
    records.funcFlags &= ~cleared;
  });
  return count;
}

function resetBlock({ remark, records, lists }: Analysis, block: BlockId): void {
  const before = records.get(block, "flags");
  const after = (before & BLOCK_FLAG_RESET_MASK) >>> 0;
  if (remark.listening)
    remark.step(CONTROL_FLOW.reset, "block", { block, also: { before: hex(before), mask: "0xFF78F98F", after: hex(after) } });
  records.set(block, "flags", after);
  // Not stated in the reference, where only RET clears this bit: a block that lost its back edge would keep it.
  records.clearBits(block, "flags2", BLOCK_FLAG2.BACK_EDGE_CANDIDATE);
  lists?.clear(block);
  for (const field of ["scratch232", "scratch120", "rpo", "latchExit"] as const) records.set(block, field, 0);
}

function sayKept({ edit, remark }: Analysis, fresh: Uint8Array, kept: number): void {
  const blocks = edit.func.layout.filter((id) => fresh[id] !== 1);
  const said = { kept, stale: blocks.length, blocks };
  remark.step(CONTROL_FLOW.fresh, blocks.length === 0 ? "all" : kept === 0 ? "none" : "some", said);
}

const hex = (word: number): string => `0x${word.toString(16).toUpperCase().padStart(8, "0")}`;
