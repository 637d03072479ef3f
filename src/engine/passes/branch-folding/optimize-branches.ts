/** OptimizeBranches: six rewrites around each block and its predecessor in the layout, tried again after each change. */

import { analyzeEnding, type Ending, reversedBranch } from "../../analysis/block-ending.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, tableName, terminatorsOf } from "../../ir/visit.ts";
import { LINE } from "./pseudocode.ts";
import { jumpTo, labelOf, refuse, regionEnds, type State } from "./state.ts";

/** True when something changed. */
export function optimizeBranches(state: State): boolean {
  const { edit } = state;
  const ends = regionEnds(state);
  const layout = edit.func.layout.slice();
  let changed = false;
  edit.loosely(() => {
    for (const id of layout) {
      // Every rewrite but the sixth takes an instruction or a block away, and the sixth happens once a block: this ends.
      while (edit.has(id) && optimizeBlock(state, id, ends)) changed = true;
    }
  });
  return changed;
}

function optimizeBlock(state: State, id: BlockId, ends: ReadonlySet<BlockId>): boolean {
  const { edit } = state;
  const prevId = edit.previous(id);
  const block = edit.block(id);
  if (prevId === null) return false;
  if (block.preds.length === 0) return removeUnreachable(state, block, ends);
  if (block.insts.length === 0) return removeEmpty(state, block, prevId, ends);
  const prev = edit.block(prevId);
  const ending = analyzeEnding(prev, id);
  return (
    foldSameTargets(state, prev, id, ending) ||
    splice(state, prev, block, ending, ends) ||
    dropRedundantBranch(state, prev, id, ending) ||
    reverseToFallThrough(state, prev, id, ending) ||
    relocate(state, prev, block, ending, ends)
  );
}

/** One accepted rewrite: the events around it and the count. */
function rewrite(
  state: State,
  line: number,
  template: string,
  facts: Record<string, string>,
  blocks: readonly BlockId[],
  apply: () => void,
): true {
  const { rec } = state;
  state.matches++;
  state.rewrites++;
  if (rec.on) rec.begin("rewrite", line, template, { ...facts, verdict: "yes" }, { blocks });
  apply();
  if (rec.on) rec.end();
  return true;
}

function refused(
  state: State,
  line: number,
  condition: string,
  template: string,
  facts: Record<string, string>,
  blocks: readonly BlockId[],
  insts: readonly InstId[] = [],
): false {
  state.matches++;
  refuse(state, condition);
  if (state.rec.on) state.rec.event("match", line, template, { ...facts, verdict: "no", condition }, { blocks, insts });
  return false;
}

function removeUnreachable(state: State, block: Block, ends: ReadonlySet<BlockId>): boolean {
  const facts = { block: block.label };
  if (ends.has(block.id)) {
    return refused(state, LINE.unreachable, "region-end", "{block} is unreachable but stays: a BSSY names it as its region's end", facts, [
      block.id,
    ]);
  }
  return rewrite(state, LINE.unreachable, "{block} has no predecessor left: removed", facts, [block.id], () =>
    state.edit.removeBlock(block.id),
  );
}

function removeEmpty(state: State, block: Block, prevId: BlockId, ends: ReadonlySet<BlockId>): boolean {
  const { edit } = state;
  const next = edit.next(block.id);
  const facts = { block: block.label, next: next === null ? "" : labelOf(state, next) };
  if (next === null) return false;
  if (ends.has(block.id)) {
    return refused(state, LINE.empty, "region-end", "{block} is empty but stays: a BSSY names it as its region's end", facts, [block.id]);
  }
  const last = edit.block(prevId).insts.at(-1);
  const behindTable = last !== undefined && tableName(last) !== null && fallsThrough(edit.block(prevId)) && leadsTo(edit, last, block.id);
  if (behindTable) {
    const said = { ...facts, prev: labelOf(state, prevId) };
    const template =
      "{block} is empty but stays: {prev} falls into it behind a table that names it as well, and lanes of both ways stay together";
    return refused(state, LINE.empty, "convergence", template, said, [block.id, prevId]);
  }
  const obstacle = state.rejoin.joinWays(block.preds, block.id, next);
  if (obstacle !== null) {
    return refused(
      state,
      LINE.empty,
      "convergence",
      "{block} is empty but stays: lanes part for it and for {next} in one block, and {reason} (not stated in the notes)",
      { ...facts, reason: obstacle.reason },
      [block.id, next],
      obstacle.inst === null ? [] : [obstacle.inst.id],
    );
  }
  return rewrite(state, LINE.empty, "{block} is empty: its predecessors go to {next}", facts, [block.id, next], () => {
    for (const pred of block.preds) {
      // The block before it in the layout falls on into the next one by itself, behind a guarded EXIT too.
      if (pred === prevId && !terminatorsOf(edit.block(pred)).insts.some((inst) => leadsTo(edit, inst, block.id))) continue;
      edit.redirect(pred, block.id, next);
    }
    edit.removeBlock(block.id);
  });
}

