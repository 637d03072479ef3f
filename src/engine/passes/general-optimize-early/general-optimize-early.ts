/** Phase 13, GeneralOptimizeEarly (variant A): second tests of one condition are decided, and predicates of known value are folded. */

import { reversePostOrder } from "../../analysis/order.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import type { BlockId } from "../../ir/ids.ts";
import { silentRemarks } from "../../remark/remarks.ts";
import type { Match } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules, sameLine, sameLineFixed } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { foldRule, selfCopyRule, simplifyRule } from "../shared/copies/constant-folding.ts";
import { useRule } from "../shared/copies/copy-propagation.ts";
import { deadRule } from "../shared/copies/dead-code.ts";
import { phiRule } from "../shared/copies/equal-phis.ts";
import { guardedRule, guardRule } from "../shared/copies/predicate-simplification.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ANCHOR, BLOCK, CHAIN, KNOBS, LIVENESS, PREDICATED, SELECT, SETUP, TWO_PASS, UNFIT, UNSEEN } from "../shared/copies/rules.ts";
import { ABOUT } from "./about.ts";
import { end, exitTestOf, follow, type Test, testOf } from "./chain.ts";
import { apply, convergence, type EarlyState, state, thread } from "./decide.ts";
import { compare, deep, Equivalence, format, negation, renamed, sameRegister, structure } from "./equivalence.ts";
import { finish, Surgery, setup, surgery } from "./surgery.ts";

export const RULES = rules({
  gates: line("gates: the optimization level, option 214, option 487 // bit 2 of +1382; +1056 is null", {
    gates: {
      "+1382 bit 2": {
        open: "the optimization level is -O{from} or above",
        shut: "the optimization level is below -O{from}",
      },
      "+1056": {
        open: "the function was not processed before",
        shut: "the function was processed before",
      },
    },
  }),
  records: line(
    "AnalyzeControlFlow, full rebuild; again, without force, when a block is left with a stale record // sub_781F80, force = 1",
    BRIEF,
  ),
  setup,
  blocks: line("for each block B in RPO, from index 1; all blocks again after a change:", {
    step: "next block in reverse post-order: {block}",
  }),
  again: line("  repeat:", { step: "{block} is examined again, since it changed" }),
  entry: line("    entry guard: B ends with a branch on one predicate p, and its two successors differ", {
    step: "{block} ends with '{inst}'",
  }),
  follow,
  thread,
  end,
  structure,
  format,
  renamed,
  sameRegister,
  negation,
  compare,
  deep,
  convergence,
  state,
  budget: line("    knob 464 is spent: stop"),
  apply,
  surgery,
  level2: line("level 2: follow values through copies and constant instructions, without writing them; knobs of copy propagation", {
    kind: "round",
    step: "level 2, round {round}: values followed through copies and constants",
  }),
  knobs: sameLine(KNOBS),
  values: sameLine(SETUP),
  block: sameLine(BLOCK),
  use: useRule(null),
  // Copies are followed in what is kept for the round, and none is refused aloud.
  unseen: sameLineFixed(UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: sameLine(ANCHOR),
  predicated: sameLine(PREDICATED),
  select: sameLine(SELECT),
  twoPass: sameLine(TWO_PASS),
  chain: sameLine(CHAIN),
  liveness: sameLine(LIVENESS),
  guard: guardRule(null),
  guarded: guardedRule(),
  phi: phiRule(null),
  fold: foldRule("  an instruction whose predicate is now known becomes PMOV; phase 15 relies on it"),
  selfCopy: selfCopyRule(),
  simplify: simplifyRule(null),
  dead: deadRule("check_liveness on what lost a reader: remove what is dead"),
  finish,
});

export const generalOptimizeEarly: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  readsPolicy: true,
  settles: true,
  records: RULES.records,
  run: (ctx: PassContext): PassOutcome => {
    const { edit, remark, knobs, level, policy } = ctx;
    // What sets the bit is not known: it follows the level at which the phase runs.
    const from = policy === "measured" ? 1 : 2;
    const closed = remark.closed(RULES.gates, "+1382 bit 2", level >= from, { from }) ?? remark.closed(RULES.gates, "+1056", true);
    if (closed !== null) return remark.outcome({ why: closed });
    const budget = knobs.budget("convergence-budget", RULES.budget);
    const skip = knobs.flag("chain-skip", RULES.follow);
    callControlFlow(ctx, RULES.records, true);
    const reach = reachingDefs(edit.func);
    const record = new Surgery(ctx);
    record.begin(reach);
    const parts = { commit: "predicates", copyProp: true, fold: true, dce: true, foldBudget: budget } as const;
    const rounds = new Rounds(ctx, { ...RULES, setup: RULES.values }, parts);
    const early: EarlyState = {
      edit,
      remark,
      level,
      policy,
      rounds,
      budget,
      spent: false,
      record,
      skip,
      view: remark.shown.table("chain-state", "State of the chain matchers, state[0] to state[9]"),
      silent: () => silentRemarks(edit, RULES),
      equivalence: new Equivalence(ctx, reach),
      threaded: new Set(),
      named: null,
    };
    early.view.set("state[0]", edit.func.name);
    let times = 0;
    let kept = 0;
    let further: string | null = null;
    for (let again = true; again && times < ROUND_LIMIT; ) {
      times++;
      const before = edit.editCount;
      rounds.run.tally.start(times);
      kept = sweep(early);
      remark.span(RULES.level2, { round: times }, () => rounds.round(times));
      // An edge or a definition that was removed may let a chain or a value through.
      again = edit.editCount !== before && !early.spent && !remark.over;
      further = again && times === ROUND_LIMIT ? `${times} rounds are the limit` : null;
    }
    if (remark.rewrites > 0) record.finish(remark.rewrites);
    const { folded = 0, simplified = 0, removed = 0 } = rounds.figures;
    return remark.outcome({
      none: "no branch leads to another one along a chain, and no predicate is known",
      further: rounds.further(kept > 0 || rounds.keptBranches) ?? further,
      figures: { rounds: times, decided: remark.rewritesBy(thread, apply), folded: folded + simplified, removed },
    });
  },
};

