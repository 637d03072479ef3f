/** `sub_7E6090`: how each block ends, before branch targets are scanned. It changes nothing. */

import type { Inst } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import type { PatternRow } from "./rows.ts";
import { RULES } from "./rules.ts";

type End = "table" | "condition" | "jump" | "exit" | "falls through";

export function scanPatterns({ edit, remark }: PassContext): void {
  const view = remark.shown.table<PatternRow>("branch-patterns", "Branch patterns: how each block ends");
  const count: Record<End, number> = { table: 0, condition: 0, jump: 0, exit: 0, "falls through": 0 };
  let regions = 0;
  for (const id of edit.func.layout) {
    const block = edit.block(id);
    const ends = endOf(terminatorsOf(block).insts);
    const opens = block.insts.some((inst) => inst.op === "BSSY");
    count[ends]++;
    if (opens) regions++;
    const op = block.insts.at(-1)?.op ?? "none";
    const targets = block.succs.map((succ) => edit.block(succ).label).join(", ");
    view.set(block.label, { ends, op: ends === "falls through" ? "none" : op, targets, opens });
  }
  remark.step(RULES.patterns, { tables: count.table, tests: count.condition, jumps: count.jump, exits: count.exit, regions });
}

function endOf(terminators: readonly Inst[]): End {
  const [first] = terminators;
  if (first === undefined) return "falls through";
  if (first.op === "BRX" || first.op === "JMX") return "table";
  if (first.op !== "BRA") return "exit";
  return first.guard === null ? "jump" : "condition";
}