/** The terminator names the block, itself or through its table. */
function leadsTo(edit: Editor, inst: Inst, id: BlockId): boolean {
  const name = tableName(inst);
  const table = name === null ? undefined : edit.table(name);
  return branchTarget(inst) === id || (table !== undefined && (table.default === id || table.entries.includes(id)));
}

function foldSameTargets(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  if (ending.kind !== "cond" || ending.taken !== ending.otherwise) return false;
  const { taken } = ending;
  const facts = { block: prev.label, target: labelOf(state, taken) };
  return rewrite(state, LINE.sameTargets, "both ways of {block} go to {target}: its condition goes", facts, [prev.id, taken], () => {
    state.edit.setTerminators(prev.id, taken === id ? [] : [jumpTo(state, taken)]);
  });
}

function splice(state: State, prev: Block, block: Block, ending: Ending, ends: ReadonlySet<BlockId>): boolean {
  const { edit } = state;
  const onlyWay = (ending.kind === "none" || ending.kind === "jump") && ending.target === block.id;
  if (!onlyWay || block.preds.length !== 1 || block.preds[0] !== prev.id) return false;
  const facts = { block: block.label, prev: prev.label };
  const parting = state.rejoin.partsInside(prev);
  if (parting !== null) {
    const template =
      "{block} is not spliced into {prev}: lanes part at a guarded {op} there and meet at the head of {block} (not stated in the notes)";
    return refused(state, LINE.splice, "convergence", template, { ...facts, op: parting.op }, [block.id, prev.id], [parting.id]);
  }
  if (ends.has(block.id)) {
    return refused(state, LINE.splice, "region-end", "{block} is not spliced into {prev}: a BSSY names it as its region's end", facts, [
      block.id,
    ]);
  }
  return rewrite(
    state,
    LINE.splice,
    "{block} has {prev} as its only predecessor, which goes nowhere else: spliced into it",
    facts,
    [prev.id, block.id],
    () => {
      edit.replaceTail(prev.id, terminatorsOf(prev).at, block.insts);
      edit.removeBlock(block.id);
    },
  );
}

function dropRedundantBranch(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  if (ending.kind === "jump" && ending.target === id) {
    return rewrite(
      state,
      LINE.redundant,
      "{block} jumps to {target}, which is next: the jump goes",
      { block: prev.label, target: labelOf(state, id) },
      [prev.id, id],
      () => {
        state.edit.setTerminators(prev.id, []);
      },
    );
  }
  if (ending.kind === "cond" && ending.explicit && ending.otherwise === id) {
    return rewrite(
      state,
      LINE.redundant,
      "the else way of {block} jumps to {target}, which is next: the jump goes",
      { block: prev.label, target: labelOf(state, id) },
      [prev.id, id],
      () => {
        state.edit.setTerminators(prev.id, [ending.branch]);
      },
    );
  }
  return false;
}

function reverseToFallThrough(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  if (ending.kind !== "cond" || !ending.explicit || ending.taken !== id || ending.otherwise === null) return false;
  const { otherwise, branch } = ending;
  const facts = { block: prev.label, next: labelOf(state, id), other: labelOf(state, otherwise) };
  if (!ending.reversible) {
    return refused(
      state,
      LINE.reverse,
      "reversible-condition",
      "{block} cannot fall into {next}: its condition has no reverse",
      facts,
      [prev.id],
      [branch.id],
    );
  }
  return rewrite(
    state,
    LINE.reverse,
    "{block} goes to {other} on the reversed condition and falls into {next}",
    facts,
    [prev.id, id, otherwise],
    () => {
      state.edit.setTerminators(prev.id, [reversedBranch(branch, otherwise)]);
    },
  );
}

function relocate(state: State, prev: Block, block: Block, ending: Ending, ends: ReadonlySet<BlockId>): boolean {
  const { edit } = state;
  const next = edit.next(block.id);
  if (block.succs.length > 0 || ending.kind !== "cond" || ending.explicit || next === null || ending.taken !== next) return false;
  const { branch } = ending;
  const facts = { block: block.label, prev: prev.label, next: labelOf(state, next) };
  const blocks = [block.id, prev.id, next];
  if (!ending.reversible) {
    return refused(state, LINE.relocate, "reversible-condition", "{block} stays: the condition of {prev} has no reverse", facts, blocks, [
      branch.id,
    ]);
  }
  // Otherwise the two would trade places for ever.
  if (edit.next(next) === null && edit.block(next).succs.length === 0) {
    return refused(
      state,
      LINE.relocate,
      "last-block",
      "{block} stays: {next} ends the function and has no successors either",
      facts,
      blocks,
    );
  }
  if (ends.has(block.id)) {
    return refused(state, LINE.relocate, "region-end", "{block} stays: a BSSY names it as its region's end", facts, blocks);
  }
  return rewrite(
    state,
    LINE.relocate,
    "{block} ends the thread and moves to the end, so that {prev} falls into {next}",
    facts,
    blocks,
    () => {
      edit.setTerminators(prev.id, [branch, jumpTo(state, block.id)]);
      edit.moveToEnd(block.id);
      edit.setTerminators(prev.id, [reversedBranch(branch, block.id)]);
    },
  );
}
