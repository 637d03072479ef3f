/** Phase 37, GeneralOptimizeMid (variant B): promotion of local memory, then all sub-passes in rounds until the cost of a round is too small. */

import type { Remarks } from "../../remark/remarks.ts";
import type { Rule } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { copyClass } from "../shared/copies/marks.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ABOUT } from "./about.ts";
import { MidContext } from "./context.ts";
import { CostModel } from "./cost.ts";
import { type Promotion, promoteLocalMemory } from "./promote.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

/** The named part that `--no-phase` can leave out, and that can run alone. */
const PROMOTION = "convert-memory-to-register-or-uniform";

/** The lines that say why a slot stays in memory. */
const SLOT_RULES: readonly Rule[] = [RULES.escape, RULES.slot, RULES.share, RULES.promote];

export const generalOptimizeMid: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  settles: true,
  unmet: [
    {
      ids: [PROMOTION],
      conditions: ["several-definitions", "source-redefined", "different-guard", "convergence"],
      why: "This part only promotes local memory: it propagates no copy and decides no branch, so it never checks it.",
    },
  ],
  run: (ctx: PassContext): PassOutcome => {
    if (ctx.id === PROMOTION) return promoteAlone(ctx);
    const closed =
      ctx.remark.closed(RULES.gates, "no-phase", !ctx.skipped.has(PROMOTION)) ??
      ctx.remark.closed(RULES.gates, "sub_8F3EA0", preCheck(ctx));
    return closed === null ? run(ctx) : { matches: 0, rewrites: 0, why: closed };
  },
};

/** What the reference's pre-check looks at is not known: chosen so that it refuses functions in which nothing could happen. */
function preCheck({ edit }: PassContext): boolean {
  return edit.func.layout.some((id) =>
    edit.block(id).insts.some((inst) => {
      if (inst.op === "LDL" || inst.op === "STL" || inst.op === "PHI" || copyClass(inst) !== "other" || inst.op.endsWith("SETP"))
        return true;
      return inst.guard !== null || inst.ops.some((o) => o.kind === "imm" || o.kind === "f32" || o.kind === "f64" || o.kind === "imm64");
    }),
  );
}

function promoteAlone(ctx: PassContext): PassOutcome {
  const { slots, promoted, converted } = promoteLocalMemory(ctx);
  return ctx.remark.outcome({
    why: slots === 0 ? "no local load or store has a constant offset" : `every slot stays in memory: ${ctx.remark.reasons()}`,
    figures: { promoted, converted },
  });
}

function run(ctx: PassContext): PassOutcome {
  const { edit, remark, knobs, skipped } = ctx;
  const promotion = promoteLocalMemory(ctx);
  const context = new MidContext(remark, edit.func);
  const cost = new CostModel(remark, knobs.double("mov-weight", RULES.threshold), knobs.optionalInt("indexed-size-limit", RULES.threshold));
  const rounds = new Rounds(ctx, RULES, {
    commit: "all",
    copyProp: !skipped.has("ori-copy-prop"),
    fold: true,
    dce: true,
    foldBudget: null,
    onFold: (block, inst, uses) => cost.add(block, inst, uses),
  });
  let times = 0;
  let left = false;
  const promotedBy = edit.editCount;
  for (let again = true; again && times < ROUND_LIMIT; ) {
    times++;
    remark.open(RULES.round, { round: times });
    cost.startRound();
    const edits = rounds.round(times);
    if (times === 1) rounds.run.tally.add("memory to register", promotion.converted);
    left = edits > 0 && rounds.hasMore;
    again = cost.endRound(times, rounds.hasMore) && left;
    context.sums(cost.count, cost.weighted, cost.total);
    remark.close();
  }
  context.destroy();
  return remark.outcome({
    why: whyNothing(remark),
    further: rounds.further(rounds.keptBranches) ?? furtherRun(left, times, promotion, edit.editCount > promotedBy),
    figures: { rounds: times, promoted: promotion.promoted, ...rounds.figures, cost: cost.weighted },
  });
}

/** What was refused of the uses and folds, and which slots stay in memory for what. */
function whyNothing(remark: Remarks): string {
  const slots = remark.reasons("times", SLOT_RULES);
  const refused = remark.reasons(
    "times",
    Object.values(RULES).filter((rule) => !SLOT_RULES.includes(rule)),
  );
  const none = refused === "" ? "no use sees a copy or a constant, and nothing can be folded" : `every candidate was refused: ${refused}`;
  return slots === "" ? none : `${none}; local slots stay: ${slots}`;
}

/** Promotion looks at memory before the rounds do their work; the rounds end at the threshold. */
function furtherRun(left: boolean, times: number, { slots, promoted }: Promotion, edited: boolean): string | null {
  if (left) return times >= ROUND_LIMIT ? `${times} rounds are the limit` : "the threshold stopped the rounds with work left";
  return promoted < slots && edited ? "slots stayed in memory for reasons that the rounds may have taken away" : null;
}
