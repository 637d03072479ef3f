/** Phase 50, OriReassociateAndCommon: integer and predicate expressions in canonical form, then commoning inside each block. */

import { liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { LocalCse } from "./local-cse.ts";
import { Reassociate } from "./reassociate.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const oriReassociateAndCommon: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs } = ctx;
  const budget = knobs.budget("reassociate-cse-budget", RULES.budget);
  const trees = new Reassociate(ctx, liveness(edit.func), budget);
  const { order } = reversePostOrder(edit.func);
  remark.span(RULES.block, "all", { blocks: order.length }, () => {
    for (const id of order) trees.block(id);
  });
  const cse = new LocalCse(ctx, budget);
  remark.span(RULES.window, "all", { blocks: order.length }, () => {
    for (const chain of straightChains(edit.func, order)) cse.chain(chain);
  });
  const { candidates, turned, rebuilt, distributed } = trees.counts;
  const { looked, movs, removed } = cse.counts;
  return remark.outcome({
    matches: candidates + looked,
    none: "there is no expression tree, and no block computes a value twice",
    counts: "always",
    figures: { turned, rebuilt, distributed, commoned: movs + removed, movs, removed },
  });
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
