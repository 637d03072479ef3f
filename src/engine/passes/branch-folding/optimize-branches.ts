/** OptimizeBranches: six rewrites around each block and its predecessor in the layout, tried again after each change. */

import { analyzeEnding, type Ending, reversedBranch } from "../../analysis/block-ending.ts";
import { NamedBlocks, type NamedBy } from "../../analysis/named-blocks.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { branchTarget, fallsThrough, tableName, terminatorsOf } from "../../ir/visit.ts";
import { type Match, rule } from "../../remark/rule.ts";
import { jumpTo, type State } from "./state.ts";
import { removeDyingTable } from "./tables.ts";

/** The state that its rules read. */
interface Branches extends State {
  /** For the function as it was when OptimizeBranches began. */
  readonly named: NamedBlocks;
}

/** True when something changed. */
export function optimizeBranches(shared: State): boolean {
  const { edit } = shared;
  const state: Branches = { ...shared, named: new NamedBlocks(edit) };
  const layout = edit.func.layout.slice();
  let changed = false;
  edit.loosely(() => {
    for (const id of layout) {
      // Every rewrite but the sixth takes an instruction or a block away, and the sixth happens once a block: this ends.
      while (edit.has(id) && optimizeBlock(state, id)) changed = true;
    }
  });
  return changed;
}

/** A block and the one before it in the layout. */
interface Adjacent {
  readonly block: Block;
  readonly prev: Block;
}

/** And how the previous block ends. */
interface Spot extends Adjacent {
  readonly ending: Ending;
}

/** Tries the rules until one rewrites. A refused rewrite leaves the block unchanged, so the next rule is tried. */
function optimizeBlock(state: Branches, id: BlockId): boolean {
  const { edit } = state;
  const prevId = edit.previous(id);
  if (prevId === null) return false;
  const block = edit.block(id);
  const prev = edit.block(prevId);
  if (block.preds.length === 0) return rewrites(unreachable.look(state, block));
  // An empty block that has to stay is judged like any other: the previous block's edges may both lead to it.
  if (block.insts.length === 0 && rewrites(empty.look(state, { block, prev }))) return true;
  const spot = { block, prev, ending: analyzeEnding(prev, id) };
  for (const each of RULES_AT[spot.ending.kind]) if (rewrites(each.look(state, spot))) return true;
  return false;
}

function rewrites(match: Match | null): boolean {
  const rewrite = match?.request() ?? null;
  rewrite?.commit();
  return rewrite !== null;
}

export const unreachable = rule<Branches, Block>()({
  line: "    B is unreachable: remove it",
  done: "{block} has no predecessor left and is removed",
  missed: {
    "region-end": { say: "{block} is unreachable but stays: a BSSY names it as its region's end" },
    "table-entry": { say: "{block} is unreachable but stays: a table names it" },
  },
  match(state, block, miss) {
    const by = namedBy(state, block.id);
    return by === null ? { block } : miss(by, { block });
  },
  apply: ({ edit }, { block }) => edit.removeBlock(block.id),
});

