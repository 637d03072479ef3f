/** From a conditional branch along one edge, through blocks with one predecessor and one successor, to the next conditional branch. */

import { analyzeEnding, type Ending } from "../../analysis/block-ending.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Guard, Inst } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";

const NO_END = "the edge from {block} to {to:block} leads to no second test: {why}";

export const follow = line("    for each edge of B: follow blocks with one predecessor and one successor each (fields 16 and 17)", {
  stays: NO_END,
  missed: {
    "skip-point": { why: "knob 91 is set", say: "knob 91 makes every block a skip point" },
    "several-predecessors": { counts: false, say: "a block on the path has several predecessors" },
    "several-successors": { counts: false, say: "a block on the path has several successors, but no branch on one predicate" },
  },
});

export const end = line("      the chain ends in X: one predecessor, ends with a branch on one predicate q", {
  step: "the {edge} edge of {first:block} leads to the branch of {second:block}",
  stays: NO_END,
  missed: {
    "no-branch": { counts: false, say: "the path ends" },
    cycle: { counts: false, say: "the path is a cycle" },
  },
});

/** A block's branch on one predicate, with its two edges. */
export interface Test {
  readonly block: BlockId;
  readonly branch: Inst;
  readonly guard: Guard;
  readonly taken: BlockId;
  readonly otherwise: BlockId;
  readonly explicit: boolean;
}

export function testOf(edit: Editor, block: BlockId): Test | null {
  const ending: Ending = analyzeEnding(edit.block(block), edit.next(block));
  if (ending.kind !== "cond" || !ending.reversible || ending.otherwise === null || ending.taken === ending.otherwise) return null;
  const { branch, taken, otherwise, explicit } = ending;
  return branch.guard === null ? null : { block, branch, guard: branch.guard, taken, otherwise, explicit };
}

/** `@P EXIT` at the end of a block: lanes that continue have found its condition false. `taken` leads nowhere. */
export function exitTestOf(edit: Editor, block: BlockId): Test | null {
  const { insts } = terminatorsOf(edit.block(block));
  const [branch] = insts;
  const otherwise = edit.next(block);
  if (branch?.op !== "EXIT" || insts.length !== 1 || branch.guard === null || isConstantReg(branch.guard.reg) || otherwise === null)
    return null;
  return { block, branch, guard: branch.guard, taken: block, otherwise, explicit: false };
}

export interface Chain {
  readonly first: Test;
  readonly second: Test;
  /** The edge of the first test that leads here is its taken one. */
  readonly taken: boolean;
  /** The first test's block, the blocks between, the second test's block. */
  readonly path: readonly BlockId[];
}

/** Why a chain ends without a second test. */
export type ChainEnd = "skip-point" | "several-predecessors" | "several-successors" | "no-branch" | "cycle";

/** Follows one edge; each block of a function is on one such chain at most. `skip`: every block is a skip point, so none is followed. */
export function followChain(edit: Editor, first: Test, taken: boolean, skip: boolean): Chain | ChainEnd {
  if (skip) return "skip-point";
  const path: BlockId[] = [first.block];
  const entry = edit.func.layout[0];
  let at = taken ? first.taken : first.otherwise;
  const seen = new Set<BlockId>(path);
  for (;;) {
    if (at === entry || edit.block(at).preds.length !== 1) return "several-predecessors";
    if (seen.has(at)) return "cycle";
    seen.add(at);
    path.push(at);
    const second = testOf(edit, at);
    if (second !== null) return { first, second, taken, path };
    const { succs } = edit.block(at);
    const next = succs[0];
    if (next === undefined) return "no-branch";
    if (succs.length > 1) return "several-successors";
    at = next;
  }
}