/** All blocks, until none has a second test left that an earlier one decides. Returns how many chains of the last walk stayed since lanes would reconverge. */
function sweep(early: EarlyState): number {
  const { edit, remark } = early;
  const over = (): boolean => early.spent || remark.over;
  let kept = 0;
  for (let again = true; again && !over(); ) {
    const [before, keptBefore] = [remark.rewritesBy(thread, apply), remark.times(convergence, "convergence")];
    // Definitions stay where they are while branches are decided.
    early.equivalence = new Equivalence(early, reachingDefs(edit.func));
    for (const block of reversePostOrder(edit.func).order.slice()) {
      if (over()) break;
      decideFrom(early, block);
    }
    again = remark.rewritesBy(thread, apply) > before;
    kept = remark.times(convergence, "convergence") - keptBefore;
  }
  return kept;
}

/** Second tests that one block's branch decides, until none is left. */
function decideFrom(early: EarlyState, block: BlockId): void {
  const { remark } = early;
  let test = testAt(early, block);
  if (test === null) return;
  remark.open(RULES.blocks, { block });
  while (test !== null) {
    remark.step(RULES.entry, { block, inst: test.branch });
    const onTaken: boolean = test.branch.op !== "EXIT" && decideOver(early, test, true);
    const again: boolean = onTaken || (!early.spent && decideOver(early, test, false));
    if (again) remark.step(RULES.again, { block });
    test = again ? testAt(early, block) : null;
  }
  remark.close();
}

/** The real compiler knows what a guarded EXIT has tested, too. */
const testAt = ({ edit, policy }: EarlyState, block: BlockId): Test | null =>
  testOf(edit, block) ?? (policy === "measured" ? exitTestOf(edit, block) : null);

/** Decides the test that one edge leads to; false when there is none, or it stays. */
function decideOver(early: EarlyState, test: Test, taken: boolean): boolean {
  return rewrite(early, thread.look(early, { test, taken })) || rewrite(early, apply.look(early, { test, taken }));
}

function rewrite(early: EarlyState, match: Match | null): boolean {
  if (match === null) return false;
  if (!early.budget.take(RULES.budget)) {
    early.spent = true;
    return false;
  }
  const granted = match.request();
  granted?.commit();
  return granted !== null;
}
