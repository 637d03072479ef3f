/** Rewrite 2: a condition whose two ways lead to one block, or a table with a single target, decides nothing. */

import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import type { Rewrite } from "./rewrite.ts";
import { RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

export function equalTargets(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const first = insts[0];
  const target = block.succs[0];
  if (first === undefined || target === undefined) return null;
  const jumps = insts.every((inst) => branchTarget(inst) !== null || tableName(inst) !== null);
  if (!jumps || (insts.length === 1 && first.op === "BRA" && isUnconditional(first))) return null;
  const { edit, remark } = state;
  if (block.succs.length > 1) return remark.missed(RULES.equal, "targets-differ", { inst: first, block, targets: block.succs });
  // Lanes whose next block is the same stay together, whatever the branch tests.
  state.accepted++;
  remark.matched(RULES.equal, { inst: first, block, target });
  const label = { kind: "label", block: target } as const;
  const after: Inst[] = fallsThrough(block)
    ? []
    : [{ ...first, op: "BRA", mods: first.op === "BRA" ? first.mods : [], guard: null, ops: [label] }];
  return {
    name: "equal",
    ask: (apply) => remark.done(RULES.equal, after.length === 0 ? "falls" : "goes", { block, target }, apply),
    edit: () => edit.setTerminators(block.id, after),
  };
}
