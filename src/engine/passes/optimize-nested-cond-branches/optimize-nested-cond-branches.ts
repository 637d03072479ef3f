/** Phase 38, OptimizeNestedCondBranches: nested conditions with a common target become one condition. */

import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { chainableCompare, combine, type Form } from "./combine.ts";
import { chainFrom, groupChain } from "./groups.ts";
import { runStages } from "./liveness-stages.ts";
import { type Places, placesOf } from "./moved-down.ts";
import { conditionOf, literalText, type Pair, pairOf } from "./pair.ts";
import { type NestedRegion, nestedRegion, opensRegion, pastJoin, removeRegion } from "./regions.ts";
import type { EligibilityRow, TruthTableRow } from "./rows.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { aboutPair, type Eligibility, mayCombine, type SafetyInput } from "./safety.ts";

export const optimizeNestedCondBranches: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  readsPolicy: true,
  run,
};

/** A chain of N conditions takes N - 1 rounds, each linear in the function: the product is bounded by this. */
export const ROUND_LIMIT = 256;

function run(ctx: PassContext): PassOutcome {
  const work = new NestedConditions(ctx);
  return ctx.policy === "measured" ? work.runMeasured() : work.runNotes();
}

class NestedConditions {
  private readonly ctx: PassContext;
  private readonly truthTable: ShownTable<TruthTableRow>;
  private readonly eligibility: Eligibility;
  private readonly named: NamedBlocks;
  private readonly rejoin: RejoinGuard;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    // Asked of the function as it came in: combining takes blocks and edges away and adds none, so what was apart or together stays so.
    this.rejoin = new RejoinGuard(ctx.edit);
    this.truthTable = ctx.remark.shown.table("truth-table", "Truth table of the last combination");
    const table = ctx.remark.shown.table<EligibilityRow>("eligibility", "Eligibility of the inner block's instructions (sub_A07940)");
    this.eligibility = { table, shown: new Set() };
    this.named = new NamedBlocks(ctx.edit);
  }

  runNotes(): PassOutcome {
    const { edit, remark } = this.ctx;
    let rounds = 0;
    for (let progress = true; progress; ) {
      if (rounds > 0 && edit.func.layout.length <= 1) break;
      if (rounds === ROUND_LIMIT) {
        remark.step(RULES.round, "limit", { rounds });
        break;
      }
      rounds++;
      progress = remark.span(RULES.round, "round", { round: rounds }, () => this.stage3(this.prepare(true)));
    }
    return this.outcome({ rounds });
  }

  runMeasured(): PassOutcome {
    const { edit, remark, knobs } = this.ctx;
    const limit = knobs.int("nested-cond-cost-limit", RULES.cost);
    const input = this.prepare(false);
    // Of the function as it came in: nothing is merged before a pair has asked. Most functions have none.
    let places: Places | null = null;
    const grouped = new Set<BlockId>();
    let groups = 0;
    for (const head of reversePostOrder(edit.func).order) {
      if (grouped.has(head)) continue;
      const chain = chainFrom(edit, head, null);
      if (chain.length === 0) continue;
      for (const pair of chain) grouped.add(pair.inner);
      places ??= placesOf(edit.func);
      const at = places;
      const found = groupChain(
        edit,
        input.live,
        chain,
        limit,
        at.moved,
        (pair) => this.holdsForBelow(at, pair) || !this.allowed(input, pair),
        (pair, cost) => remark.missed(RULES.cost, "cost", { ...aboutPair(edit, pair), cost, limit }),
      );
      for (const { pairs, cost } of found) {
        groups++;
        const outer = pairs[0]?.outer;
        if (outer === undefined) continue;
        remark.step(RULES.cost, { block: outer, count: pairs.length, cost, limit, blocks: () => pairs.map((p) => p.inner) });
        this.flatten(input, outer, pairs);
      }
    }
    this.sayRegions();
    return this.outcome({ groups });
  }

  private holdsForBelow({ held }: Places, pair: Pair): boolean {
    const { edit, remark } = this.ctx;
    const value = held.get(pair.inner);
    if (value === undefined) return false;
    const about = { ...aboutPair(edit, pair), inst: value.inst, result: value.result };
    remark.missed(RULES.below, value.moved ? "moved-down" : "read-below", about);
    return true;
  }

  /** Pairs that policy 'notes' looks at, since the inner block opens a region of its own: ptxas was not seen to make one region of two. */
  private sayRegions(): void {
    const { edit, remark } = this.ctx;
    for (const outer of reversePostOrder(edit.func).order) {
      const condition = conditionOf(edit, outer);
      if (condition === null) continue;
      for (const inner of [condition.no, condition.yes]) {
        if (opensRegion(edit.block(inner)) === undefined) continue;
        const pair = pairOf(edit, outer, condition, inner, (block) => pastJoin(edit, block));
        if (!("missing" in pair)) remark.missed(RULES.regions, "measured", aboutPair(edit, pair));
      }
    }
  }

  /** Merges a group's lower tests into its top block one after the other, up to the first one that is refused. */
  private flatten(input: SafetyInput, outer: BlockId, pairs: readonly Pair[]): void {
    const { edit } = this.ctx;
    for (const [i, planned] of pairs.entries()) {
      const condition = conditionOf(edit, outer);
      const pair = condition === null ? null : pairOf(edit, outer, condition, planned.inner);
      if (pair === null || "missing" in pair) return;
      const empty = edit.block(pair.inner).insts.length === edit.block(pair.inner).insts.filter((inst) => inst.op === "BRA").length;
      const form: Form =
        chainableCompare(edit, input.live, pair) !== null
          ? "chained-compare"
          : empty && i === pairs.length - 1
            ? "two-predicates"
            : "plop3";
      if (!this.rewrite(input.live, pair, form)) return;
    }
  }

  /** One round: each chain loses one level. */
  private stage3(input: SafetyInput): boolean {
    const { edit, remark } = this.ctx;
    // Blocks of a chain that was shortened in this round wait for the next one.
    const touched = new Set<BlockId>();
    remark.open(RULES.stage3);
    for (const outer of reversePostOrder(edit.func).order) {
      if (edit.func.blocks[outer] === undefined) continue;
      const [pred, second] = edit.block(outer).preds;
      if ((pred !== undefined && second === undefined && touched.has(pred)) || this.combineBelow(input, outer)) touched.add(outer);
    }
    remark.close();
    return touched.size > 0;
  }

  /** Combines the block's condition with that of one of its ways, if one may be. */
  private combineBelow(input: SafetyInput, outer: BlockId): boolean {
    const { edit, remark } = this.ctx;
    const condition = conditionOf(edit, outer);
    if (condition === null) return false;
    return [condition.no, condition.yes].some((inner) => {
      const opens = opensRegion(edit.block(inner)) !== undefined;
      const pair = pairOf(edit, outer, condition, inner, opens ? (block) => pastJoin(edit, block) : undefined);
      if (!("missing" in pair)) return this.combinePair(input, pair);
      const about = { outer, inner, blocks: [outer, inner], about: () => edit.block(inner).label };
      if (pair.missing === "merge-point") remark.missed(RULES.commonTarget, "merge-point", about);
      else if (pair.missing === "only-predecessor") remark.missed(RULES.onlyPred, "only-predecessor", about);
      return false;
    });
  }

  /** Where the inner block opens a region of its own, that has to go, too. */
  private combinePair(input: SafetyInput, pair: Pair): boolean {
    const { edit, remark } = this.ctx;
    const region = nestedRegion(edit, pair.outer, pair.inner);
    if (region !== null && "reason" in region) {
      const { reason, inst } = region;
      const about = { ...aboutPair(edit, pair), inst };
      if (region.reason === "barrier-elsewhere") remark.missed(RULES.regions, region.reason, { ...about, barrier: region.barrier });
      else remark.missed(RULES.regions, reason as Exclude<typeof reason, "barrier-elsewhere">, about);
      return false;
    }
    if (region !== null) {
      const { outer, inner, opens, closes } = region;
      remark.step(RULES.regions, { ...aboutPair(edit, pair), around: outer, own: inner, insts: [opens.inst, closes.inst] });
    }
    return this.allowed(input, pair, region) && this.rewrite(input.live, pair, "plop3", region);
  }

  private prepare(strict: boolean): SafetyInput {
    const { edit, remark } = this.ctx;
    const candidates = new Set<BlockId>();
    for (const id of edit.func.layout) if (edit.block(id).preds.length === 1 && conditionOf(edit, id) !== null) candidates.add(id);
    remark.step(RULES.liveness, { blocks: edit.func.layout.length });
    // The solved sets describe the function as it is now, also while this round changes it: combining never makes a register live where it was not.
    const live: Liveness = liveness(edit.func);
    return {
      edit,
      remark,
      live,
      stages: runStages(edit.func, candidates, remark),
      named: this.named,
      eligibility: this.eligibility,
      strict,
    };
  }

  private rewrite(live: Liveness, pair: Pair, form: Form, region: NestedRegion | null = null): boolean {
    const { edit, remark } = this.ctx;
    const done = remark.found(RULES.combine, { ...this.describe(pair), form }, () => {
      if (region !== null) {
        remark.at(RULES.removeRegion);
        removeRegion(edit, region);
      }
      combine({ edit, remark, live, truthTable: this.truthTable }, pair, form);
      return true;
    });
    return done !== null;
  }

  private allowed(input: SafetyInput, pair: Pair, region: NestedRegion | null = null): boolean {
    const { edit, remark } = this.ctx;
    remark.step(RULES.inner, () => this.describe(pair));
    remark.step(RULES.walk, () => ({ ...this.describe(pair), count: edit.block(pair.inner).insts.length - 1 }));
    if (!mayCombine(input, pair, region?.opens.inst ?? null)) return false;
    // Lanes that left from the outer block and from the inner one reach the common target together afterwards.
    const obstacle = this.rejoin.shareBelow(pair.outer);
    const about = { ...aboutPair(edit, pair), inst: obstacle?.inst ?? null, obstacle: obstacle?.reason ?? "" };
    return remark.holds(RULES.commonTarget, "convergence", obstacle === null, about);
  }

  private describe(pair: Pair) {
    const { outer, inner, common, outerExit, innerExit, outerBranch, innerBranch } = pair;
    return {
      ...aboutPair(this.ctx.edit, pair),
      outerExit: () => literalText(outerExit),
      innerExit: () => literalText(innerExit),
      blocks: [outer, inner, common],
      insts: [outerBranch, innerBranch],
    };
  }

  private outcome(figures: Readonly<Record<string, number>>): PassOutcome {
    const none = "no condition leads to a block that ends with another condition";
    return this.ctx.remark.outcome({ none, each: "every nested pair", figures });
  }
}
