/** AnalyzeControlFlow as a service: numbers blocks, registers edges, tags loop headers and loop bodies, and checks the result. */

import type { Editor } from "../ir/edit.ts";
import { BLOCK_FLAG_RESET_MASK, BLOCK_FLAG2, FUNC_FLAG } from "../ir/flags.ts";
import type { BlockId } from "../ir/ids.ts";
import { getBlock } from "../ir/visit.ts";
import type { Remarks } from "../remark/remarks.ts";
import type { LineSpec, Rule } from "../remark/rules.ts";
import { EdgeMap } from "../structures/edge-map.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { confirmLoops } from "./control-flow-confirm.ts";
import { Records } from "./control-flow-records.ts";
import { sweep } from "./control-flow-sweep.ts";
import { freshRecords } from "./control-flow-tags.ts";
import { Worklist } from "./control-flow-worklist.ts";
import { reversePostOrder } from "./order.ts";

/** Steps of the analysis that a caller's pseudocode may give a line of its own. */
export const CONTROL_FLOW_STEPS = [
  "guard",
  "fresh",
  "reset",
  "worklist",
  "function",
  "sweep",
  "marker",
  "branch",
  "table",
  "return",
  "straight",
  "fall",
  "edge",
  "back",
  "candidate",
  "header",
  "body",
  "check",
  "release",
] as const;

export type ControlFlowStep = (typeof CONTROL_FLOW_STEPS)[number];

/** One line of the caller's pseudocode for everything, or one for each step. */
export type ControlFlowLines = number | Readonly<Record<ControlFlowStep, number>>;

export interface ControlFlowOptions {
  /** Full rebuild: every record is reset, and every block starts as an assumed loop header. Incremental: records that are right are kept. */
  readonly force: boolean;
  readonly rec?: Recorder;
  readonly lines?: ControlFlowLines;
  /** Only the records' changes and the result are told, at a line of the caller's, not how they come about. For phases whose subject is something else. */
  readonly brief?: Brief;
}

export interface Brief {
  readonly remark: Remarks;
  readonly rule: Rule<typeof BRIEF>;
}

/** What a brief run says at its caller's line. */
export const BRIEF = {
  step: {
    analyze: { kind: "span", say: "AnalyzeControlFlow, {mode}" },
    numbered: {
      kind: "note",
      say: "{count} {count:block|blocks} numbered, {backEdges} back {backEdges:edge|edges}; RPO violation: {violation}",
    },
  },
  missed: {
    "re-entry": {
      code: "re-entry guard",
      say: "the re-entry guard (+1370 bit 0x10) is set: this nested call writes nothing",
      counts: false,
    },
  },
} as const satisfies LineSpec;

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
  /** Blocks whose records were reset and written anew. */
  readonly retagged: number;
  /** The re-entry guard was set: nothing was written. */
  readonly reentered: boolean;
}

/** What the parts of the analysis share. */
export interface Analysis {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly records: Records;
  readonly number: Int32Array;
  /** By block id: how many retreating edges it has. */
  readonly retreating: Uint32Array;
  readonly worklist: Worklist;
  readonly successors: EdgeMap;
  readonly backEdges: EdgeMap;
  readonly force: boolean;
  readonly line: (step: ControlFlowStep) => number;
}

/**
 * Brings the block records up to date: +144, +152, the analysis bits of +280, bit 3 of +292, and the function's bits. The program itself is not changed.
 * Linear in instructions and edges but for the dominators that the check asks for. `force` and incremental end in the same records.
 * Source: analyze-control-flow, 'Algorithm'; decisions: phases.md §3.
 */
export function analyzeControlFlow(edit: Editor, options: ControlFlowOptions): ControlFlow {
  const rec = options.rec ?? NO_RECORDER;
  const brief = options.brief ?? null;
  const watched = brief === null ? rec.on : brief.remark.listening;
  const lines = options.lines ?? 1;
  const line = (step: ControlFlowStep): number => (typeof lines === "number" ? lines : lines[step]);
  const fn = edit.func;
  const { number } = reversePostOrder(fn);
  const reentered = (fn.flags & FUNC_FLAG.REENTRY_GUARD) !== 0;
  const observer = brief === null && !reentered ? rec : NO_RECORDER;
  const records = new Records(edit, watched);
  const analysis: Analysis = {
    edit,
    rec: observer,
    records,
    number,
    retreating: new Uint32Array(fn.blocks.length),
    worklist: new Worklist(fn, observer),
    successors: new EdgeMap({ rec: observer, name: "successors", title: "Successor map (+648)", line: line("edge") }),
    backEdges: new EdgeMap({ rec: observer, name: "back-edges", title: "Back-edge map (+680)", line: line("back") }),
    force: options.force,
    line,
  };
  if (reentered) return refuse(analysis, rec, brief);
  brief?.remark.open(brief.rule, "analyze", { mode: options.force ? "full rebuild" : "incremental" });
  const retagged = reset(analysis);
  sweep(analysis);
  const violation = confirmLoops(analysis);
  if (observer.on) rec.at(line("release"));
  brief?.remark.at(brief.rule);
  records.funcFlags &= ~FUNC_FLAG.REENTRY_GUARD;
  records.flush();
  if (brief !== null) {
    const { remark, rule } = brief;
    remark.step(rule, "numbered", { count: analysis.worklist.count, backEdges: analysis.backEdges.edgeCount, violation });
    remark.close();
  }
  const { worklist, successors, backEdges } = analysis;
  return { worklist: worklist.entries(), count: worklist.count, successors, backEdges, violation, retagged, reentered: false };
}

