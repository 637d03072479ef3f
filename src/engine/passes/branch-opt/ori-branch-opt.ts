/** Phase 15, OriBranchOpt: folds jumps, deletes unreachable blocks, decides constant conditions and threads chains of empty blocks. */

import type { Budget } from "../../config/knob-store.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block } from "../../ir/types.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { analyzeControlFlow } from "../shared/control-flow/control-flow.ts";
import { ABOUT } from "./about.ts";
import { constantCondition } from "./constant-condition.ts";
import { equalExits, equalTargets } from "./equal-targets.ts";
import { rebuildGraph } from "./erase.ts";
import { foldJump, invertJump } from "./fold-jump.ts";
import { applyRewrite, type Rewrite, type RewriteName } from "./rewrite.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { BranchOptState } from "./state.ts";
import { threadChains } from "./thread.ts";

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
    const done: Record<RewriteName, number> = { constant: 0, equal: 0, thread: 0, fold: 0, invert: 0 };
    rebuildGraph(state, RULES.rebuild);
    let walks = 0;
    let stopped = false;
    for (let again = true; again; ) {
      const before = state.rewrites;
      walks++;
      const spent = walk(state, budget, done);
      stopped ||= spent;
      const changed = state.rewrites > before;
      if (changed) rebuildGraph(state, RULES.finish);
      // The reference makes one walk; the real compiler leaves nothing to do.
      again = changed && !spent && policy === "measured";
      const about = `walk ${walks}`;
      if (again) remark.matched(RULES.finish, "again", { walks, about });
      else if (changed && !spent) remark.missed(RULES.finish, "one-walk", { about });
    }
    if (state.rewrites > 0) analyzeControlFlow(edit, { force: false, brief: { remark, rule: RULES.finish } });
    const { cascade, rebuild } = state.removed;
    const report = remark.outcome({
      none: "no block ends in a branch that could be simpler",
      counts: "always",
      figures: { ...done, rounds: walks, removedByCascade: cascade, removedByRebuild: rebuild },
    });
    // A condition may be known without a rewrite of its own; what the budget stopped was counted when it was found.
    return { ...report, matches: report.matches - state.rewrites + state.accepted - (stopped ? 1 : 0) };
  },
};

/** One walk over the worklist. True when knob 464 stopped it. */
function walk(state: BranchOptState, budget: Budget, done: Record<RewriteName, number>): boolean {
  const { edit, remark, tables } = state;
  const { worklist } = analyzeControlFlow(edit, { force: true, brief: { remark, rule: RULES.prepare } });
  tables.fill(worklist);
  remark.step(RULES.tables, { count: worklist.length - 1 });
  for (let rpo = 1; rpo < worklist.length; rpo++) {
    const block = worklist[rpo] as BlockId;
    if (edit.func.blocks[block] === undefined || tables.preds(block) === 0) continue;
    if (remark.span(RULES.block, { block, rpo }, () => examine(state, block, budget, done))) return true;
  }
  return false;
}

/** Looks at one block until nothing matches. True when knob 464 is spent. */
function examine(state: BranchOptState, block: BlockId, budget: Budget, done: Record<RewriteName, number>): boolean {
  const { edit, remark } = state;
  for (let times = 1; edit.func.blocks[block] !== undefined; times++) {
    remark.step(RULES.again, times === 1 ? "first" : "again", { block });
    let rewritten = false;
    for (const rewrite of candidates(state, state.block(block))) {
      if (!budget.take(RULES.budget)) {
        remark.missed(RULES.budget, "budget", { block, spent: budget.spent });
        return true;
      }
      remark.step(RULES.budget, { spent: budget.spent, limit: budget.limit === null ? "no limit" : String(budget.limit), block });
      rewritten = applyRewrite(state, block, rewrite);
      if (!rewritten) continue;
      done[rewrite.name]++;
      break;
    }
    if (rewritten) continue;
    remark.step(RULES.next, { block });
    return false;
  }
  return false;
}

/** What may be done at a block, in the order in which it is looked for; the next one is looked for only when one was refused. */
function* candidates(state: BranchOptState, block: Block): Generator<Rewrite> {
  for (const find of [constantCondition, equalTargets, equalExits]) {
    const found = find(state, block);
    if (found !== null) yield found;
  }
  yield* threadChains(state, block);
  for (const find of [foldJump, invertJump]) {
    const found = find(state, block);
    if (found !== null) yield found;
  }
}
