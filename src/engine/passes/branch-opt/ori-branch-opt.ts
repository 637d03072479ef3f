/** Phase 15, OriBranchOpt: folds jumps, deletes unreachable blocks, decides constant conditions and threads chains of empty blocks. */

import type { Budget } from "../../config/knob-store.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Match } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { analyzeControlFlow } from "../shared/control-flow/control-flow.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { constant, regroup } from "./constant-condition.ts";
import { edge, erase, keep, REBUILD, rebuildGraph, slot, unreachableRule } from "./erase.ts";
import { equal, fold, invert } from "./jumps.ts";
import { BranchOptState } from "./state.ts";
import { thread, threadNo } from "./thread.ts";

export const RULES = rules({
  rebuild: line("rebuild the CFG: delete every block that cannot be reached from the entry", REBUILD),
  unreachable: unreachableRule(),
  keep,
  prepare: line("AnalyzeControlFlow, full rebuild; counter = number of blocks", BRIEF),
  tables: line("pred_count[b] = predecessors (and 1 for the entry); rpo_number, rpo_to_bix from the worklist", {
    step: "pred_count, rpo_number and rpo_to_bix are filled for {count} {count:block|blocks}",
  }),
  block: line("for rpo = 1 to count: A = rpo_to_bix of the worklist; skip A when pred_count[A] is 0", {
    step: "{block}, number {rpo}",
  }),
  again: line("  repeat:", {
    kind: "round",
    step: { first: "{block} is examined", again: "{block} is examined again" },
  }),
  constant,
  regroup,
  equal,
  thread,
  threadNo,
  fold,
  invert,
  next: line("    nothing matched: take the next block", { step: "no rule matches {block} any more" }),
  budget: line("    knob 464 is spent: leave A as it is; else apply the rewrite and examine A again", {
    step: "knob 464: rewrite {spent}, {limit}",
    missed: { budget: { why: "knob 464 is spent", say: "{block} is left as it is: knob 464 allows {spent} {spent:rewrite|rewrites}" } },
  }),
  edge,
  erase,
  slot,
  finish: line("if anything changed: rebuild the CFG (lines 1 and 2), AnalyzeControlFlow incremental", {
    step: BRIEF.step,
    found: {
      ...REBUILD.found,
      again: { kind: "note", say: "walk {walks} changed something, so another one follows, until one changes nothing" },
    },
    missed: {
      ...BRIEF.missed,
      ...REBUILD.missed,
      "one-walk": { kind: "note", say: "the walk changed something, and it is the only one: the reference makes one", counts: false },
    },
  }),
  unreachableAtEnd: unreachableRule(),
});

const PSEUDOCODE = pseudocodeOf(RULES);
const REWRITES = [constant, equal, thread, fold, invert] as const;

/** Source: branch-and-switch, 'OriBranchOpt -- Branch Simplification'. The level, knobs 214 and 487 are gates of the position. */
export const oriBranchOpt: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.finish,
  readsPolicy: true,
  run: ({ edit, remark, knobs, policy }: PassContext): PassOutcome => {
    const state = new BranchOptState(edit, remark, policy);
    const budget = knobs.budget("convergence-budget", RULES.budget);
    rebuildGraph(state, RULES.rebuild, RULES.unreachable, false);
    let walks = 0;
    for (let again = true; again; ) {
      walks++;
      const before = remark.rewritesBy(...REWRITES);
      walk(state, budget);
      const changed = remark.rewritesBy(...REWRITES) > before;
      if (changed) rebuildGraph(state, RULES.finish, RULES.unreachableAtEnd, true);
      const spent = remark.times(RULES.budget, "budget") > 0;
      // The reference makes one walk; the real compiler leaves nothing to do.
      again = changed && !spent && policy === "measured";
      const about = `walk ${walks}`;
      if (again) remark.matched(RULES.finish, "again", { walks, about });
      else if (changed && !spent) remark.missed(RULES.finish, "one-walk", { about });
    }
    if (remark.rewritesBy(...REWRITES) > 0) analyzeControlFlow(edit, { force: false, brief: { remark, rule: RULES.finish } });
    return remark.outcome({
      none: "no block ends in a branch that could be simpler",
      counts: "always",
      figures: {
        ...Object.fromEntries(REWRITES.map((rule) => [rule.name, remark.rewritesBy(rule)])),
        rounds: walks,
        removedByCascade: remark.rewritesBy(erase),
        removedByRebuild: remark.rewritesBy(RULES.unreachable, RULES.unreachableAtEnd),
      },
    });
  },
};

/** One walk over the worklist. */
function walk(state: BranchOptState, budget: Budget): void {
  const { edit, remark, tables } = state;
  const { worklist, successors } = analyzeControlFlow(edit, { force: true, brief: { remark, rule: RULES.prepare } });
  tables.fill(worklist, successors);
  remark.step(RULES.tables, { count: worklist.length - 1 });
  for (let rpo = 1; rpo < worklist.length; rpo++) {
    const block = worklist[rpo] as BlockId;
    if (edit.func.blocks[block] === undefined || tables.preds(block) === 0) continue;
    remark.span(RULES.block, { block, rpo }, () => examine(state, block, budget));
  }
}

/** Examines one block until nothing matches, or until knob 464 is spent: it gates this inner loop, so that each further block is tested once. */
function examine(state: BranchOptState, block: BlockId, budget: Budget): void {
  const { edit, remark } = state;
  for (let times = 1; edit.func.blocks[block] !== undefined; times++) {
    remark.step(RULES.again, times === 1 ? "first" : "again", { block });
    const result = rewriteOne(state, block, budget);
    if (result === "rewritten") continue;
    if (result === "nothing") remark.step(RULES.next, { block });
    return;
  }
}

/** Tries the rules until one rewrites the block. A refused rewrite leaves the block unchanged, so the next rule is tried. */
function rewriteOne(state: BranchOptState, block: BlockId, budget: Budget): "rewritten" | "nothing" | "spent" {
  const { remark } = state;
  for (const match of matchesAt(state, block)) {
    if (match === null) continue;
    match.announce();
    if (!budget.take(RULES.budget)) {
      match.refuse(RULES.budget, "budget", { block, spent: budget.spent });
      return "spent";
    }
    remark.step(RULES.budget, { spent: budget.spent, limit: budget.limit === null ? "no limit" : String(budget.limit), block });
    const rewrite = match.request();
    if (rewrite === null) continue;
    rewrite.commit();
    return "rewritten";
  }
  return "nothing";
}

/** The rules in their order; each looks only when the one before it led to no rewrite. */
function* matchesAt(state: BranchOptState, id: BlockId): Generator<Match | null> {
  const block = state.block(id);
  yield constant.look(state, block);
  yield equal.look(state, block);
  for (const target of block.succs) yield thread.look(state, { block, target });
  yield fold.look(state, block);
  yield invert.look(state, block);
}
