/** A rewrite that was found and is allowed, and how it is carried out with the counts of predecessors kept in step. */

import type { BlockId } from "../../ir/ids.ts";
import { eraseCascade } from "./erase.ts";
import { RULES } from "./rules.ts";
import type { BranchOptState } from "./state.ts";

export type RewriteName = "constant" | "equal" | "thread" | "fold" | "invert";

export interface Rewrite {
  readonly name: RewriteName;
  /** Asks for the rewrite and tells it, with everything that `apply` does; null when it was refused. */
  readonly ask: (apply: () => true) => true | null;
  readonly edit: () => void;
}

/** False when the rewrite was refused. */
export function applyRewrite(state: BranchOptState, id: BlockId, rewrite: Rewrite): boolean {
  const { edit, tables } = state;
  const before = state.block(id).succs;
  const done = rewrite.ask(() => {
    rewrite.edit();
    state.rewrites++;
    const after = new Set(edit.block(id).succs);
    for (const s of after) tables.recount(s);
    for (const s of before) if (!after.has(s)) edgeLost(state, id, s);
    return true;
  });
  return done === true;
}

function edgeLost(state: BranchOptState, from: BlockId, to: BlockId): void {
  const { remark, tables, edit } = state;
  const left = edit.block(to).preds.length + (edit.func.layout[0] === to ? 1 : 0);
  const said = { from, to, left, blocks: [from, to], node: () => tables.node(to) };
  remark.step(RULES.edge, left === 0 ? "last" : "counted", said);
  if (left === 0) eraseCascade(state, to);
  // A block that is not erased after all (something names it) keeps its count of predecessors, which is none.
  tables.recount(to);
}