/** A nested call finds the guard set: it writes nothing, and answers from the graph alone. */
function refuse(analysis: Analysis, rec: Recorder, brief: Brief | null): ControlFlow {
  const { edit, number, worklist, successors, backEdges } = analysis;
  brief?.remark.missed(brief.rule, "re-entry");
  if (rec.on) {
    const facts = { verdict: "no", condition: "re-entry guard" };
    rec.event("match", analysis.line("guard"), "the re-entry guard (+1370 bit 0x10) is set: this nested call writes nothing", facts);
  }
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
  const { edit, rec, records, worklist, force, line } = analysis;
  const fn = edit.func;
  if (rec.on) rec.at(line("guard"));
  records.funcFlags |= FUNC_FLAG.REENTRY_GUARD;
  let kept = 0;
  if (!force) {
    const fresh = freshRecords(fn);
    for (const id of fn.layout) if (fresh[id] === 1) kept++;
    if (rec.on) sayKept(analysis, fresh, kept);
    records.kept.set(fresh);
  }
  if (rec.on)
    rec.begin("round", line("reset"), "part 1: the analysis bits of {blocks} {blocks:block|blocks} are reset", {
      blocks: fn.layout.length - kept,
    });
  for (const id of fn.layout) if (records.kept[id] !== 1) resetBlock(analysis, id);
  if (rec.on) rec.at(line("worklist"));
  worklist.reset(line("worklist"));
  const cleared = FUNC_FLAG.ANALYSIS_RUNNING | FUNC_FLAG.RPO_VIOLATION | FUNC_FLAG.EARLY_EXIT_OBSERVED | FUNC_FLAG.FORCE_REBUILD;
  if (rec.on) {
    const facts = { bits: ["+1368 bit 0", "+1377 bit 5", "+1369 bit 7", "+1370 bit 5"] };
    rec.event("visit", line("function"), "the function's bits {bits} are cleared", facts);
  }
  records.funcFlags &= ~cleared;
  if (rec.on) rec.end();
  return fn.layout.length - kept;
}

function resetBlock(analysis: Analysis, id: BlockId): void {
  const { edit, rec, records, line } = analysis;
  const before = records.get(id, "flags");
  const after = (before & BLOCK_FLAG_RESET_MASK) >>> 0;
  if (rec.on) {
    const facts = { block: getBlock(edit.func, id).label, mask: "0xFF78F98F", before: hex(before), after: hex(after) };
    rec.event("visit", line("reset"), "{block}: +280 {before} AND {mask} = {after}; +120, +128, +144, +152 and +232 go to 0", facts, {
      blocks: [id],
    });
  }
  records.set(id, "flags", after);
  // Not stated in the notes, where only RET clears this bit: a block that lost its back edge would keep it.
  records.clearBits(id, "flags2", BLOCK_FLAG2.BACK_EDGE_CANDIDATE);
  for (const field of ["scratch232", "scratch120", "rpo", "latchExit"] as const) records.set(id, field, 0);
}

function sayKept(analysis: Analysis, fresh: Uint8Array, kept: number): void {
  const { edit, rec, line } = analysis;
  const { layout } = edit.func;
  const labels = layout.filter((id) => fresh[id] !== 1).map((id) => getBlock(edit.func, id).label);
  const facts = { kept, stale: labels.length, blocks: labels };
  const right = "{kept} {kept:record is right and keeps its tag|records are right and keep their tags}";
  const template =
    kept === 0
      ? "incremental: no block's record is still right, {stale} {stale:is|are} done again"
      : `incremental: ${right}, {stale} {stale:is|are} stale: {blocks}`;
  rec.event("cache", line("fresh"), labels.length === 0 ? `incremental: nothing is stale, ${right}` : template, facts, {
    blocks: layout.filter((id) => fresh[id] !== 1),
  });
}

const hex = (word: number): string => `0x${word.toString(16).toUpperCase().padStart(8, "0")}`;
