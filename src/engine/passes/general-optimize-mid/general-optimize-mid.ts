/** Phase 37, GeneralOptimizeMid (variant B): promotion of local memory, then all sub-passes in rounds until the cost of a round is too small. */

import { type BundleConfig, CopyBundle, ROUND_LIMIT } from "../../analysis/copy-bundle.ts";
import { tryGates } from "../../analysis/copy-gates.ts";
import { copyClass } from "../../analysis/copy-marks.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { CostModel } from "./cost.ts";
import { type Promotion, promoteLocalMemory } from "./promote.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

/** The named part that `--no-phase` can leave out, and that can run alone. */
const PROMOTION = "convert-memory-to-register-or-uniform";

export const generalOptimizeMid: Pass = {
  family: "general-optimize-mid",
  ids: ["general-optimize-mid", PROMOTION],
  summary: "Promotes local memory to registers, then propagates, folds and removes in rounds with a cost threshold.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  settles: true,
  run: (ctx: PassContext): PassOutcome => {
    if (ctx.id === PROMOTION) return promotionOutcome(promoteLocalMemory(ctx));
    const ok = preCheck(ctx);
    const closed = tryGates(ctx.rec, LINE.gates, [
      {
        gate: "sub_8F3EA0",
        ok,
        sentence: ok
          ? "sub_8F3EA0: there is something to fold or promote"
          : "sub_8F3EA0: no copy, constant, select, compare or local access is in the function",
      },
    ]);
    return closed === null ? run(ctx) : { matches: 0, rewrites: 0, why: closed };
  },
};

const BUNDLE_LINES = {
  round: LINE.round,
  setup: LINE.setup,
  knobs: LINE.setup,
  block: LINE.block,
  use: LINE.use,
  refuse: LINE.refuse,
  anchor: LINE.anchor,
  predicated: LINE.predicated,
  select: LINE.select,
  twoPass: LINE.select,
  chain: LINE.select,
  liveness: LINE.predicated,
  fold: LINE.fold,
  simplify: LINE.fold,
  guard: LINE.guard,
  phi: LINE.phi,
  dce: LINE.dce,
} as const;

/** What the notes' pre-check looks at is not known: chosen so that it refuses functions in which nothing could happen. */
function preCheck({ edit }: PassContext): boolean {
  return edit.func.layout.some((id) =>
    edit.block(id).insts.some((inst) => {
      if (inst.op === "LDL" || inst.op === "STL" || inst.op === "PHI" || copyClass(inst) !== "other" || inst.op.endsWith("SETP"))
        return true;
      return inst.guard !== null || inst.ops.some((o) => o.kind === "imm" || o.kind === "f32" || o.kind === "f64" || o.kind === "imm64");
    }),
  );
}

function run(ctx: PassContext): PassOutcome {
  const { edit, rec, knobs, skipped } = ctx;
  const wanted = !skipped.has(PROMOTION);
  if (rec.on) {
    const sentence = wanted
      ? "--no-phase does not name ConvertMemoryToRegisterOrUniform"
      : "--no-phase skips ConvertMemoryToRegisterOrUniform";
    rec.event("gate", LINE.promotion, "{sentence}", { gate: "no-phase", ok: wanted, sentence });
  }
  const promotion = wanted ? promoteLocalMemory(ctx) : null;
  const cost = new CostModel(
    edit,
    rec,
    knobs.double("mov-weight", LINE.threshold),
    knobs.optionalInt("indexed-size-limit", LINE.threshold),
  );
  const config: BundleConfig = {
    lines: BUNDLE_LINES,
    commit: "all",
    copyProp: !skipped.has("ori-copy-prop"),
    fold: true,
    dce: true,
    budget: null,
    onFold: (block, inst, uses) => cost.add(block, inst, uses),
  };
  const bundle = new CopyBundle(ctx, config);
  let rounds = 0;
  let left = false;
  const promotedBy = edit.editCount;
  for (let again = true; again && rounds < ROUND_LIMIT; ) {
    rounds++;
    if (rec.on) rec.begin("round", LINE.round, "round {round}", { round: rounds });
    cost.startRound();
    const edits = bundle.round(rounds);
    if (rounds === 1 && promotion !== null) bundle.count("memory to register", promotion.converted);
    left = edits > 0 && bundle.hasMore;
    again = cost.endRound(rounds, bundle) && left;
    if (rec.on) rec.end();
  }
  const { totals } = bundle;
  const converted = promotion?.converted ?? 0;
  // A use in a branch that convergence keeps as it is counts as found, not as rewritten.
  const rewrites = edit.editCount === 0 ? 0 : totals.copies + totals.folded + totals.simplified + totals.removed + converted;
  return {
    matches: totals.matches + (promotion?.slots ?? 0),
    rewrites,
    why: rewrites > 0 ? null : whyNothing(bundle, promotion),
    further: bundle.further() ?? furtherRun(left, rounds, promotion, edit.editCount > promotedBy),
    figures: {
      rounds,
      promoted: promotion?.promoted ?? 0,
      copiesPropagated: totals.copies,
      usesReplaced: totals.uses,
      folded: totals.folded,
      simplified: totals.simplified,
      removed: totals.removed,
      cost: cost.weighted,
    },
  };
}

/** Promotion looks at memory before the rounds do their work; the rounds end at the threshold. */
function furtherRun(left: boolean, rounds: number, promotion: Promotion | null, edited: boolean): string | null {
  if (left) return rounds >= ROUND_LIMIT ? `${rounds} rounds are the limit` : "the threshold stopped the rounds with work left";
  const refused = [...(promotion?.refusals.values() ?? [])].reduce((a, b) => a + b, 0);
  return refused > 0 && edited ? "slots stayed in memory for reasons that the rounds may have taken away" : null;
}

function whyNothing(bundle: CopyBundle, promotion: Promotion | null): string {
  const reasons = [...(promotion?.refusals ?? [])].map(([condition, n]) => (n > 1 ? `${condition} (${n} times)` : condition));
  const memory = reasons.length === 0 ? "" : `; local slots stay: ${reasons.join(", ")}`;
  return `${bundle.why()}${memory}`;
}

function promotionOutcome({ promoted, converted, refusals, slots }: Promotion): PassOutcome {
  const reasons = [...refusals].map(([condition, n]) => (n > 1 ? `${condition} (${n} times)` : condition));
  const why = slots === 0 ? "no local load or store has a constant offset" : `every slot stays in memory: ${reasons.join(", ")}`;
  return { matches: slots, rewrites: converted, why: converted > 0 ? null : why, figures: { promoted, converted } };
}
