/** A rewrite that was found and is allowed, and how it is carried out with the counts of predecessors kept in step. */

import type { BlockId } from "../../ir/ids.ts";
import type { Facts } from "../../trace/event.ts";
import { eraseCascade } from "./erase.ts";
import { LINE } from "./pseudocode.ts";
import type { BranchOptState } from "./state.ts";

export type RewriteName = "constant" | "equal" | "thread" | "fold" | "invert";

export interface Rewrite {
  readonly name: RewriteName;
  readonly line: number;
  /** Says what is done; made only when something records. */
  readonly say: () => { readonly template: string; readonly facts: Facts };
  readonly apply: () => void;
}

export function applyRewrite(state: BranchOptState, id: BlockId, rewrite: Rewrite): void {
  const { rec, edit } = state;
  const block = state.block(id);
  const before = block.succs;
  if (rec.on) {
    const { template, facts } = rewrite.say();
    rec.begin("rewrite", rewrite.line, template, { block: block.label, rewrite: rewrite.name, ...facts }, { blocks: [id] });
  }
  rewrite.apply();
  state.rewrites++;
  const after = new Set(edit.block(id).succs);
  for (const s of after) state.tables.recount(s);
  for (const s of before) if (!after.has(s)) edgeLost(state, id, s);
  if (rec.on) rec.end();
}

function edgeLost(state: BranchOptState, from: BlockId, to: BlockId): void {
  const { rec, tables, edit } = state;
  const left = edit.block(to).preds.length + (edit.func.layout[0] === to ? 1 : 0);
  if (rec.on) {
    const facts = { from: state.label(from), to: state.label(to), count: tables.preds(to), left };
    const template =
      left === 0
        ? "the edge {from} to {to} was the last one into {to}: it is erased"
        : "the edge {from} to {to} went: pred_count of {to} is {left} now";
    rec.event("visit", LINE.edge, template, facts, { blocks: [from, to], nodes: [`cfg-context/b${to}`] });
  }
  if (left === 0) eraseCascade(state, to);
  // A block that is not erased after all (something names it) keeps its count of predecessors, which is none.
  tables.recount(to);
}
