/** Phases 133 and 136, MergeEquivalentConditionalFlow: blocks with the same instructions and targets become one. */

import { regionEndsOf } from "../../analysis/arms.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId } from "../../ir/ids.ts";
import { fallsThrough, isTerminator, phiInput, phisOf, sameOperand } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { blockKey } from "./block-key.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const mergeEquivalentConditionalFlow: Pass = {
  family: "merge-equivalent-conditional-flow",
  ids: ["merge-equivalent-conditional-flow", "late-merge-equivalent-conditional-flow"],
  summary: "Merges blocks with identical instructions and targets. The real compiler was never seen to do it.",
  pseudocode: PSEUDOCODE,
  run: (ctx) => new EquivalentBlocks(ctx).run(),
};

interface Refusal {
  readonly condition: string;
  readonly line: number;
  readonly why: string;
}

class EquivalentBlocks {
  private readonly ctx: PassContext;
  private readonly seen = new Map<string, BlockId>();
  private readonly regionEnds: ReadonlySet<BlockId>;
  private readonly table;
  private readonly rejoin: RejoinGuard;
  private matches = 0;
  private rewrites = 0;
  private readonly refusals = new Map<string, number>();

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.regionEnds = regionEndsOf(ctx.edit);
    this.rejoin = new RejoinGuard(ctx.edit.func, ctx.edit);
    this.table = ctx.rec.on ? ctx.rec.structure("table", "seen-blocks", "Blocks by what they do") : NO_STRUCTURE;
  }

  run(): PassOutcome {
    const { edit, rec } = this.ctx;
    const work = reversePostOrder(edit.func).order.toReversed();
    const waiting = new Set<BlockId>(work);
    if (rec.on) {
      rec.event("note", LINE.order, "{count} {count:block|blocks} in post-order", { count: work.length });
      rec.event("note", LINE.table, "the table is empty", {}, { nodes: ["seen-blocks"] });
    }
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
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    const why =
      this.rewrites > 0 ? null : reasons.length === 0 ? "no two blocks do the same" : `every pair was refused: ${reasons.join(", ")}`;
    return { matches: this.matches, rewrites: this.rewrites, why };
  }

  /** Predecessors that have a new target. */
  private visit(id: BlockId): readonly BlockId[] {
    const { edit, rec } = this.ctx;
    if (edit.func.blocks[id] === undefined || edit.func.layout[0] === id) {
      if (rec.on && edit.func.blocks[id] !== undefined) {
        rec.event("visit", LINE.skip, "{block} is the entry", { block: edit.block(id).label }, { blocks: [id] });
      }
      return [];
    }
    const block = edit.block(id);
    const key = blockKey(edit, id);
    const other = this.seen.get(key);
    if (rec.on) {
      rec.event("visit", LINE.take, "look at {block}", { block: block.label }, { blocks: [id] });
      rec.event(
        "hash",
        LINE.key,
        "the key of {block} has {length} {length:character|characters}",
        { block: block.label, length: key.length },
        { blocks: [id] },
      );
    }
    // A block that changed since it was entered has another key now.
    if (other === undefined || other === id || edit.func.blocks[other] === undefined || blockKey(edit, other) !== key) {
      this.seen.set(key, id);
      if (rec.on) {
        rec.cell(this.table, block.label, block.insts.map((inst) => printInst(edit.func, inst)).join("; "));
        rec.event("hash", LINE.enter, "nothing like {block} was seen before: entered", { block: block.label }, { blocks: [id] });
      }
      return [];
    }
    this.matches++;
    if (rec.on) {
      rec.event(
        "hash",
        LINE.lookup,
        "{other} has the same key as {block}",
        { block: block.label, other: edit.block(other).label },
        { blocks: [id, other] },
      );
    }
    const refusal = this.refusal(other, id);
    if (refusal === null) return this.merge(other, id);
    this.refusals.set(refusal.condition, (this.refusals.get(refusal.condition) ?? 0) + 1);
    if (rec.on) {
      rec.event(
        "match",
        refusal.line,
        "{block} and {other} stay two blocks: {why}",
        { block: block.label, other: edit.block(other).label, why: refusal.why, verdict: "no", condition: refusal.condition },
        { blocks: [id, other] },
      );
    }
    return [];
  }

  private refusal(keep: BlockId, drop: BlockId): Refusal | null {
    const { edit } = this.ctx;
    const block = edit.block(drop);
    if (block.insts[0]?.op === "PHI") return { condition: "phi", line: LINE.noPhi, why: "they begin with a PHI" };
    for (const inst of block.insts) {
      const why = isTerminator(inst) ? null : notShareable(inst);
      if (why !== null) return { condition: "convergence", line: LINE.convergence, why: `'${printInst(edit.func, inst)}': ${why}` };
    }
    const condition = block.succs.length > 1;
    const obstacle = condition || block.insts.some((inst) => inst.op === "BSYNC") ? this.rejoin.joinBranches() : null;
    if (obstacle !== null)
      return {
        condition: "convergence",
        line: LINE.convergence,
        why: `they end with a ${condition ? "condition" : "region"}, and ${obstacle.reason}`,
      };
    const apart = this.rejoin.joinWays(block.preds, drop, keep);
    if (apart !== null)
      return { condition: "convergence", line: LINE.convergence, why: `lanes part for the two in one block, and ${apart.reason}` };
    for (const succ of block.succs) {
      for (const phi of phisOf(edit.block(succ))) {
        const [a, b] = [phiInput(phi, keep), phiInput(phi, drop)];
        if (a !== null && b !== null && sameOperand(a, b)) continue;
        return { condition: "phi-values", line: LINE.phiValues, why: `'${printInst(edit.func, phi)}' takes different values from them` };
      }
    }
    const stuck = block.preds.find((pred) => fallsBehindOther(edit, pred, drop));
    if (stuck !== undefined) {
      return {
        condition: "fall-through",
        line: LINE.redirect,
        why: `${edit.block(stuck).label} falls into ${block.label} behind a guarded end, where a jump would need a block of its own`,
      };
    }
    if (this.regionEnds.has(drop)) {
      return { condition: "region-end", line: LINE.regionEnd, why: `a BSSY names ${block.label} as its region's end` };
    }
    return null;
  }

  private merge(keep: BlockId, drop: BlockId): readonly BlockId[] {
    const { edit, rec } = this.ctx;
    this.rewrites++;
    const preds = edit.block(drop).preds.slice();
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.found,
        "{drop} does what {keep} does: its predecessors go to {keep}",
        { keep: edit.block(keep).label, drop: edit.block(drop).label, verdict: "yes" },
        { blocks: [keep, drop] },
      );
      rec.at(LINE.redirect);
    }
    for (const pred of preds) edit.redirect(pred, drop, keep);
    if (rec.on) rec.at(LINE.remove);
    edit.removeBlock(drop);
    if (rec.on) {
      rec.event(
        "note",
        LINE.again,
        "{preds} {preds:is|are} looked at again",
        { preds: preds.map((p) => edit.block(p).label) },
        { blocks: preds },
      );
      rec.end();
    }
    return preds;
  }
}

/** The block falls into `next` behind a terminator that is no BRA: a jump to somewhere else would be a block in the place of the one that goes. */
function fallsBehindOther(edit: PassContext["edit"], id: BlockId, next: BlockId): boolean {
  const last = edit.block(id).insts.at(-1);
  return last !== undefined && isTerminator(last) && last.op !== "BRA" && fallsThrough(edit.block(id)) && edit.next(id) === next;
}