export const empty = rule<Branches, Adjacent>()({
  line: "    1. B is empty: send its predecessors to the block it falls into, remove B",
  done: "{block} is empty: its predecessors go to {next:block}",
  because: "{block} contains no instruction, and control leaves it for {next} only",
  missed: {
    "region-end": { say: "{block} is empty but stays: a BSSY names it as its region's end" },
    "table-entry": { say: "{block} is empty but stays: a table names it that no predecessor jumps through" },
    "after-table": {
      code: "convergence",
      say: "{block} is empty but stays: {prev:block} falls into it after a table that names it as well, and lanes that came by either edge stay together",
      droppable: "lanes of the table and lanes that fall through stay diverged",
    },
    "ways-join": {
      code: "convergence",
      say: "{block} is empty but stays: lanes diverge to it and to {next:block} from one block, and {reason} (not stated in the reference)",
      droppable: "lanes that diverge in that block run everything up to where they reconverge together",
    },
  },
  match(state, { block, prev }, miss, holds) {
    const { edit } = state;
    const next = edit.next(block.id);
    if (next === null) return null;
    const by = namedBy(state, block.id);
    if (by !== null) return miss(by, { block });
    const last = prev.insts.at(-1);
    const afterTable = last !== undefined && tableName(last) !== null && fallsThrough(prev) && leadsTo(edit, last, block.id);
    if (!holds("after-table", !afterTable, { block, prev: prev.id, blocks: [prev.id] })) return null;
    const obstacle = state.rejoin.joinWays(block.preds, block.id, next);
    const about = { block, next, blocks: [next] };
    const { reason, inst } = obstacle ?? { reason: "", inst: null };
    return holds("ways-join", obstacle === null, { ...about, reason, inst }) ? { ...about, prev } : null;
  },
  apply({ edit, named }, { block, prev, next }) {
    for (const pred of block.preds) {
      // The block before it in the layout falls through into the next one, even after a guarded EXIT.
      if (pred === prev.id && !terminatorsOf(edit.block(pred)).insts.some((term) => leadsTo(edit, term, block.id))) continue;
      edit.redirect(pred, block.id, next);
    }
    edit.removeBlock(block.id);
    named.moved(block.id, next);
  },
});

export const sameTargets = rule<Branches, Spot>()({
  line: "    2. the previous block's two edges both go to one block: one jump, or none when that block is next",
  done: "both edges of {block} go to {target:block}: its condition is removed",
  because: "{block} goes to {target} whatever its condition is",
  match(_, { block, prev, ending }) {
    if (ending.kind !== "cond" || ending.taken !== ending.otherwise) return null;
    const { taken } = ending;
    return { block: prev, target: taken, blocks: [taken], falls: taken === block.id };
  },
  apply: ({ edit }, { block, target, falls }) => edit.setTerminators(block.id, falls ? [] : [jumpTo(edit, target)]),
});

export const splice = rule<Branches, Spot>()({
  line: "    3. B's only predecessor is the previous block, which has no other successor: splice B into it",
  done: "{block} has {prev:block} as its only predecessor and is spliced into it",
  because: "{prev} is the only predecessor of {block}, and {block} the only successor of {prev}",
  missed: {
    "parts-inside": {
      code: "convergence",
      say: "{block} is not spliced into {prev:block}: lanes diverge at a guarded {op} there and reconverge at the head of {block} (not stated in the reference)",
      droppable: "the lanes that diverge there reconverge later than at the head of B",
    },
    "region-end": { say: "{block} is not spliced into {prev:block}: a BSSY names it as its region's end" },
    "table-entry": { say: "{block} is not spliced into {prev:block}: a table names it that {prev:block} does not jump through" },
  },
  match(state, { block, prev, ending }, miss, holds) {
    const onlyEdge = (ending.kind === "none" || ending.kind === "jump") && ending.target === block.id;
    if (!onlyEdge || block.preds.length !== 1 || block.preds[0] !== prev.id) return null;
    const parting = state.rejoin.partsInside(prev);
    const parts = { block, prev, op: parting?.op ?? "", blocks: [prev], inst: parting };
    if (!holds("parts-inside", parting === null, parts)) return null;
    const by = namedBy(state, block.id);
    return by === null ? { blocks: [prev], block, prev } : miss(by, { block, prev });
  },
  apply({ edit }, { block, prev }) {
    edit.replaceTail(prev.id, terminatorsOf(prev).at, block.insts);
    edit.removeBlock(block.id);
  },
});

