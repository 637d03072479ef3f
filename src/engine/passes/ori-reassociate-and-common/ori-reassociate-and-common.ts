/** Phase 50, OriReassociateAndCommon: integer and predicate expressions in canonical form, then commoning inside each block. */

import { liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { type BlockFacts, FactsMaker } from "./block-facts.ts";
import { far, key, LocalCse, lookup, miss, overwritten, replace } from "./local-cse.ts";
import { budget, measured, type Plan, perform, planned, planRebuild, rebuild, sub, type TreeState, two } from "./reassociate.ts";
import { BlockTrees } from "./trees.ts";
import { distribute, LEAVES, root, sort, Watch } from "./watch.ts";

const RULES = rules({
  block: line("for each block in RPO:", {
    step: { all: { kind: "span", say: "reassociate in {blocks} {blocks:block|blocks}" }, one: "expression trees of {block}" },
  }),
  uses: line("  count the uses of each definition inside the block, and where its operands are written next", {
    kind: "note",
    step: "uses and next writes of {count} {count:instruction|instructions}",
  }),
  sub,
  root,
  measured,
  flatten: line("    flatten: follow operands upwards; an operand is a leaf when"),
  ...LEAVES,
  distribute,
  two,
  budget,
  sort,
  rebuild,
  window: line("for each block in RPO, with those it runs straight into, and a window of ReassociateCSEWindow instructions:", {
    step: {
      all: { kind: "span", say: "common in {blocks} {blocks:block|blocks}" },
      chain: "common inside {blocks}, {window} {window:instruction|instructions} back at most",
    },
  }),
  key,
  lookup,
  miss,
  far,
  overwritten,
  replace,
});

export const oriReassociateAndCommon: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  readsPolicy: true,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs, policy } = ctx;
  const rewrites = knobs.budget("reassociate-cse-budget", RULES.budget);
  // Liveness of the function as it comes in: no change here makes a register live where it was not.
  const facts = new FactsMaker(edit.func, liveness(edit.func));
  const distributions = knobs.budget("distribute-and-reassociate-mul-budget", RULES.distribute);
  const largeImmediates = knobs.flag("reassociate-large-imm-in-uiadd64", RULES.flatten);
  const skip = knobs.int("reassociate-cse-skip", RULES.budget);
  const watch = new Watch(ctx);
  const state: TreeState = { edit, remark, policy, budget: rewrites, distributions, skip, watch, later: [], candidates: 0 };
  const { order } = reversePostOrder(edit.func);
  remark.span(RULES.block, "all", { blocks: order.length }, () => {
    for (const block of order) {
      const made = facts.of(edit.block(block));
      if (made === null) continue;
      remark.open(RULES.block, "one", { block });
      remark.step(RULES.uses, { count: made.insts.length, block });
      reassociate(state, block, made, largeImmediates);
      remark.close();
    }
  });
  const cse = new LocalCse(ctx, rewrites, knobs.int("reassociate-cse-window", RULES.window));
  remark.span(RULES.window, "all", { blocks: order.length }, () => {
    for (const chain of straightChains(edit.func, order)) {
      cse.clear();
      remark.open(RULES.window, "chain", { blocks: chain, window: cse.window });
      cse.start(chain);
      for (const block of chain) {
        // The current list: replacing below does not move anything.
        for (const [at, inst] of edit.block(block).insts.slice().entries()) cse.visit(block, at, inst);
        cse.removeRepeated(block);
      }
      remark.close();
    }
  });
  return remark.outcome({
    matches: state.candidates + remark.candidates(key),
    none: "there is no expression tree, and no block computes a value twice",
    counts: "always",
    figures: {
      turned: remark.rewritesBy(sub),
      rebuilt: remark.rewritesBy(rebuild),
      distributed: remark.amountBy(rebuild),
      commoned: remark.rewritesBy(replace),
      movs: remark.rewritesAs(replace, "copied"),
      removed: remark.rewritesAs(replace, "removed"),
    },
  });
}

/** The trees of one block, each from its root; what changes is made when all of them are known. */
function reassociate(state: TreeState, block: BlockId, facts: BlockFacts, largeImmediates: boolean): void {
  const { remark, policy, watch } = state;
  const { insts, operators } = facts;
  const trees = new BlockTrees(facts, largeImmediates);
  const at = { block, trees };
  const plans: Plan[] = [];
  for (const [i, operator] of operators.entries()) {
    if (operator?.name !== "SUB") continue;
    if (policy === "measured") {
      remark.missed(RULES.measured, "measured-sub", { inst: insts[i] as Inst, block });
      continue;
    }
    const match = sub.look(state, { ...at, at: i });
    if (match !== null && state.budget.take(RULES.sub)) plans.push({ match });
  }
  const taken = new Uint8Array(insts.length);
  for (let i = insts.length - 1; i >= 0; i--) {
    if (taken[i] === 1 || !trees.isRoot(i)) continue;
    const inst = insts[i] as Inst;
    if (inst.guard !== null) {
      remark.missed(RULES.root, "guarded", { inst, block });
      continue;
    }
    const tree = trees.flatten(i, taken);
    watch.flattened(block, trees, tree);
    const shared = planned(state, at, tree);
    const plan = shared === null ? null : planRebuild(state, at, tree, shared, taken);
    if (plan !== null) plans.push(plan);
  }
  perform(state, block, plans);
}

/** The blocks in chains: one runs into the next, without other successors of the one or predecessors of the other. Each block is in exactly one. */
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
