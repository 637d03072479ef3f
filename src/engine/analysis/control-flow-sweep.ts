/** Part 2 of AnalyzeControlFlow: one walk over all instructions in layout order that numbers blocks and registers edges. */

import { BLOCK_FLAG, BLOCK_FLAG2, BLOCK_FLAG2_RET_MASK, FUNC_FLAG } from "../ir/flags.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Block, Inst } from "../ir/types.ts";
import { branchTarget, fallsThrough, getBlock, isUnconditional, tableName } from "../ir/visit.ts";
import type { Analysis } from "./control-flow.ts";
import { RET_CLEARS, startsWithEarlyExit } from "./control-flow-tags.ts";

/** Cases of the opcode dispatch, by the numbers of the reference; the number is for people only. */
const CASES = {
  marker: 97,
  conditional: 93,
  unconditional: 95,
  table: 94,
  return: 72,
  exit: 29,
  merge: 23,
  guarded: 26,
  move: 32,
} as const;

export function sweep(analysis: Analysis): void {
  const { edit, rec, number, line } = analysis;
  const fn = edit.func;
  if (rec.on) rec.begin("round", line("sweep"), "part 2: sweep over the instructions of {func} in layout order", { func: fn.name });
  for (let i = 0; i < fn.layout.length; i++) {
    const block = getBlock(fn, fn.layout[i] as BlockId);
    if ((number[block.id] ?? 0) === 0) {
      if (rec.on) sayUnreachable(analysis, block);
      continue;
    }
    sweepBlock(analysis, block, fn.layout[i + 1] ?? null);
  }
  if (rec.on) rec.end();
}

function sayUnreachable({ rec, line }: Analysis, block: Block): void {
  const facts = { verdict: "no", condition: "unreachable", block: block.label };
  rec.event("match", line("marker"), "{block} cannot be reached: it keeps number 0 and is not put in the worklist", facts, {
    blocks: [block.id],
  });
}

function sweepBlock(analysis: Analysis, block: Block, next: BlockId | null): void {
  const { rec, line } = analysis;
  startBlock(analysis, block);
  const counts = { straight: 0, moves: 0, merges: 0, guarded: 0 };
  for (const inst of block.insts) {
    switch (inst.op) {
      case "BRA":
        branch(analysis, block, inst);
        break;
      case "JMX":
      case "BRX":
        jumpTable(analysis, block, inst);
        break;
      case "RET":
        returnFrom(analysis, block, inst);
        break;
      case "EXIT":
      case "KILL":
        if (rec.on) {
          const facts = { block: block.label, op: inst.op, case: CASES.exit };
          rec.event("visit", line("branch"), "{op} in {block} (case {case}): the thread ends, no edge", facts, focusOf(block, inst));
        }
        break;
      case "MOV":
        counts.moves++;
        break;
      case "PHI":
        counts.merges++;
        break;
      default:
        if (inst.guard === null) counts.straight++;
        else counts.guarded++;
    }
  }
  if (rec.on) sayStraight(analysis, block, counts);
  if (fallsThrough(block) && next !== null) {
    if (rec.on) {
      const facts = { block: block.label, target: getBlock(analysis.edit.func, next).label };
      rec.event("edge-add", line("fall"), "{block} falls through into {target}", facts, { blocks: [block.id], edges: [[block.id, next]] });
    }
    register(analysis, block, next);
  }
  candidateTest(analysis, block);
  if (rec.on) rec.end();
}

/** Case 97, the marker that opens a block. */
function startBlock(analysis: Analysis, block: Block): void {
  const { rec, records, number, worklist, force, line } = analysis;
  const own = number[block.id] ?? 0;
  worklist.put(block.id, own);
  if (rec.on) {
    const facts = { block: block.label, case: CASES.marker, rpo: own, count: worklist.count, capacity: worklist.capacity };
    const template = "{block} opens (marker, case {case}): number {rpo}; the worklist holds {count} of {capacity}";
    rec.begin("visit", line("marker"), template, facts, { blocks: [block.id], nodes: [`worklist/w${own}`] });
  }
  records.set(block.id, "rpo", own);
  // Full rebuild only: the block is taken for a loop header with predecessors until part 3 knows better.
  if (force) records.setBits(block.id, "flags", BLOCK_FLAG.LOOP_HEADER | BLOCK_FLAG.HAS_PRED);
  if (startsWithEarlyExit(block)) {
    records.setBits(block.id, "flags", BLOCK_FLAG.EARLY_EXIT);
    records.funcFlags |= FUNC_FLAG.EARLY_EXIT_OBSERVED;
  } else records.clearBits(block.id, "flags", BLOCK_FLAG.EARLY_EXIT);
}

/** Cases 93 and 95: the Ori-internal exit markers that a conditional and an unconditional BRA stand for. */
function branch(analysis: Analysis, block: Block, inst: Inst): void {
  const { edit, rec, line } = analysis;
  const target = branchTarget(inst);
  if (target === null) return;
  if (rec.on) {
    const conditional = !isUnconditional(inst);
    const facts = {
      block: block.label,
      case: conditional ? CASES.conditional : CASES.unconditional,
      kind: conditional ? "conditional" : "unconditional",
      target: getBlock(edit.func, target).label,
    };
    const template = "{kind} BRA in {block} (case {case}) goes to {target}";
    rec.event("visit", line("branch"), template, facts, { ...focusOf(block, inst), edges: [[block.id, target]] });
  }
  register(analysis, block, target);
}