export const redundant = rule<Branches, Spot>()({
  line: "    4. the previous block's only branch goes to B, which is next: remove the branch",
  done: {
    jump: "{block} jumps to {target:block}, which is next, so the jump is removed",
    else: "the else edge of {block} jumps to {target:block}, which is next, so the jump is removed",
  },
  because: "{target} is the next block of the layout, so {block} falls through into it without a jump",
  match(_, { block: { id }, prev, ending }) {
    const jump = ending.kind === "jump" && ending.target === id;
    const after = ending.kind === "cond" && ending.explicit && ending.otherwise === id ? [ending.branch] : [];
    if (!jump && after.length === 0) return null;
    return { done: jump ? "jump" : "else", block: prev, target: id, blocks: [id], after };
  },
  apply: ({ edit }, { block, after }) => edit.setTerminators(block.id, after),
});

export const reverse = rule<Branches, Spot>()({
  line: "    5. the previous block goes to B on a condition and elsewhere otherwise: reverse the condition, fall into B",
  done: "{block} goes to {other:block} on the reversed condition and falls into {next:block}",
  because: "{next} is the next block of the layout, so with the reversed condition {block} falls through into it",
  missed: { "reversible-condition": { say: "{block} cannot fall into {next:block}: its condition has no reverse" } },
  match(_, { block: { id }, prev, ending }, miss) {
    if (ending.kind !== "cond" || !ending.explicit || ending.taken !== id || ending.otherwise === null) return null;
    const { otherwise, branch, reversible } = ending;
    if (!reversible) return miss("reversible-condition", { block: prev, next: id, inst: branch });
    return { block: prev, next: id, other: otherwise, blocks: [id, otherwise], after: reversedBranch(branch, otherwise) };
  },
  apply: ({ edit }, { block, after }) => edit.setTerminators(block.id, [after]),
});

export const relocate = rule<Branches, Spot>()({
  line: "    6. B has no successors and the previous block's condition skips it: move B to the end, reverse the condition",
  done: "{block} ends the thread and moves to the end, so that {prev:block} falls into {next:block}",
  because: "{block} has no successor, so it can be anywhere in the layout, and {next} is what {prev} continues with",
  missed: {
    "reversible-condition": { say: "{block} stays: the condition of {prev:block} has no reverse" },
    "last-block": { say: "{block} stays: {next:block} ends the function and has no successors either" },
    "region-end": { say: "{block} stays: a BSSY names it as its region's end" },
  },
  match({ edit, named }, { block, prev, ending }, miss) {
    const next = edit.next(block.id);
    if (block.succs.length > 0 || ending.kind !== "cond" || ending.explicit || next === null || ending.taken !== next) return null;
    const { branch } = ending;
    const about = { block, prev, next, blocks: [prev, next] };
    if (!ending.reversible) return miss("reversible-condition", { ...about, inst: branch });
    // Otherwise the two would trade places for ever.
    if (edit.next(next) === null && edit.block(next).succs.length === 0) return miss("last-block", about);
    return named.endsRegion(block.id) ? miss("region-end", about) : { ...about, branch };
  },
  apply({ edit }, { block, prev, branch }) {
    edit.setTerminators(prev.id, [branch, jumpTo(edit, block.id)]);
    edit.moveToEnd(block.id);
    edit.setTerminators(prev.id, [reversedBranch(branch, block.id)]);
  },
});

/** The rules that may apply, by how the previous block ends. */
const RULES_AT = {
  none: [splice],
  jump: [splice, redundant],
  cond: [sameTargets, redundant, reverse, relocate],
  end: [],
  unknown: [],
};

/** What names the block, so that it has to stay. */
function namedBy(state: Branches, id: BlockId): NamedBy | null {
  const { named } = state;
  // A table is removed with the last instruction that names it, and must not keep anything.
  for (let table = named.tableOf(id); table !== null; table = named.tableOf(id)) if (!removeDyingTable(state, table)) break;
  return named.reason(id);
}

/** The terminator names the block, itself or through its table. */
function leadsTo(edit: Editor, inst: Inst, id: BlockId): boolean {
  const name = tableName(inst);
  const table = name === null ? undefined : edit.table(name);
  return branchTarget(inst) === id || (table !== undefined && (table.default === id || table.entries.includes(id)));
}
