/** The decisions of a control-flow optimizer that can be counted in its output. */

import { loopInfo } from "../../../../engine/analysis/loops.ts";
import { reversePostOrder } from "../../../../engine/analysis/order.ts";
import type { Func, Inst } from "../../../../engine/ir/types.ts";
import { effectOf, isTerminator, isUnconditional, tableName, waitsForBlock } from "../../../../engine/ir/visit.ts";
import type { Decision } from "./report.ts";

type Counts = Readonly<Record<keyof typeof TITLES, number>>;

const TITLES = {
  blocks: "blocks",
  conditionalBranches: "conditional branches",
  jumps: "unconditional jumps",
  tables: "jump tables",
  tableEntries: "targets of jump tables",
  predicated: "predicated instructions",
  guardedExits: "guarded exits",
  exits: "exits",
  loops: "loops",
  loopDepth: "deepest loop nesting",
  barriers: "barriers of the block",
  regions: "convergence regions (BSSY)",
  calls: "calls",
  stores: "stores to global memory",
} as const;

/** Every kind with its counts on both sides. Linear. */
export function compareDecisions(ours: Func, real: Func): Decision[] {
  const a = countDecisions(ours);
  const b = countDecisions(real);
  return (Object.keys(TITLES) as (keyof typeof TITLES)[]).map(
    (id): Decision => ({ id, title: TITLES[id], ours: a[id], real: b[id], agree: a[id] === b[id] }),
  );
}

/** Over the reachable blocks. */
function countDecisions(fn: Func): Counts {
  const { order } = reversePostOrder(fn);
  const counts = {
    blocks: order.length,
    conditionalBranches: 0,
    jumps: 0,
    tables: 0,
    tableEntries: 0,
    predicated: 0,
    guardedExits: 0,
    exits: 0,
    loops: 0,
    loopDepth: 0,
    barriers: 0,
    regions: 0,
    calls: 0,
    stores: 0,
  };
  const tables = new Set<string>();
  for (const id of order) {
    // An instruction of the source that became several is one decision.
    const predicated = new Set<number>();
    for (const inst of fn.blocks[id]?.insts ?? []) {
      if (inst.op === "BRA") {
        if (isUnconditional(inst)) counts.jumps++;
        else counts.conditionalBranches++;
      } else if (inst.op === "EXIT" || inst.op === "RET" || inst.op === "KILL") {
        if (isUnconditional(inst)) counts.exits++;
        else counts.guardedExits++;
      } else if (inst.guard !== null && !isTerminator(inst)) {
        if (inst.line <= 0 || !predicated.has(inst.line)) counts.predicated++;
        predicated.add(inst.line);
      }
      const table = tableName(inst);
      if (table !== null && !tables.has(table)) {
        tables.add(table);
        const entries = fn.tables.get(table)?.entries ?? [];
        counts.tables++;
        counts.tableEntries += new Set(entries).size;
      }
      if (waitsForBlock(inst) || startsWith(inst, "BAR.", "BAR ")) counts.barriers++;
      if (inst.op === "BSSY") counts.regions++;
      if (inst.op === "CALL" || startsWith(inst, "CALL.", "call")) counts.calls++;
      if (inst.op === "STG" || inst.op === "ST" || (effectOf(inst) === "store" && startsWith(inst, "STG", "ST.", "st.global", "st.v")))
        counts.stores++;
    }
  }
  const { loops } = loopInfo(fn);
  counts.loops = loops.length;
  for (const loop of loops) counts.loopDepth = Math.max(counts.loopDepth, loop.depth);
  return counts;
}

function startsWith(inst: Inst, ...starts: readonly string[]): boolean {
  if (inst.op !== "OPAQUE") return false;
  const text = inst.ops[2];
  return text?.kind === "text" && starts.some((start) => text.text.startsWith(start));
}
