/** Parts 3 and 4 of AnalyzeControlFlow: loop headers and bodies from the registered back edges, then the consistency check. */

import { BLOCK_FLAG, FUNC_FLAG } from "../ir/flags.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import type { Analysis } from "./control-flow.ts";
import { dominates, dominators } from "./dominators.ts";

/** Returns true when the RPO-violation latch was set. */
export function confirmLoops(analysis: Analysis): boolean {
  const { edit, rec, worklist, line } = analysis;
  const entries = worklist.entries();
  if (rec.on) rec.begin("round", line("header"), "part 3: loop headers are the targets of the back edges found", {});
  const furthest = furthestLatches(analysis, entries);
  for (let rpo = 1; rpo < entries.length; rpo++) confirmHeader(analysis, entries, rpo, furthest[rpo] ?? 0);
  markBodies(analysis, entries, furthest);
  if (rec.on) rec.end();
  if (rec.on) rec.begin("round", line("check"), "part 4: consistency of the numbers of {func}", { func: edit.func.name });
  const violation = check(analysis, entries);
  if (rec.on) rec.end();
  return violation;
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
  const { edit, rec, records, force, line } = analysis;
  const id = entries[rpo] as BlockId;
  if (rec.on && (furthest > 0 || force)) {
    const facts = {
      verdict: furthest > 0 ? "yes" : "no",
      condition: furthest > 0 ? null : "no-retreating-edge",
      block: getBlock(edit.func, id).label,
      rpo,
      latch: furthest > 0 ? getBlock(edit.func, entries[furthest] as BlockId).label : null,
      latchRpo: furthest,
    };
    const template =
      furthest > 0
        ? "{block} is a loop header: an edge from {latch} (number {latchRpo}) comes back to it; +152 becomes its loop-exit marker {latchRpo}"
        : "{block} was assumed to be a loop header, but no edge comes back to it";
    rec.event("match", line("header"), template, facts, { blocks: [id] });
  }
  if (rec.on) rec.at(line("header"));
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
  const { edit, rec, records, line } = analysis;
  let marked = 0;
  for (let header = 1; header < entries.length; header++) {
    const last = furthest[header] ?? 0;
    if (last === 0) continue;
    if (rec.on) {
      const facts = { block: getBlock(edit.func, entries[header] as BlockId).label, from: header, to: last };
      const blocks = Array.from(entries.subarray(header, last + 1)) as BlockId[];
      rec.event("visit", line("body"), "IN_LOOP on the numbers {from} to {to}: the interval of {block}", facts, { blocks });
      rec.at(line("body"));
    }
    // Headers come in ascending order: everything up to `marked` from an earlier header on has the bit.
    for (let rpo = Math.max(header, marked + 1); rpo <= last; rpo++) records.setBits(entries[rpo] as BlockId, "flags", BLOCK_FLAG.IN_LOOP);
    marked = Math.max(marked, last);
  }
}

/** A retreating edge whose target does not dominate its source, or an edge to a block without number; the first one sets the latch. */
function check(analysis: Analysis, entries: Int32Array): boolean {
  const { edit, records, number } = analysis;
  const fn = edit.func;
  const dom = dominators(fn);
  for (let rpo = 1; rpo < entries.length; rpo++) {
    const id = entries[rpo] as BlockId;
    for (const to of getBlock(fn, id).succs) {
      const target = number[to] ?? 0;
      const unnumbered = target === 0;
      if (!unnumbered && (target > rpo || dominates(dom, to, id))) continue;
      say(analysis, fn, id, to, unnumbered ? "unnumbered" : "irreducible");
      records.funcFlags |= FUNC_FLAG.RPO_VIOLATION;
      return true;
    }
  }
  say(analysis, fn, null, null, "consistent");
  return false;
}

function say(
  { rec, line }: Analysis,
  fn: Func,
  from: BlockId | null,
  to: BlockId | null,
  what: "unnumbered" | "irreducible" | "consistent",
): void {
  if (!rec.on) return;
  if (from === null || to === null) {
    const facts = { verdict: "yes", condition: null };
    rec.event(
      "match",
      line("check"),
      "every retreating edge's target dominates its source, and every edge leads to a numbered block",
      facts,
    );
    return;
  }
  const facts = { verdict: "no", condition: what, from: getBlock(fn, from).label, to: getBlock(fn, to).label };
  const template =
    what === "irreducible"
      ? "the edge {from} to {to} goes back, but {to} does not dominate {from}: the graph is irreducible, the RPO-violation latch is set"
      : "the edge {from} to {to} leads to a block without number: the RPO-violation latch is set";
  rec.event("match", line("check"), template, facts, { blocks: [from, to], edges: [[from, to]] });
  rec.at(line("check"));
}
