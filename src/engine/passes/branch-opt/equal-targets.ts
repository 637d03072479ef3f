/** Rewrite 2: a condition whose two ways lead to one block, or a table with a single target, decides nothing. */

import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, isUnconditional, tableName, terminatorsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";
import type { Rewrite } from "./rewrite.ts";
import type { BranchOptState } from "./state.ts";

export function equalTargets(state: BranchOptState, block: Block): Rewrite | null {
  const { insts } = terminatorsOf(block);
  const first = insts[0];
  const target = block.succs[0];
  if (first === undefined || target === undefined) return null;
  const jumps = insts.every((inst) => branchTarget(inst) !== null || tableName(inst) !== null);
  if (!jumps || (insts.length === 1 && first.op === "BRA" && isUnconditional(first))) return null;
  const text = (): string => printInst(state.edit.func, first);
  if (block.succs.length > 1) {
    state.refuse(LINE.equal, "targets-differ", block, first, () => ({
      template: "'{inst}' in {block} leads to different blocks: {targets}",
      facts: { inst: text(), targets: block.succs.map((s) => state.label(s)) },
    }));
    return null;
  }
  // Lanes whose next block is the same stay together, whatever the branch tests.
  state.accept(LINE.equal, block, first, () => ({
    template: "'{inst}' in {block} leads to {target} either way",
    facts: { inst: text(), target: state.label(target) },
  }));
  const after: Inst[] = fallsThrough(block)
    ? []
    : [{ ...first, op: "BRA", mods: first.op === "BRA" ? first.mods : [], guard: null, ops: [{ kind: "label", block: target }] }];
  return {
    name: "equal",
    line: LINE.equal,
    say: () => ({
      template:
        after.length === 0 ? "{block} falls through into {target}, without a branch" : "{block} goes to {target} without a condition",
      facts: { target: state.label(target) },
    }),
    apply: () => state.edit.setTerminators(block.id, after),
  };
}
