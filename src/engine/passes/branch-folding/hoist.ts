/** HoistCommonCode: identical heads of both successors move into the block that alone leads to them. */

import { analyzeEnding } from "../../analysis/block-ending.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, sameInst, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { State } from "./state.ts";

export const hoist = line("  HoistCommonCode: for each block with two successors of which it is the only predecessor:", {
  kind: "span",
  step: "HoistCommonCode: move up what both successors begin with",
  stays: "{left:block} and {right:block} begin alike, but nothing moves into {block}: {why}",
  missed: {
    "analyzable-branch": { say: "its branch cannot be analysed" },
    "single-predecessor": {
      say: "{entered:block} can be entered from elsewhere too",
      droppable: "who comes from elsewhere misses the instructions",
    },
    "head-sees-lanes": {
      code: "convergence",
      say: "with '{head:inst}', {effect}",
      droppable: "it sees the lanes of both edges, which ran it in two groups",
    },
    "head-defines-condition": {
      code: "defines-condition",
      say: "'{head:inst}' writes {written:reg}, which the branch tests",
      droppable: "the branch tests the new value",
    },
    // The next round tries what follows, which is then the head.
    "next-sees-lanes": { code: "convergence", say: "the next pair stays, {effect}" },
    "next-defines-condition": { code: "defines-condition", say: "the next pair stays, it writes {written:reg}, which the branch tests" },
  },
});

export const hoistOne = rule<State, Fork>()({
  line: "    while both successors begin with identical instructions that may move: take one into the block, before its branch, drop the other",
  done: "{left:block} and {right:block} begin with the same {length} {length:instruction: it moves|instructions: they move} into {block}, before its branch",
  because:
    "{left} and {right} are the successors of {block}, and in both the same {length} {length:instruction runs|instructions run} first",
  match({ edit, remark }, { block, left, right, branch }) {
    const [a, b] = [edit.block(left).insts, edit.block(right).insts];
    const edges = { left, right, block, blocks: [left, right] };
    const [head, other] = [a[0] as Inst, b[0] as Inst];
    const heads = { ...edges, insts: [head, other] };
    if (branch === null) return remark.missed(hoist, "analyzable-branch", heads);
    const entered = [left, right].find((succ) => edit.block(succ).preds.length > 1) ?? null;
    if (!remark.holds(hoist, "single-predecessor", entered === null, { ...heads, entered })) return null;
    const effect = seenApart(head);
    if (!remark.holds(hoist, "head-sees-lanes", effect === null, { ...heads, head, effect: effect ?? "" })) return null;
    const written = definesTested(head, branch);
    if (!remark.holds(hoist, "head-defines-condition", written === null, { ...heads, head, written })) return null;
    let length = 1;
    while (alike(a[length], b[length]) && movable(a[length] as Inst, branch)) length++;
    return { ...edges, length, insts: a.slice(0, length), amount: length };
  },
  apply({ edit }, { left, right, block, length }) {
    for (let i = 0; i < length; i++) edit.move(left, 0, block.id, terminatorsOf(edit.block(block.id)).at);
    edit.sweep(right, (_inst, at) => at < length);
  },
});

/** True when something moved. */
export function hoistCommonCode(state: State): boolean {
  const { edit } = state;
  let changed = false;
  for (const id of edit.func.layout.slice()) {
    const fork = forkOf(edit, edit.block(id));
    const heads = fork === null ? [] : [fork.left, fork.right].map((succ) => edit.block(succ).insts[0] as Inst);
    const rewrite = fork === null ? null : (hoistOne.look(state, fork)?.request() ?? null);
    if (fork === null || rewrite === null) continue;
    rewrite.commit();
    changed = true;
    sayNext(state, fork, heads);
  }
  return changed;
}

/** A block whose two successors begin alike; `branch`: null when its end cannot be analysed. */
interface Fork {
  readonly block: Block;
  readonly left: BlockId;
  readonly right: BlockId;
  readonly branch: Inst | null;
}

function forkOf(edit: Editor, block: Block): Fork | null {
  const [left, right] = block.succs;
  if (left === undefined || right === undefined || block.succs.length !== 2) return null;
  if (!alike(edit.block(left).insts[0], edit.block(right).insts[0])) return null;
  const ending = analyzeEnding(block, edit.next(block.id));
  return { block, left, right, branch: ending.kind === "cond" ? ending.branch : null };
}

/** Why the pair that follows what moved stays; the next round tries it again. `heads`: what moved first. */
function sayNext({ edit, remark }: State, { block, left, right, branch }: Fork, insts: readonly Inst[]): void {
  const [next, other] = [edit.block(left).insts[0], edit.block(right).insts[0]];
  if (next === undefined || branch === null || !alike(next, other)) return;
  const about = { left, right, block, blocks: [left, right], insts };
  const effect = seenApart(next);
  if (effect !== null) remark.missed(hoist, "next-sees-lanes", { ...about, effect });
  else remark.missed(hoist, "next-defines-condition", { ...about, written: definesTested(next, branch) });
}

const alike = (x: Inst | undefined, y: Inst | undefined): boolean =>
  x !== undefined && y !== undefined && sameInst(x, y) && !isTerminator(x);

const movable = (inst: Inst, branch: Inst): boolean => seenApart(inst) === null && definesTested(inst, branch) === null;

/** Why lanes of both edges may not run the instruction together; null when they may. */
const seenApart = (inst: Inst): string | null => (effectOf(inst) === "sync" ? "it changes which lanes are waited for" : notShareable(inst));

/** A register that the instruction writes and the branch tests. */
function definesTested(inst: Inst, branch: Inst): Reg | null {
  const tested = usesOf(branch);
  return defsOf(inst).find((r) => tested.includes(r)) ?? null;
}
