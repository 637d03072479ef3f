/** Phase 37, GeneralOptimizeMid (variant B): promotion of local memory, then all sub-passes in rounds until the cost of a round is too small. */

import type { Remarks } from "../../remark/remarks.ts";
import { line, pseudocodeOf, type Rule, rules, sameLine } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { foldRule, selfCopyRule, simplifyRule } from "../shared/copies/constant-folding.ts";
import { useRule } from "../shared/copies/copy-propagation.ts";
import { deadRule } from "../shared/copies/dead-code.ts";
import { phiRule } from "../shared/copies/equal-phis.ts";
import { copyClass } from "../shared/copies/marks.ts";
import { guardedRule, guardRule } from "../shared/copies/predicate-simplification.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ANCHOR, BLOCK, CHAIN, KNOBS, LIVENESS, PREDICATED, SELECT, SETUP, TWO_PASS, UNFIT, UNSEEN } from "../shared/copies/rules.ts";
import { ABOUT } from "./about.ts";
import { context, destroy, MidContext } from "./context.ts";
import { CostModel, converge, cost, threshold } from "./cost.ts";
import { computed, initial, LOCAL, type Promotion, promote, promoteLocalMemory } from "./promote.ts";

const RULES = rules({
  gates: line(
    "gates: --no-phase names no ConvertMemoryToRegisterOrUniform; the pre-check finds something to fold or promote // sub_8F3EA0",
    {
      gates: {
        "no-phase": {
          open: "ConvertMemoryToRegisterOrUniform is not switched off by --no-phase",
          shut: "--no-phase names ConvertMemoryToRegisterOrUniform, which switches the whole phase off",
        },
        sub_8F3EA0: {
          open: "there is something to fold or promote",
          shut: "no copy, constant, select, compare or local access is in the function",
        },
      },
    },
  ),
  ...LOCAL,
  promote,
  initial,
  computed,
  context,
  setup: line("set-up: bit vectors of blocks to look at, copies, and blocks where something dies; knobs of copy propagation", SETUP),
  knobs: sameLine(KNOBS),
  threshold,
  round: line("repeat, while the weighted cost of the last round is not below the threshold:", { kind: "round", step: "round {round}" }),
  block: line("  for each block of the bit vector in RPO: copy_seen = on, def_ctx = the block; for each instruction:", BLOCK),
  use: useRule("    each register it reads: the source of its copy, in any block, is read instead"),
  unseen: line("      keep the register if source or destination may be written between, or the operand cannot take the source", UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: line("    anchor, a copy without guard: def_ctx = it // opcode 97", ANCHOR),
  predicated: line("    predicated copy: eligible: mark 0x400 where the target can // opcode 18", PREDICATED),
  liveness: sameLine(LIVENESS),
  select: line("    conditional select: eligible: mark 0x100; in tiers 1 to 7 after the two-pass simplifier // opcode 124", SELECT),
  twoPass: sameLine(TWO_PASS),
  chain: sameLine(CHAIN),
  fold: foldRule("    level 2: all inputs constant: evaluate; a marked select, a predicate with constants: simplify"),
  selfCopy: selfCopyRule(),
  simplify: simplifyRule(null),
  guard: guardRule("    a guard that is known: drop it, or the instruction; a branch: decide it"),
  guarded: guardedRule(),
  cost,
  phi: phiRule("  a PHI with one value becomes a copy"),
  dead: deadRule("  check_liveness on what lost a reader: remove what is dead"),
  converge,
  destroy,
});

/** The named part that `--no-phase` can leave out, and that can run alone. */
const PROMOTION = "convert-memory-to-register-or-uniform";

/** The lines that say why a slot stays in memory. */
const SLOT_RULES: readonly Rule[] = [LOCAL.escape, LOCAL.slot, LOCAL.share, promote];

export const generalOptimizeMid: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
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
    return closed === null ? run(ctx) : ctx.remark.outcome({ why: closed });
  },
};

/** It is not known what the reference's pre-check tests: chosen so that it refuses functions in which nothing could happen. */
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
  const fields = new MidContext(remark, edit.func);
  const model = new CostModel(
    remark,
    knobs.double("mov-weight", RULES.threshold),
    knobs.optionalInt("indexed-size-limit", RULES.threshold),
  );
  const rounds = new Rounds(ctx, RULES, {
    commit: "all",
    copyProp: !skipped.has("ori-copy-prop"),
    fold: true,
    dce: true,
    foldBudget: null,
    onFold: (block, inst, uses) => model.add(block, inst, uses),
  });
  let times = 0;
  let left = false;
  const promotedBy = edit.editCount;
  for (let again = true; again && times < ROUND_LIMIT; ) {
    times++;
    remark.open(RULES.round, { round: times });
    model.startRound();
    const edits = rounds.round(times);
    if (times === 1) rounds.run.tally.add("memory to register", promotion.converted);
    left = edits > 0 && rounds.hasMore;
    fields.sums(model.count, model.weighted, model.total);
    again = model.endRound(times, rounds.hasMore) && left;
    remark.close();
  }
  fields.destroy();
  return remark.outcome({
    why: whyNothing(remark),
    further: rounds.further(rounds.keptBranches) ?? furtherRun(left, times, promotion, edit.editCount > promotedBy),
    figures: { rounds: times, promoted: promotion.promoted, ...rounds.figures, cost: model.weighted },
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

/** Promotion examines memory before the rounds do their work; the rounds end at the threshold. */
function furtherRun(left: boolean, times: number, { slots, promoted }: Promotion, edited: boolean): string | null {
  if (left) return times >= ROUND_LIMIT ? `${times} rounds are the limit` : "the threshold stopped the rounds with work left";
  return promoted < slots && edited ? "slots stayed in memory for reasons that the rounds may have taken away" : null;
}
