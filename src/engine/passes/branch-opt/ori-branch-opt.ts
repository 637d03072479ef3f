/** Phase 15, OriBranchOpt: folds jumps, deletes unreachable blocks, decides constant conditions and threads chains of empty blocks. */

import { analyzeControlFlow } from "../../analysis/control-flow.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block } from "../../ir/types.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { constantCondition } from "./constant-condition.ts";
import { equalTargets } from "./equal-targets.ts";
import { rebuildGraph } from "./erase.ts";
import { foldJump, invertJump } from "./fold-jump.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { applyRewrite, type Rewrite, type RewriteName } from "./rewrite.ts";
import { BranchOptState } from "./state.ts";
import { threadChain } from "./thread.ts";

/** Source: branch-and-switch, 'OriBranchOpt -- Branch Simplification'. The level, knobs 214 and 487 are gates of the position. */
export const oriBranchOpt: Pass = {
  family: "branch-opt",
  ids: ["ori-branch-opt"],
  summary: "Folds jumps to the next block, deletes unreachable blocks, decides constant conditions and threads chains of empty blocks.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run: ({ edit, rec, knobs, policy }: PassContext): PassOutcome => {
    const state = new BranchOptState(edit, rec, policy);
    const budget = knobs.budget("convergence-budget", LINE.budget);
    const done: Record<RewriteName, number> = { constant: 0, equal: 0, thread: 0, fold: 0, invert: 0 };
    rebuildGraph(state, LINE.rebuild);
    let rounds = 0;
    for (let again = true; again; ) {
      const before = state.rewrites;
      rounds++;
      const spent = walk(state, budget, done);
      const changed = state.rewrites > before;
      if (changed) rebuildGraph(state, LINE.finish);
      // The notes make one walk; the real compiler leaves nothing to do.
      again = changed && !spent && policy === "measured";
      if (rec.on && changed && !spent) sayAgain(state, rounds, again);
    }
    if (state.rewrites > 0) analyzeControlFlow(edit, { force: false, rec, lines: LINE.finish, brief: true });
    return outcome(state, done, rounds);
  },
};

function sayAgain({ rec }: BranchOptState, walks: number, again: boolean): void {
  const facts = { about: `walk ${walks}`, walks, verdict: again ? "yes" : "no", condition: again ? null : "one-walk" };
  const template = again
    ? "walk {walks} changed something, so another one follows, until one changes nothing"
    : "the walk changed something, and it is the only one: the notes make one";
  rec.event("note", LINE.finish, template, facts);
}

/** One walk over the worklist. True when knob 464 stopped it. */
function walk(state: BranchOptState, budget: Budget, done: Record<RewriteName, number>): boolean {
  const { edit, rec, tables } = state;
  const { worklist } = analyzeControlFlow(edit, { force: true, rec, lines: LINE.prepare, brief: true });
  tables.fill(worklist);
  if (rec.on)
    rec.event("visit", LINE.tables, "pred_count, rpo_number and rpo_to_bix are filled for {count} {count:block|blocks}", {
      count: worklist.length - 1,
    });
  for (let rpo = 1; rpo < worklist.length; rpo++) {
    const id = worklist[rpo] as BlockId;
    if (edit.func.blocks[id] === undefined || tables.preds(id) === 0) continue;
    if (rec.on) rec.begin("visit", LINE.block, "{block}, number {rpo}", { block: state.label(id), rpo }, { blocks: [id] });
    const spent = examine(state, id, budget, done);
    if (rec.on) rec.end();
    if (spent) return true;
  }
  return false;
}

/** Looks at one block until nothing matches. True when knob 464 is spent. */
function examine(state: BranchOptState, id: BlockId, budget: Budget, done: Record<RewriteName, number>): boolean {
  const { edit, rec } = state;
  for (let times = 1; edit.func.blocks[id] !== undefined; times++) {
    if (rec.on)
      rec.event(
        "round",
        LINE.again,
        times === 1 ? "{block} is looked at" : "{block} is looked at again",
        { block: state.label(id), times },
        { blocks: [id] },
      );
    const rewrite = match(state, state.block(id));
    if (rewrite === null) {
      if (rec.on) rec.event("visit", LINE.next, "nothing more matches in {block}", { block: state.label(id) }, { blocks: [id] });
      return false;
    }
    if (!budget.take(LINE.budget)) return true;
    if (rec.on) {
      const facts = { spent: budget.spent, limit: budget.limit === null ? "no limit" : String(budget.limit) };
      rec.event("visit", LINE.budget, "knob 464: rewrite {spent}, {limit}", facts, { blocks: [id] });
    }
    applyRewrite(state, id, rewrite);
    done[rewrite.name]++;
  }
  return false;
}

function match(state: BranchOptState, block: Block): Rewrite | null {
  return (
    constantCondition(state, block) ??
    equalTargets(state, block) ??
    threadChain(state, block) ??
    foldJump(state, block) ??
    invertJump(state, block)
  );
}

function outcome(state: BranchOptState, done: Readonly<Record<RewriteName, number>>, rounds: number): PassOutcome {
  const { removed, matches } = state;
  const deleted = removed.cascade + removed.rebuild;
  const rewrites = state.rewrites + deleted;
  return {
    matches: matches + deleted,
    rewrites,
    why: rewrites > 0 ? null : whyNothing(state.refusals),
    figures: { ...done, rounds, removedByCascade: removed.cascade, removedByRebuild: removed.rebuild },
  };
}

const REASONS: Readonly<Record<string, string>> = {
  "not-constant": "conditions are not known",
  "targets-differ": "branches lead to different blocks",
  "not-empty": "targets are not empty",
  "not-next": "jumps go farther than to the next block",
  policy: "a jump over a jump is left to policy 'measured'",
  cycle: "empty blocks form a cycle",
  "phi-conflict": "a PHI would need two values for one edge",
  "lanes-regroup": "lanes would meet elsewhere",
  named: "an instruction names the block",
};

function whyNothing(refusals: ReadonlyMap<string, number>): string {
  if (refusals.size === 0) return "no block ends in a branch that could be simpler";
  return `every candidate was refused: ${[...refusals].map(([condition, n]) => `${REASONS[condition] ?? condition} (${n})`).join(", ")}`;
}
