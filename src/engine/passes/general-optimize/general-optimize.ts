/** Phases 29, 46 and 65 (GeneralOptimize, GeneralOptimizeMid2, GeneralOptimizeLate2), and OriCopyProp alone. */

import { type BundleConfig, CopyBundle, ROUND_LIMIT } from "../../analysis/copy-bundle.ts";
import { mergeComplementaryCopies } from "../../analysis/copy-complement.ts";
import { tryGates } from "../../analysis/copy-gates.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { gatesOf } from "./instance-gates.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const generalOptimize: Pass = {
  family: "general-optimize",
  ids: ["general-optimize", "general-optimize-mid2", "general-optimize-late2", "ori-copy-prop"],
  summary: "Propagates copies, folds constants and predicates, and removes what becomes dead, in rounds.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  settles: true,
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
  const { id, rec, knobs, skipped } = ctx;
  const closed = tryGates(rec, LINE.gates, gatesOf(ctx));
  if (closed !== null) return { matches: 0, rewrites: 0, why: closed };
  const instance = instanceOf(id);
  const budget: Budget | null = instance.capped ? knobs.budget("convergence-budget", LINE.round) : null;
  const copyProp = id === "ori-copy-prop" || !skipped.has("ori-copy-prop");
  if (rec.on && !copyProp)
    rec.event("gate", LINE.knobs, "--no-phase skips OriCopyProp: no copies are propagated", { gate: "no-phase", ok: false });
  const config: BundleConfig = { lines: LINE, commit: "all", copyProp, fold: instance.fold, dce: instance.dce, budget };
  const bundle = new CopyBundle(ctx, config);
  const merged = id === "general-optimize-late2" ? complementary(ctx, bundle) : 0;
  const { rounds, further } = instance.iterate ? iterate(ctx, bundle) : once(ctx, bundle);
  const { totals } = bundle;
  // A use in a branch that convergence keeps as it is counts as found, not as rewritten.
  const rewrites = ctx.edit.editCount === 0 ? 0 : totals.copies + totals.folded + totals.simplified + totals.removed + merged;
  return {
    matches: totals.matches,
    rewrites,
    why: rewrites > 0 ? null : bundle.why(),
    further: bundle.further() ?? further,
    figures: {
      rounds,
      copiesPropagated: totals.copies,
      usesReplaced: totals.uses,
      folded: totals.folded,
      simplified: totals.simplified,
      removed: totals.removed,
    },
  };
}

interface Rounds {
  readonly rounds: number;
  readonly further: string | null;
}

/** Rounds until one edits nothing. */
function iterate({ rec }: PassContext, bundle: CopyBundle): Rounds {
  let rounds = 0;
  let further: string | null = null;
  for (let changed = true; changed; ) {
    if (rounds === ROUND_LIMIT) {
      if (rec.on) rec.event("budget", LINE.round, "{rounds} {rounds:round is|rounds are} the limit", { rounds });
      further = `${rounds} rounds are the limit`;
      break;
    }
    rounds++;
    if (rec.on) rec.begin("round", LINE.round, "round {round}", { round: rounds });
    changed = bundle.round(rounds) > 0 && bundle.hasMore;
    if (rec.on) rec.end();
  }
  return { rounds, further };
}

function once({ rec }: PassContext, bundle: CopyBundle): Rounds {
  if (rec.on) rec.begin("round", LINE.alone, "OriCopyProp alone: one walk");
  bundle.round(1);
  if (rec.on) rec.end();
  return { rounds: 1, further: bundle.hasMore ? "one walk is all it makes, and blocks were left to look at again" : null };
}

function complementary(ctx: PassContext, bundle: CopyBundle): number {
  if (!ctx.knobs.flag("late-copy-prop-compl-pred", LINE.complementary)) return 0;
  return mergeComplementaryCopies(ctx.edit, ctx.rec, LINE.complementary, bundle);
}