/** Case 94: one edge for each entry, then the default. */
function jumpTable(analysis: Analysis, block: Block, inst: Inst): void {
  const { edit, rec, line } = analysis;
  const name = tableName(inst);
  const table = name === null ? undefined : edit.func.tables.get(name);
  if (table === undefined) return;
  const targets = new Set(table.default === null ? table.entries : [...table.entries, table.default]);
  if (rec.on) {
    const facts = {
      block: block.label,
      op: inst.op,
      case: CASES.table,
      table: table.name,
      entries: table.entries.length,
      targets: targets.size,
    };
    const template =
      "{op} in {block} (case {case}) walks {table}: {entries} {entries:entry|entries}, {targets} different {targets:target|targets}";
    rec.event("visit", line("table"), template, facts, focusOf(block, inst));
  }
  for (const target of targets) register(analysis, block, target);
}

/** Case 72. */
function returnFrom(analysis: Analysis, block: Block, inst: Inst): void {
  const { edit, rec, records, line } = analysis;
  if (rec.on) {
    const facts = { block: block.label, case: CASES.return };
    const template = "RET in {block} (case {case}): +280 bit 0x08 and +292 bits 0x0C are cleared";
    rec.event("visit", line("return"), template, facts, focusOf(block, inst));
  }
  records.clearBits(block.id, "flags", RET_CLEARS);
  records.set(block.id, "flags2", records.get(block.id, "flags2") & BLOCK_FLAG2_RET_MASK);
  if (edit.func.kind === "func") records.funcFlags |= FUNC_FLAG.CALLEE_ATTRIBUTE;
}

/** Registers an edge; on a retreating one +152 takes the smallest number that is jumped back to. */
function register(analysis: Analysis, from: Block, to: BlockId): void {
  const { edit, rec, records, number, retreating, successors, backEdges, line } = analysis;
  const own = number[from.id] ?? 0;
  const target = number[to] ?? 0;
  const focus = rec.on ? { blocks: [from.id, to], edges: [[from.id, to]] as const } : {};
  if (rec.on) successors.obs.at(line("edge"), focus);
  if (!successors.add(from.id, to)) return;
  if (target > own) {
    if (rec.on) rec.at(line("edge"));
    records.setBits(to, "flags", BLOCK_FLAG.HAS_PRED);
    return;
  }
  if (rec.on) {
    const facts = { from: from.label, to: getBlock(edit.func, to).label, fromRpo: own, toRpo: target };
    const template = "the edge {from} to {to} goes back: number {toRpo} is not above {fromRpo}; a back-edge candidate";
    rec.event("edge-add", line("back"), template, facts, focus);
    backEdges.obs.at(line("back"), focus);
  }
  backEdges.add(from.id, to);
  retreating[from.id] = (retreating[from.id] ?? 0) + 1;
  if (rec.on) rec.at(line("back"));
  const before = records.get(from.id, "latchExit");
  if (before === 0 || target < before) records.set(from.id, "latchExit", target);
}

/** The back-edge candidate test of the block's terminator. */
function candidateTest(analysis: Analysis, block: Block): void {
  const { rec, records, retreating, line } = analysis;
  const targets = retreating[block.id] ?? 0;
  if (rec.on) {
    const facts = { verdict: targets > 0 ? "yes" : "no", condition: targets > 0 ? null : "no-back-edge", block: block.label };
    const template = targets > 0 ? "{block} may be a latch: it has an edge back" : "{block} is no latch: all its edges go forward";
    rec.event("match", line("candidate"), template, facts, { blocks: [block.id] });
    rec.at(line("candidate"));
  }
  if (targets === 0) return;
  records.setBits(block.id, "flags2", BLOCK_FLAG2.BACK_EDGE_CANDIDATE);
  records.setBits(block.id, "flags", BLOCK_FLAG.ANALYSIS_OK);
}

function sayStraight({ rec, line }: Analysis, block: Block, counts: Readonly<Record<string, number>>): void {
  const total = (counts.straight ?? 0) + (counts.moves ?? 0) + (counts.merges ?? 0) + (counts.guarded ?? 0);
  if (total === 0) return;
  const parts = [
    [counts.moves, `MOV (case ${CASES.move})`],
    [counts.merges, `PHI (case ${CASES.merge})`],
    [counts.guarded, `guarded (case ${CASES.guarded})`],
  ] as const;
  const named = parts.filter(([n]) => (n ?? 0) > 0).map(([n, what]) => `${n} ${what}`);
  const among = named.length === 0 ? "" : `, among them ${named.join(", ")}`;
  const facts = { block: block.label, total, noun: total === 1 ? "instruction" : "instructions", among, ...counts };
  rec.event("visit", line("straight"), "{total} straight-line {noun} in {block}{among}: no edge", facts, { blocks: [block.id] });
}

const focusOf = (block: Block, inst: Inst): { readonly blocks: readonly BlockId[]; readonly insts: readonly Inst["id"][] } => ({
  blocks: [block.id],
  insts: [inst.id],
});
