/** Phase 50, OriReassociateAndCommon: integer and predicate expressions in canonical form, then commoning inside each block. */

import { liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { LocalCse } from "./local-cse.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { Reassociate } from "./reassociate.ts";

export const oriReassociateAndCommon: Pass = {
  family: "ori-reassociate-and-common",
  ids: ["ori-reassociate-and-common"],
  summary: "Brings integer and predicate expressions into canonical form and commons what is equal inside a block.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, rec, knobs } = ctx;
  const budget = knobs.budget("reassociate-cse-budget", LINE.budget);
  const trees = new Reassociate(ctx, liveness(edit.func), budget);
  const { order } = reversePostOrder(edit.func);
  if (rec.on) rec.begin("span", LINE.block, "reassociate in {blocks} {blocks:block|blocks}", { blocks: order.length });
  for (const id of order) trees.block(id);
  if (rec.on) rec.end();
  const cse = new LocalCse(ctx, budget);
  if (rec.on) rec.begin("span", LINE.window, "common in {blocks} {blocks:block|blocks}", { blocks: order.length });
  for (const chain of straightChains(edit.func, order)) cse.chain(chain);
  if (rec.on) rec.end();
  const { candidates, turned, rebuilt, distributed } = trees.counts;
  const rewrites = turned + rebuilt + cse.counts.hits;
  return {
    matches: candidates + cse.counts.looked,
    rewrites,
    why: rewrites > 0 ? null : whyNot(trees, cse),
    figures: { turned, rebuilt, distributed, commoned: cse.counts.hits, movs: cse.counts.movs, removed: cse.counts.removed },
  };
}

function whyNot(trees: Reassociate, cse: LocalCse): string {
  const refusals = [...trees.refusals, ...cse.refusals];
  if (refusals.length === 0) return "there is no expression tree, and no block computes a value twice";
  return `every candidate was refused: ${refusals.map(([condition, times]) => `${condition} (${times})`).join(", ")}`;
}

/** The blocks in chains: one runs into the next, with no other way out of the one or into the other. Each block is in exactly one. */
function straightChains(fn: Func, order: readonly BlockId[]): BlockId[][] {
  const follows = (id: BlockId): BlockId | null => {
    const [next, other] = fn.blocks[id]?.succs ?? [];
    if (next === undefined || other !== undefined || next === order[0]) return null;
    return fn.blocks[next]?.preds.length === 1 ? next : null;
  };
  const continued = new Set(order.map(follows));
  const chains: BlockId[][] = [];
  for (const head of order) {
    if (continued.has(head)) continue;
    const chain: BlockId[] = [];
    for (let id: BlockId | null = head; id !== null; id = follows(id)) chain.push(id);
    chains.push(chain);
  }
  return chains;
}
