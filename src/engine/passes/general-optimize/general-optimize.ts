/** Phases 29, 46 and 65 (GeneralOptimize, GeneralOptimizeMid2, GeneralOptimizeLate2), and OriCopyProp alone. */

import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import type { Parts } from "../shared/copies/options.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ABOUT } from "./about.ts";
import { mergeComplementaryCopies } from "./complementary.ts";
import { closedGate } from "./instance-gates.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const generalOptimize: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  readsPolicy: true,
  settles: true,
  unmet: [
    {
      ids: ["general-optimize", "general-optimize-mid2", "ori-copy-prop"],
      conditions: ["read-between", "predicate-redefined", "destination-redefined"],
      why: "Only phase 65 looks for complementary copies, so this phase never checks it.",
    },
    {
      ids: ["general-optimize-late2", "ori-copy-prop"],
      conditions: ["convergence"],
      why: "This phase decides no branch, so it never checks it.",
    },
  ],
  run,
};

interface Instance {
  readonly fold: boolean;
  readonly dce: boolean;
  readonly iterate: boolean;
  /** Knob 464 where the instance reads it. */
  readonly capped: boolean;
}

/** What each instance runs (general-optimize, Sub-Pass Selection; phases.md for 46 and 65). */
function instanceOf(id: string): Instance {
  switch (id) {
    case "general-optimize-late2":
      return { fold: false, dce: true, iterate: true, capped: false };
    case "ori-copy-prop":
      return { fold: false, dce: false, iterate: false, capped: false };
    default:
      return { fold: true, dce: true, iterate: true, capped: true };
  }
}

function run(ctx: PassContext): PassOutcome {
  const { id, edit, remark, knobs, skipped } = ctx;
  const closed = closedGate(ctx);
  if (closed !== null) return { matches: 0, rewrites: 0, why: closed };
  callControlFlow(ctx, RULES.records, true);
  const { fold, dce, iterate, capped } = instanceOf(id);
  const foldBudget = capped ? knobs.budget("convergence-budget", RULES.round) : null;
  const copyProp = id === "ori-copy-prop" || !skipped.has("ori-copy-prop");
  if (!copyProp) remark.gate(RULES.knobs, "no-phase", false);
  const parts: Parts = { commit: "all", copyProp, fold, dce, foldBudget };
  const rounds = new Rounds(ctx, RULES, parts);
  if (id === "general-optimize-late2" && knobs.flag("late-copy-prop-compl-pred", RULES.complementary)) {
    mergeComplementaryCopies({ edit, remark }, rounds.run.work.lost);
  }
  const { times, further } = iterate ? untilNothingChanges(ctx, rounds) : once(ctx, rounds);
  return remark.outcome({
    none: "no use sees a copy or a constant, and nothing can be folded",
    further: rounds.further(rounds.keptBranches) ?? further,
    figures: { rounds: times, ...rounds.figures },
  });
}

interface Walks {
  readonly times: number;
  readonly further: string | null;
}

function untilNothingChanges({ remark }: PassContext, rounds: Rounds): Walks {
  let times = 0;
  for (let changed = true; changed; ) {
    if (times === ROUND_LIMIT) {
      remark.step(RULES.round, "limit", { rounds: times });
      return { times, further: `${times} rounds are the limit` };
    }
    times++;
    changed = remark.span(RULES.round, "round", { round: times }, () => rounds.round(times) > 0 && rounds.hasMore && !remark.over);
  }
  return { times, further: null };
}

function once({ remark }: PassContext, rounds: Rounds): Walks {
  remark.span(RULES.alone, {}, () => rounds.round(1));
  return { times: 1, further: rounds.hasMore ? "one walk is all it makes, and blocks were left to look at again" : null };
}
