/** Phase 38, OptimizeNestedCondBranches: nested conditions with a common target become one condition. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId } from "../../ir/ids.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { ABOUT } from "./about.ts";
import { combine, FINISH, REWRITE } from "./combine.ts";
import { STAGES } from "./liveness-stages.ts";
import { flattenGroups, MEASURED } from "./measured.ts";
import { conditionOf, type Pair, pairOf } from "./pair.ts";
import { nestedRegion, opensRegion, pastJoin } from "./regions.ts";
import { aboutPair, mayFlatten, SAFETY } from "./safety.ts";
import { prepare, type Round, type State, stateOf } from "./state.ts";

const RULES = rules({
  round: line("repeat, while stage 3 makes progress and more than one block is left:", {
    kind: "round",
    step: {
      round: "round {round}",
      limit: { kind: "budget", say: "{rounds} {rounds:round is|rounds are} the limit: what is left stays nested" },
    },
  }),
  ...STAGES,
  stage3: line("  stage 3, blocks A in RPO that end with a condition:", { kind: "span", step: "stage 3: combine nested branches" }),
  ...SAFETY,
  ...MEASURED,
  ...REWRITE,
  combine,
  ...FINISH,
  records: line("AnalyzeControlFlow, incremental, when the graph changed // sub_781F80, force = 0", BRIEF),
});

export const optimizeNestedCondBranches: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  readsPolicy: true,
  run,
};

/** A chain of N conditions takes N - 1 rounds, each linear in the function: the product is bounded by this. */
export const ROUND_LIMIT = 256;

function run(ctx: PassContext): PassOutcome {
  const state = stateOf(ctx);
  const figures = ctx.policy === "measured" ? { groups: flattenGroups(state) } : { rounds: flattenRounds(state) };
  const none = "no condition leads to a block that ends with another condition";
  return ctx.remark.outcome({ none, each: "every nested pair", figures });
}

/** Policy 'notes'. Returns the number of rounds. */
function flattenRounds(state: State): number {
  const { edit, remark } = state;
  let rounds = 0;
  for (let progress = true; progress; ) {
    if (rounds > 0 && edit.func.layout.length <= 1) break;
    if (rounds === ROUND_LIMIT) {
      remark.step(RULES.round, "limit", { rounds });
      break;
    }
    rounds++;
    remark.open(RULES.round, "round", { round: rounds });
    progress = stage3(state, prepare(state));
    remark.close();
  }
  return rounds;
}

/** One round: each chain loses one level. */
function stage3(state: State, round: Round): boolean {
  const { edit, remark } = state;
  // Blocks of a chain that was shortened in this round wait for the next one.
  const touched = new Set<BlockId>();
  remark.open(RULES.stage3);
  for (const outer of reversePostOrder(edit.func).order) {
    if (edit.func.blocks[outer] === undefined) continue;
    const [pred, second] = edit.block(outer).preds;
    if ((pred !== undefined && second === undefined && touched.has(pred)) || combineBelow(state, round, outer)) touched.add(outer);
  }
  remark.close();
  return touched.size > 0;
}

/** Combines the block's condition with that of one of its successors, if one may be. */
function combineBelow(state: State, round: Round, outer: BlockId): boolean {
  const { edit, remark } = state;
  const condition = conditionOf(edit, outer);
  if (condition === null) return false;
  return [condition.no, condition.yes].some((inner) => {
    const opens = opensRegion(edit.block(inner)) !== undefined;
    const pair = pairOf(edit, outer, condition, inner, opens ? (block) => pastJoin(edit, block) : undefined);
    if (!("missing" in pair)) return combinePair(state, round, pair);
    const about = { outer, inner, blocks: [outer, inner], about: () => edit.block(inner).label };
    if (pair.missing === "merge-point") remark.missed(RULES.commonTarget, "merge-point", about);
    else if (pair.missing === "only-predecessor") remark.missed(RULES.onlyPred, "only-predecessor", about);
    return false;
  });
}

/** If the inner block opens its own region, that must be removable, too. */
function combinePair(state: State, round: Round, pair: Pair): boolean {
  const { edit, remark } = state;
  const region = nestedRegion(edit, pair.outer, pair.inner);
  const about = aboutPair(edit, pair);
  if (region !== null && "reason" in region) {
    const { reason, inst } = region;
    if (region.reason === "barrier-elsewhere") remark.missed(RULES.regions, region.reason, { ...about, inst, barrier: region.barrier });
    else remark.missed(RULES.regions, reason as Exclude<typeof reason, "barrier-elsewhere">, { ...about, inst });
    return false;
  }
  if (region !== null) {
    const { outer, inner, opens, closes } = region;
    remark.step(RULES.regions, { ...about, around: outer, own: inner, insts: [opens.inst, closes.inst] });
  }
  if (!mayFlatten(state, round, pair, region)) return false;
  const rewrite = combine.look(state, { pair, form: "plop3", live: round.live, region })?.request() ?? null;
  rewrite?.commit();
  return rewrite !== null;
}
