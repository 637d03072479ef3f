/** OptimizeBranches: six rewrites around each block and its predecessor in the layout, tried again after each change. */

import { analyzeEnding, type Ending, reversedBranch } from "../../analysis/block-ending.ts";
import { NamedBlocks, type NamedBy } from "../../analysis/named-blocks.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, tableName, terminatorsOf } from "../../ir/visit.ts";
import { RULES } from "./rules.ts";
import { jumpTo, type State } from "./state.ts";
import { removeDyingTable } from "./tables.ts";

/** True when something changed. */
export function optimizeBranches(state: State): boolean {
  const { edit } = state;
  const named = new NamedBlocks(edit);
  const layout = edit.func.layout.slice();
  let changed = false;
  edit.loosely(() => {
    for (const id of layout) {
      // Every rewrite but the sixth takes an instruction or a block away, and the sixth happens once a block: this ends.
      while (edit.has(id) && optimizeBlock(state, id, named)) changed = true;
    }
  });
  return changed;
}

function optimizeBlock(state: State, id: BlockId, named: NamedBlocks): boolean {
  const { edit } = state;
  const prevId = edit.previous(id);
  const block = edit.block(id);
  if (prevId === null) return false;
  if (block.preds.length === 0) return removeUnreachable(state, block, named);
  if (block.insts.length === 0) return removeEmpty(state, block, prevId, named);
  const prev = edit.block(prevId);
  const ending = analyzeEnding(prev, id);
  return (
    foldSameTargets(state, prev, id, ending) ||
    splice(state, prev, block, ending, named) ||
    dropRedundantBranch(state, prev, id, ending) ||
    reverseToFallThrough(state, prev, id, ending) ||
    relocate(state, prev, block, ending, named)
  );
}

/** The rewrite as something that was done: `found` gives null when it was refused. */
const done = (apply: () => void) => (): true => {
  apply();
  return true;
};

function removeUnreachable(state: State, block: Block, named: NamedBlocks): boolean {
  const { edit, remark } = state;
  state.matches++;
  const by = namedBy(state, named, block.id);
  if (by !== null) return remark.missed(RULES.unreachable, by, { block }) !== null;
  return (
    remark.found(
      RULES.unreachable,
      { block },
      done(() => edit.removeBlock(block.id)),
    ) !== null
  );
}

function removeEmpty(state: State, block: Block, prev: BlockId, named: NamedBlocks): boolean {
  const { edit, remark } = state;
  const next = edit.next(block.id);
  if (next === null) return false;
  state.matches++;
  const by = namedBy(state, named, block.id);
  if (by !== null) return remark.missed(RULES.empty, by, { block }) !== null;
  const last = edit.block(prev).insts.at(-1);
  const afterTable = last !== undefined && tableName(last) !== null && fallsThrough(edit.block(prev)) && leadsTo(edit, last, block.id);
  if (!remark.holds(RULES.empty, "after-table", !afterTable, { block, prev, blocks: [prev] })) return false;
  const obstacle = state.rejoin.joinWays(block.preds, block.id, next);
  const about = { block, next, blocks: [next] };
  const { reason, inst } = obstacle ?? { reason: "", inst: null };
  if (!remark.holds(RULES.empty, "ways-join", obstacle === null, { ...about, reason, inst })) return false;
  const apply = (): void => {
    for (const pred of block.preds) {
      // The block before it in the layout falls on into the next one by itself, after a guarded EXIT too.
      if (pred === prev && !terminatorsOf(edit.block(pred)).insts.some((term) => leadsTo(edit, term, block.id))) continue;
      edit.redirect(pred, block.id, next);
    }
    edit.removeBlock(block.id);
    named.moved(block.id, next);
  };
  return remark.found(RULES.empty, about, done(apply)) !== null;
}

/** What names the block, so that it has to stay. */
function namedBy(state: State, named: NamedBlocks, id: BlockId): NamedBy | null {
  // A table goes with the last instruction that names it, and must not keep anything.
  for (let table = named.tableOf(id); table !== null; table = named.tableOf(id)) if (!removeDyingTable(state, table)) break;
  return named.reason(id);
}

