/** Phase 38, OptimizeNestedCondBranches: nested conditions with a common target become one condition. */

import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { BlockId } from "../../ir/ids.ts";
import { NO_STRUCTURE } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { type CombineInput, chainableCompare, combine, type Form } from "./combine.ts";
import { chainFrom, groupChain } from "./groups.ts";
import { runStages } from "./liveness-stages.ts";
import { conditionOf, literalText, type Pair, pairOf } from "./pair.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { type Refusal, refusal, type SafetyInput } from "./safety.ts";

export const optimizeNestedCondBranches: Pass = {
  family: "optimize-nested-cond-branches",
  ids: ["optimize-nested-cond-branches"],
  summary: "Combines nested conditions that leave to a common block into one, with a truth table or a chained compare.",
  pseudocode: PSEUDOCODE,
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
  private readonly truthTable;
  private readonly regionEnds = new Set<BlockId>();
  private matches = 0;
  private rewrites = 0;
  private readonly refusals = new Map<string, number>();
  private readonly rejoin: RejoinGuard;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    // Asked of the function as it came in: combining takes blocks and edges away and adds none, so what was apart or together stays so.
    this.rejoin = new RejoinGuard(ctx.edit.func, ctx.edit);
    this.truthTable = ctx.rec.on ? ctx.rec.structure("table", "truth-table", "Truth table of the last combination") : NO_STRUCTURE;
    const { edit } = ctx;
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) {
        const label = inst.op === "BSSY" ? inst.ops[inst.ops.length - 1] : undefined;
        if (label?.kind === "label") this.regionEnds.add(label.block);
      }
    }
  }

  runNotes(): PassOutcome {
    const { edit, rec } = this.ctx;
    let rounds = 0;
    for (let progress = true; progress; ) {
      if (rounds > 0 && edit.func.layout.length <= 1) break;
      if (rounds === ROUND_LIMIT) {
        if (rec.on)
          rec.event("budget", LINE.round, "{rounds} {rounds:round is|rounds are} the limit: what is left stays nested", { rounds });
        break;
      }
      rounds++;
      if (rec.on) rec.begin("round", LINE.round, "round {round}", { round: rounds });
      progress = this.stage3(this.prepare(true));
      if (rec.on) rec.end();
    }
    return this.outcome({ rounds });
  }

  runMeasured(): PassOutcome {
    const { edit, rec, knobs } = this.ctx;
    const limit = knobs.int("nested-cond-cost-limit", LINE.cost);
    const input = this.prepare(false);
    const grouped = new Set<BlockId>();
    let groups = 0;
    for (const head of reversePostOrder(edit.func).order) {
      if (grouped.has(head)) continue;
      const chain = chainFrom(edit, head, null);
      for (const pair of chain) grouped.add(pair.inner);
      const found = groupChain(
        edit,
        input.live,
        chain,
        limit,
        (pair) => this.refuses(input, pair),
        (pair, cost) => this.sayTooDear(pair, cost, limit),
      );
      for (const group of found) {
        groups++;
        const outer = group.pairs[0]?.outer;
        if (outer === undefined) continue;
        if (rec.on) {
          rec.event(
            "cost",
            LINE.cost,
            "{block} and the {count} {count:test|tests} below it form a group: running these always costs {cost}, the limit is {limit}",
            { block: edit.block(outer).label, count: group.pairs.length, cost: group.cost, limit },
            { blocks: [outer, ...group.pairs.map((p) => p.inner)] },
          );
        }
        this.flatten(input, outer, group.pairs);
      }
    }
    return this.outcome({ groups });
  }

  /** Merges a group's lower tests into its top block one after the other. */
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
      this.rewrite(input.live, pair, form);
    }
  }

  /** One round: each chain loses one level. */
  private stage3(input: SafetyInput): boolean {
    const { edit, rec } = this.ctx;
    // Blocks of a chain that was shortened in this round wait for the next one.
    const touched = new Set<BlockId>();
    let progress = false;
    if (rec.on) rec.begin("span", LINE.stage3, "stage 3: combine nested branches");
    for (const outer of reversePostOrder(edit.func).order) {
      if (edit.func.blocks[outer] === undefined) continue;
      const [pred, second] = edit.block(outer).preds;
      if (pred !== undefined && second === undefined && touched.has(pred)) {
        touched.add(outer);
        continue;
      }
      const condition = conditionOf(edit, outer);
      if (condition === null) continue;
      for (const inner of [condition.no, condition.yes]) {
        const pair = pairOf(edit, outer, condition, inner);
        if ("missing" in pair) {
          this.sayMissing(outer, inner, pair.missing);
          continue;
        }
        if (this.refuses(input, pair)) continue;
        this.rewrite(input.live, pair, "plop3");
        touched.add(outer);
        progress = true;
        break;
      }
    }
    if (rec.on) rec.end();
    return progress;
  }

  private prepare(strict: boolean): SafetyInput {
    const { edit, rec } = this.ctx;
    const candidates = new Set<BlockId>();
    for (const id of edit.func.layout) if (edit.block(id).preds.length === 1 && conditionOf(edit, id) !== null) candidates.add(id);
    if (rec.on) rec.event("liveness", LINE.liveness, "liveness of {blocks} {blocks:block|blocks}", { blocks: edit.func.layout.length });
    // The solved sets describe the function as it is now, also while this round changes it: combining never makes a register live where it was not.
    const live: Liveness = liveness(edit.func);
    return { edit, live, stages: runStages(edit.func, candidates, rec), regionEnds: this.regionEnds, strict };
  }

  private rewrite(live: Liveness, pair: Pair, form: Form): void {
    const { edit, rec } = this.ctx;
    this.matches++;
    this.rewrites++;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.combine,
        "{outer} and {inner} both leave to {common}: one condition instead of {outerExit} and {innerExit}",
        { ...this.names(pair), outerExit: literalText(pair.outerExit), innerExit: literalText(pair.innerExit), form, verdict: "yes" },
        { blocks: [pair.outer, pair.inner, pair.common], insts: [pair.outerBranch.id, pair.innerBranch.id] },
      );
    }
    const input: CombineInput = { edit, rec, live, truthTable: this.truthTable };
    combine(input, pair, form);
    if (rec.on) rec.end();
  }

  private refuses(input: SafetyInput, pair: Pair): boolean {
    this.sayWalk(pair);
    const found = refusal(input, pair) ?? this.convergence(pair);
    if (found === null) return false;
    this.count(found.condition);
    const { rec } = this.ctx;
    if (rec.on) {
      rec.event(
        "match",
        found.line,
        "{outer} and {inner} stay two conditions: {why}",
        { ...this.names(pair), why: found.why, verdict: "no", condition: found.condition },
        { blocks: [pair.outer, pair.inner], insts: found.insts.map((inst) => inst.id) },
      );
    }
    return true;
  }

  /** Lanes that left from the outer block and from the inner one reach the common target together afterwards. */
  private convergence(pair: Pair): Refusal | null {
    const obstacle = this.rejoin.shareBelow(pair.outer);
    if (obstacle === null) return null;
    return {
      condition: "convergence",
      line: LINE.commonTarget,
      why: obstacle.reason,
      insts: obstacle.inst === null ? [] : [obstacle.inst],
    };
  }

  private sayWalk(pair: Pair): void {
    const { edit, rec } = this.ctx;
    if (!rec.on) return;
    const focus = { blocks: [pair.outer, pair.inner, pair.common], insts: [pair.outerBranch.id, pair.innerBranch.id] };
    rec.event(
      "visit",
      LINE.inner,
      "{outer} leaves to {common} on {outerExit}, and {inner} below it on {innerExit}",
      { ...this.names(pair), outerExit: literalText(pair.outerExit), innerExit: literalText(pair.innerExit) },
      focus,
    );
    const count = edit.block(pair.inner).insts.length - 1;
    rec.event(
      "visit",
      LINE.walk,
      "walk {inner} backwards from its branch: {count} {count:instruction|instructions}",
      { ...this.names(pair), count },
      focus,
    );
  }

  private sayMissing(outer: BlockId, inner: BlockId, missing: "shape" | "only-predecessor" | "merge-point"): void {
    if (missing === "shape") return;
    this.count(missing === "merge-point" ? "3 common target" : missing);
    const { edit, rec } = this.ctx;
    if (!rec.on) return;
    const label = edit.block(inner).label;
    const facts = { outer: edit.block(outer).label, inner: label, about: label, verdict: "no", condition: missing };
    if (missing === "merge-point") {
      rec.event("match", LINE.commonTarget, "no way of {inner} leads where {outer} leaves to: condition 3 fails", facts, {
        blocks: [outer, inner],
      });
    } else {
      rec.event("match", LINE.onlyPred, "{inner} can be entered from elsewhere than {outer}, or begins with a PHI", facts, {
        blocks: [outer, inner],
      });
    }
  }

  private sayTooDear(pair: Pair, cost: number, limit: number): void {
    this.count("cost");
    const { rec } = this.ctx;
    if (!rec.on) return;
    rec.event(
      "match",
      LINE.cost,
      "{outer} does not join the group below it: running {inner} always would make it cost {cost}, the limit is {limit}",
      { ...this.names(pair), cost, limit, verdict: "no", condition: "cost" },
      { blocks: [pair.outer, pair.inner] },
    );
  }

  /** A decision is about the inner block: the outer one takes in one after the other. */
  private names(pair: Pair): { readonly outer: string; readonly inner: string; readonly common: string; readonly about: string } {
    const { edit } = this.ctx;
    const inner = edit.block(pair.inner).label;
    return { outer: edit.block(pair.outer).label, inner, common: edit.block(pair.common).label, about: inner };
  }

  private count(condition: string): void {
    this.matches++;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
  }

  private outcome(figures: Readonly<Record<string, number>>): PassOutcome {
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    const why =
      this.rewrites > 0
        ? null
        : reasons.length === 0
          ? "no condition leads to a block that ends with another condition"
          : `every nested pair was refused: ${reasons.join(", ")}`;
    return { matches: this.matches, rewrites: this.rewrites, why, figures };
  }
}
