/** Part 2 of AnalyzeControlFlow: one walk over all instructions in layout order that numbers blocks and registers edges. */

import { dominates, dominators } from "../../../analysis/dominators.ts";
import { BLOCK_FLAG, BLOCK_FLAG2, BLOCK_FLAG2_RET_MASK, FUNC_FLAG } from "../../../ir/flags.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { Block, Inst } from "../../../ir/types.ts";
import { branchTarget, fallsThrough, getBlock, isUnconditional, tableName } from "../../../ir/visit.ts";
import { CONTROL_FLOW } from "./control-flow-rules.ts";
import type { Analysis } from "./control-flow-state.ts";
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
  const { edit, remark, number } = analysis;
  const fn = edit.func;
  remark.open(CONTROL_FLOW.sweep, { func: fn.name });
  if (analysis.force) remark.missed(CONTROL_FLOW.small, "has-predecessors");
  for (let i = 0; i < fn.layout.length; i++) {
    const block = getBlock(fn, fn.layout[i] as BlockId);
    if ((number[block.id] ?? 0) > 0) sweepBlock(analysis, block, fn.layout[i + 1] ?? null);
    else remark.missed(CONTROL_FLOW.marker, "unreachable", { block });
  }
  remark.close();
}

function sweepBlock(analysis: Analysis, block: Block, next: BlockId | null): void {
  const { remark } = analysis;
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
        remark.step(CONTROL_FLOW.branch, "exit", { op: inst.op, block, inst, also: { case: CASES.exit } });
        analysis.trackers?.branch(inst.guard !== null, false);
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
  if (remark.listening) sayStraight(analysis, block, counts);
  if (fallsThrough(block) && next !== null) {
    if (remark.listening) remark.step(CONTROL_FLOW.fall, { block, target: next, edges: [[block.id, next]] });
    register(analysis, block, next);
  }
  candidateTest(analysis, block);
  remark.close();
}

/** Case 97, the marker that opens a block. */
function startBlock({ remark, records, number, worklist, trackers, force }: Analysis, block: Block): void {
  const rpo = number[block.id] ?? 0;
  worklist.put(block.id, rpo);
  if (remark.listening) {
    const { count, capacity } = worklist;
    remark.open(CONTROL_FLOW.marker, { block, rpo, count, capacity, node: worklist.node(rpo), also: { case: CASES.marker } });
  }
  trackers?.marker(block.label, rpo);
  records.set(block.id, "rpo", rpo);
  // Full rebuild only: the block is taken for a loop header with predecessors until part 3 knows better.
  if (force) records.setBits(block.id, "flags", BLOCK_FLAG.LOOP_HEADER | BLOCK_FLAG.HAS_PRED);
  if (startsWithEarlyExit(block)) {
    records.setBits(block.id, "flags", BLOCK_FLAG.EARLY_EXIT);
    trackers?.earlyExit();
    records.funcFlags |= FUNC_FLAG.EARLY_EXIT_OBSERVED;
  } else records.clearBits(block.id, "flags", BLOCK_FLAG.EARLY_EXIT);
}

/** Cases 93 and 95: the Ori-internal exit markers that a conditional and an unconditional BRA stand for. */
function branch(analysis: Analysis, block: Block, inst: Inst): void {
  const { remark } = analysis;
  const target = branchTarget(inst);
  if (target === null) return;
  if (remark.listening) {
    const [kind, number] = isUnconditional(inst) ? ["unconditional", CASES.unconditional] : ["conditional", CASES.conditional];
    remark.step(CONTROL_FLOW.branch, "jump", { kind, block, target, inst, edges: [[block.id, target]], also: { case: number } });
  }
  analysis.trackers?.branch(!isUnconditional(inst), analysis.records.get(target, "rpo") > 0);
  register(analysis, block, target);
}

/** Case 94: one edge for each entry, then the default. */
function jumpTable(analysis: Analysis, block: Block, inst: Inst): void {
  const { edit, remark } = analysis;
  const name = tableName(inst);
  const table = name === null ? undefined : edit.func.tables.get(name);
  if (table === undefined) return;
  const targets = new Set(table.default === null ? table.entries : [...table.entries, table.default]);
  const sizes = { entries: table.entries.length, targets: targets.size };
  remark.step(CONTROL_FLOW.table, { op: inst.op, block, table: table.name, ...sizes, inst, also: { case: CASES.table } });
  for (const target of targets) register(analysis, block, target);
  analysis.trackers?.leave();
  if (remark.listening) naturalLoop(analysis, block, table.name, targets);
}

