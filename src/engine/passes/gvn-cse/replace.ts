/** Replacing a repeated value, immediately in modes 1 and 2; in modes 3 to 6 the deferred list is flushed when the scope tree is empty. */

import { moveOf } from "../../analysis/commoning.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import { type Match, rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { Cse, Leader } from "./cse.ts";
import type { DeferredRow } from "./rows.ts";

/** The lines of the deferred list. */
export const DEFERRED = {
  deferred: line("    modes 3 to 6: put the MOV on the deferred list", { kind: "note", step: "'{inst}' waits on the deferred list" }),
  flush: line("flush the deferred list: write its MOVs into their blocks", {
    kind: "span",
    step: "flush {count} deferred {count:MOV|MOVs}",
  }),
};

export interface Repeat {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly leader: Leader;
}

export const t6 = rule<Cse, Repeat>()({
  line: "    replace I by a MOV from the leader's head // T6",
  found: {
    removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, into the same register",
    copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}",
  },
  done: {
    removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and is removed",
    copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and becomes a MOV",
  },
  because: "{leader} contains the value of the same expression since {where}",
  match(_, { block, inst, leader }) {
    const dest = defsOf(inst)[0];
    if (dest === undefined) return null;
    const focus = { blocks: [block, leader.block], insts: [leader.inst], regs: [dest, leader.reg] };
    const said = { inst, leader: leader.reg, where: leader.block, focus, also: { condition: "T6" }, into: block, dest };
    return dest === leader.reg ? { found: "removed", done: "removed", ...said } : { found: "copied", done: "copied", ...said };
  },
  apply(cse, { inst, leader, into, dest }) {
    if (dest === leader) {
      cse.edit.remove(into, cse.at);
      cse.at--;
    } else cse.edit.replace(into, cse.at, moveOf(inst, dest, leader));
  },
});

/** Rewrites that the drain has decided. They are requested when the list is flushed. */
export class DeferredMoves {
  private readonly cse: Cse;
  private readonly waiting: { readonly block: BlockId; readonly inst: Inst; readonly match: Match }[] = [];
  private readonly view: ShownTable<DeferredRow>;

  constructor(cse: Cse) {
    this.cse = cse;
    this.view = cse.remark.shown.worklist<DeferredRow>("deferred-moves", "Deferred MOVs");
  }

  /** Instructions of a block must come in its order, and the blocks one after the other. */
  add(block: BlockId, inst: Inst, match: Match): void {
    const { edit, remark } = this.cse;
    match.announce();
    this.waiting.push({ block, inst, match });
    this.view.set(inst.id, () => ({ inst: inst.id, block: edit.block(block).label }));
    remark.step(DEFERRED.deferred, { inst, block, node: this.view.node(inst.id) });
  }

  flush(): void {
    const { cse, waiting } = this;
    if (waiting.length === 0) return;
    cse.remark.span(DEFERRED.flush, { count: waiting.length }, () => {
      let last: BlockId | null = null;
      for (const { block, inst, match } of waiting) {
        if (block !== last) cse.at = 0;
        last = block;
        const { insts } = cse.edit.block(block);
        while (cse.at < insts.length && insts[cse.at]?.id !== inst.id) cse.at++;
        this.view.remove(inst.id);
        match.request()?.commit();
        cse.at++;
      }
    });
    waiting.length = 0;
  }
}