/** The terminator names the block, itself or through its table. */
function leadsTo(edit: Editor, inst: Inst, id: BlockId): boolean {
  const name = tableName(inst);
  const table = name === null ? undefined : edit.table(name);
  return branchTarget(inst) === id || (table !== undefined && (table.default === id || table.entries.includes(id)));
}

function foldSameTargets(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  if (ending.kind !== "cond" || ending.taken !== ending.otherwise) return false;
  const { edit, remark } = state;
  const { taken } = ending;
  const apply = () => edit.setTerminators(prev.id, taken === id ? [] : [jumpTo(edit, taken)]);
  state.matches++;
  return remark.found(RULES.sameTargets, { block: prev, target: taken, blocks: [taken] }, done(apply)) !== null;
}

function splice(state: State, prev: Block, block: Block, ending: Ending, named: NamedBlocks): boolean {
  const onlyWay = (ending.kind === "none" || ending.kind === "jump") && ending.target === block.id;
  if (!onlyWay || block.preds.length !== 1 || block.preds[0] !== prev.id) return false;
  const { edit, remark } = state;
  state.matches++;
  const parting = state.rejoin.partsInside(prev);
  const parts = { block, prev, op: parting?.op ?? "", blocks: [prev], inst: parting };
  if (!remark.holds(RULES.splice, "parts-inside", parting === null, parts)) return false;
  const by = namedBy(state, named, block.id);
  if (by !== null) return remark.missed(RULES.splice, by, { block, prev }) !== null;
  const apply = (): void => {
    edit.replaceTail(prev.id, terminatorsOf(prev).at, block.insts);
    edit.removeBlock(block.id);
  };
  return remark.found(RULES.splice, { blocks: [prev], block, prev }, done(apply)) !== null;
}

function dropRedundantBranch(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  const { edit, remark } = state;
  const about = { block: prev, target: id, blocks: [id] };
  if (ending.kind === "jump" && ending.target === id) {
    state.matches++;
    return (
      remark.found(
        RULES.redundant,
        "jump",
        about,
        done(() => edit.setTerminators(prev.id, [])),
      ) !== null
    );
  }
  if (ending.kind === "cond" && ending.explicit && ending.otherwise === id) {
    state.matches++;
    return (
      remark.found(
        RULES.redundant,
        "else",
        about,
        done(() => edit.setTerminators(prev.id, [ending.branch])),
      ) !== null
    );
  }
  return false;
}

function reverseToFallThrough(state: State, prev: Block, id: BlockId, ending: Ending): boolean {
  if (ending.kind !== "cond" || !ending.explicit || ending.taken !== id || ending.otherwise === null) return false;
  const { edit, remark } = state;
  const { otherwise, branch, reversible } = ending;
  state.matches++;
  if (!reversible) return remark.missed(RULES.reverse, "reversible-condition", { block: prev, next: id, inst: branch }) !== null;
  const about = { block: prev, next: id, other: otherwise, blocks: [id, otherwise] };
  return (
    remark.found(
      RULES.reverse,
      about,
      done(() => edit.setTerminators(prev.id, [reversedBranch(branch, otherwise)])),
    ) !== null
  );
}

function relocate(state: State, prev: Block, block: Block, ending: Ending, named: NamedBlocks): boolean {
  const { edit, remark } = state;
  const next = edit.next(block.id);
  if (block.succs.length > 0 || ending.kind !== "cond" || ending.explicit || next === null || ending.taken !== next) return false;
  const { branch } = ending;
  const about = { block, prev, next, blocks: [prev, next] };
  state.matches++;
  if (!ending.reversible) return remark.missed(RULES.relocate, "reversible-condition", { ...about, inst: branch }) !== null;
  // Otherwise the two would trade places for ever.
  if (edit.next(next) === null && edit.block(next).succs.length === 0) return remark.missed(RULES.relocate, "last-block", about) !== null;
  if (named.endsRegion(block.id)) return remark.missed(RULES.relocate, "region-end", about) !== null;
  const apply = (): void => {
    edit.setTerminators(prev.id, [branch, jumpTo(edit, block.id)]);
    edit.moveToEnd(block.id);
    edit.setTerminators(prev.id, [reversedBranch(branch, block.id)]);
  };
  return remark.found(RULES.relocate, about, done(apply)) !== null;
}
