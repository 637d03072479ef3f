/** Phases 133 and 136, MergeEquivalentConditionalFlow: blocks with the same instructions and targets become one. */

import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { fallsThrough, isTerminator, phiInput, phisOf, sameOperand } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { BlockKey, ByKey } from "./block-key.ts";
import type { SeenBlockRow } from "./rows.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const mergeEquivalentConditionalFlow: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  records: RULES.records,
  run: (ctx) => new EquivalentBlocks(ctx).run(),
};

/** The observed table. */
const SEEN = "seen-blocks";

class EquivalentBlocks {
  private readonly ctx: PassContext;
  private readonly seen = new ByKey<BlockId>();
  private readonly named: NamedBlocks;
  private readonly table: ShownTable<SeenBlockRow>;
  private readonly rejoin: RejoinGuard;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.named = new NamedBlocks(ctx.edit);
    this.rejoin = new RejoinGuard(ctx.edit);
    this.table = ctx.remark.shown.table(SEEN, "Blocks by what they do");
  }

  run(): PassOutcome {
    const { edit, remark } = this.ctx;
    const work = reversePostOrder(edit.func).order.toReversed();
    const waiting = new Set<BlockId>(work);
    remark.step(RULES.order, { count: work.length });
    remark.step(RULES.table, { node: SEEN });
    for (let i = 0; i < work.length; i++) {
      const id = work[i] as BlockId;
      waiting.delete(id);
      // Each merge removes a block and adds its predecessors, so the list is at most blocks + edges long.
      for (const pred of this.visit(id)) {
        if (waiting.has(pred)) continue;
        waiting.add(pred);
        work.push(pred);
      }
    }
    return remark.outcome({ none: "no two blocks do the same", each: "every pair" });
  }

  /** Predecessors that have a new target. */
  private visit(id: BlockId): readonly BlockId[] {
    const { edit, remark } = this.ctx;
    const block = edit.func.blocks[id];
    if (block === undefined) return [];
    if (edit.func.layout[0] === id) {
      remark.step(RULES.skip, { block });
      return [];
    }
    const key = new BlockKey(edit, id);
    const other = this.seen.get(key);
    remark.step(RULES.take, { block });
    remark.step(RULES.key, () => ({ block, length: key.whole.length }));
    // A block that changed since it was entered has another key now.
    if (other === undefined || other === id || edit.func.blocks[other] === undefined || !this.isStill(other, key)) {
      this.seen.set(key, id);
      this.table.set(block.label, () => block.insts.map((inst) => printInst(edit.func, inst)).join("; "));
      remark.step(RULES.enter, { block });
      return [];
    }
    remark.step(RULES.lookup, { block, other, blocks: [other] });
    return this.mayMerge(other, block) ? this.merge(other, id) : [];
  }

  private isStill(id: BlockId, key: BlockKey): boolean {
    return new BlockKey(this.ctx.edit, id).whole === key.whole;
  }

  private mayMerge(keep: BlockId, block: Block): boolean {
    const { edit, remark } = this.ctx;
    const pair = { block, other: keep, blocks: [keep] };
    if (block.insts[0]?.op === "PHI") return remark.missed(RULES.noPhi, "phi", pair) !== null;
    const shared = block.insts.find((inst) => !isTerminator(inst) && notShareable(inst) !== null) ?? null;
    const effect = () => (shared === null ? null : notShareable(shared));
    if (!remark.holds(RULES.convergence, "sees-lanes", shared === null, { ...pair, shared, effect })) return false;
    const condition = block.succs.length > 1;
    const together = condition || block.insts.some((inst) => inst.op === "BSYNC") ? this.rejoin.joinBranches() : null;
    const end = { ...pair, end: condition ? "condition" : "region", obstacle: together?.reason ?? "" };
    if (!remark.holds(RULES.convergence, "ends-apart", together === null, end)) return false;
    const apart = this.rejoin.joinWays(block.preds, block.id, keep);
    const parts = { ...pair, obstacle: apart?.reason ?? "" };
    if (!remark.holds(RULES.convergence, "parts-in-one-block", apart === null, parts)) return false;
    const phi = block.succs.flatMap((succ) => phisOf(edit.block(succ))).find((phi) => !sameInputs(phi, keep, block.id)) ?? null;
    if (!remark.holds(RULES.phiValues, "phi-values", phi === null, { ...pair, phi })) return false;
    const stuck = block.preds.find((pred) => fallsBehindOther(edit, pred, block.id));
    if (stuck !== undefined) return remark.missed(RULES.redirect, "fall-through", { ...pair, stuck }) !== null;
    const named = this.named.reason(block.id);
    return named === null || remark.missed(RULES.regionEnd, named, pair) !== null;
  }

  private merge(keep: BlockId, drop: BlockId): readonly BlockId[] {
    const { edit, remark } = this.ctx;
    const preds = edit.block(drop).preds.slice();
    const done = remark.found(RULES.found, { keep, drop, blocks: [drop, keep] }, () => {
      remark.at(RULES.redirect);
      for (const pred of preds) edit.redirect(pred, drop, keep);
      remark.at(RULES.remove);
      edit.removeBlock(drop);
      this.named.moved(drop, keep);
      remark.step(RULES.again, { blocks: preds });
      return preds;
    });
    return done ?? [];
  }
}

function sameInputs(phi: Inst, one: BlockId, other: BlockId): boolean {
  const [a, b] = [phiInput(phi, one), phiInput(phi, other)];
  return a !== null && b !== null && sameOperand(a, b);
}

/** The block falls into `next` after a terminator that is no BRA: a jump to somewhere else would be a block in the place of the one that goes. */
function fallsBehindOther(edit: PassContext["edit"], id: BlockId, next: BlockId): boolean {
  const last = edit.block(id).insts.at(-1);
  return last !== undefined && isTerminator(last) && last.op !== "BRA" && fallsThrough(edit.block(id)) && edit.next(id) === next;
}
