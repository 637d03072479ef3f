/** Rewrite 2: a condition whose two ways lead to one block, or a table with a single target, decides nothing. */

import { withForm } from "../../ir/copies.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import type { Rewrite } from "./rewrite.ts";
import { RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

/** `@P EXIT` right before an EXIT: all lanes end here either way. Not among the reference's rewrites; the real compiler leaves one EXIT. */
export function equalExits(state: BranchOptState, block: Block): Rewrite | null {
  const { edit, remark } = state;
  const { insts } = terminatorsOf(block);
  const [last] = insts;
  if (last === undefined || insts.length !== 1 || last.op !== "EXIT" || isUnconditional(last)) return null;
  const next = edit.next(block.id);
  const [first] = next === null ? [] : state.block(next).insts;
  if (next === null || first === undefined || first.op !== "EXIT" || !isUnconditional(first)) return null;
  const said = { inst: last, block, target: next };
  if (state.policy !== "measured") return remark.missed(RULES.equal, "exit-policy", said);
  state.accepted++;
  remark.matched(RULES.equal, "exits", said);
  return {
    name: "equal",
    ask: (apply) => remark.done(RULES.equal, "falls", { block, target: next }, apply),
    edit: () => edit.setTerminators(block.id, []),
  };
}

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
  remark.matched(RULES.equal, "blocks", { inst: first, block, target });
  const label = { kind: "label", block: target } as const;
  const after: Inst[] = fallsThrough(block) ? [] : [withForm(first, "BRA", first.op === "BRA" ? first.mods : [], [label], null)];
  return {
    name: "equal",
    ask: (apply) => remark.done(RULES.equal, after.length === 0 ? "falls" : "goes", { block, target }, apply),
    edit: () => edit.setTerminators(block.id, after),
  };
}