/** After the table the listing calls a natural-loop check whose inside it does not show. Part 4 tests the same of every edge, and sets the bit. */
function naturalLoop({ edit, remark }: Analysis, block: Block, table: string, targets: ReadonlySet<BlockId>): void {
  const dom = dominators(edit.func);
  const header = [...targets].find((target) => dominates(dom, target, block.id));
  if (header === undefined) remark.missed(CONTROL_FLOW.natural, "no-natural-loop", { block, table });
  else remark.matched(CONTROL_FLOW.natural, { header, block });
}

/** Case 72. */
function returnFrom({ edit, remark, records, trackers }: Analysis, block: Block, inst: Inst): void {
  remark.step(CONTROL_FLOW.return, { block, inst, also: { case: CASES.return } });
  trackers?.leave();
  records.clearBits(block.id, "flags", RET_CLEARS);
  records.set(block.id, "flags2", records.get(block.id, "flags2") & BLOCK_FLAG2_RET_MASK);
  if (edit.func.kind === "func") records.funcFlags |= FUNC_FLAG.CALLEE_ATTRIBUTE;
}

/** Registers an edge; on a retreating one +152 becomes the smallest number that is jumped back to. */
function register(analysis: Analysis, block: Block, to: BlockId): void {
  const { remark, records, number, retreating, successors, backEdges } = analysis;
  const from = block.id;
  const fromRpo = number[from] ?? 0;
  const toRpo = number[to] ?? 0;
  const about = remark.listening ? { blocks: [from, to], edges: [[from, to]] as const } : {};
  successors.obs.at(CONTROL_FLOW.edge, about);
  if (!successors.add(from, to)) return;
  analysis.lists?.add(from, to);
  if (toRpo > fromRpo) {
    remark.at(CONTROL_FLOW.edge);
    records.setBits(to, "flags", BLOCK_FLAG.HAS_PRED);
    return;
  }
  if (remark.listening) remark.step(CONTROL_FLOW.back, { from, to, toRpo, fromRpo, ...about });
  backEdges.obs.at(CONTROL_FLOW.back, about);
  backEdges.add(from, to);
  retreating[from] = (retreating[from] ?? 0) + 1;
  remark.at(CONTROL_FLOW.back);
  const before = records.get(from, "latchExit");
  if (before === 0 || toRpo < before) records.set(from, "latchExit", toRpo);
}

/** The back-edge candidate test of the block's terminator. */
function candidateTest({ remark, records, retreating }: Analysis, block: Block): void {
  const isLatch = (retreating[block.id] ?? 0) > 0;
  if (isLatch) remark.matched(CONTROL_FLOW.candidate, { block });
  else remark.missed(CONTROL_FLOW.candidate, "no-back-edge", { block });
  remark.at(CONTROL_FLOW.candidate);
  if (!isLatch) return;
  records.setBits(block.id, "flags2", BLOCK_FLAG2.BACK_EDGE_CANDIDATE);
  records.setBits(block.id, "flags", BLOCK_FLAG.ANALYSIS_OK);
}

interface Counts {
  readonly straight: number;
  readonly moves: number;
  readonly merges: number;
  readonly guarded: number;
}

function sayStraight({ remark }: Analysis, block: Block, { straight, moves, merges, guarded }: Counts): void {
  const total = straight + moves + merges + guarded;
  if (total === 0) return;
  const parts = [
    [moves, "MOV", CASES.move],
    [merges, "PHI", CASES.merge],
    [guarded, "guarded", CASES.guarded],
  ] as const;
  const present = parts.filter(([n]) => n > 0);
  const named = present.map(([n, what]) => `${n} ${what}`);
  const among = named.length === 0 ? "" : `, among them ${named.join(", ")}`;
  remark.step(CONTROL_FLOW.straight, { total, block, among, also: { cases: present.map(([, , number]) => number) } });
}
