/** Shows the liveness rounds: the sets of all blocks as an observed matrix, and every judgement as a step. */

import type { NeedObserver } from "../../analysis/needed.ts";
import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { defsOf, getBlock, phisOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { LiveInRow } from "./rows.ts";
import { RULES } from "./rules.ts";

/** Registers that a list names; a list for each block of a large function would be too much otherwise. */
const LISTED = 256;

export function watchRounds(fn: Func, remark: Remarks): NeedObserver {
  const matrix = remark.shown.matrix<LiveInRow>("live-in", "Live at block heads");
  for (const id of fn.layout) matrix.set(`b${id}`, { block: getBlock(fn, id).label, round: 0, regs: [] });
  return {
    // A long trace was cut: the rest of the rounds goes unwatched.
    listens: () => remark.listening,
    round(round) {
      matrix.set("meta", { round, blocks: fn.layout.length });
      remark.step(RULES.round, { round, node: matrix.node("meta") });
    },
    enter(block, round, liveBehind) {
      if (!remark.listening) return;
      const regs = liveBehind();
      const node = matrix.node(`b${block.id}`);
      remark.open(RULES.visit, { round, block, node });
      const successors = block.succs.map((s) => getBlock(fn, s).label);
      remark.step(RULES.union, regs.length === 0 ? "nothing" : "some", { block, regs: names(regs), also: { successors }, node });
      const phis = block.succs.flatMap((s) => phisOf(getBlock(fn, s)));
      if (phis.length > 0) remark.step(RULES.phi, { block, phis, node });
      remark.step(RULES.walk, { block, count: block.insts.length, node });
    },
    judge(block, inst, need) {
      if (!remark.listening) return;
      const about = { inst, regs: defsOf(inst), block };
      if (need === "effect") remark.step(RULES.effect, about);
      else remark.step(need === "result" ? RULES.result : RULES.dead, about);
    },
    leave(block, round, added, liveAtHead) {
      if (remark.listening) {
        const regs = names(liveAtHead());
        const about = { block, node: matrix.node(`b${block.id}`) };
        remark.step(RULES.test, regs.length === 0 ? "nothing" : "some", { ...about, regs, focus: { regs: added } });
        if (added.length > 0) {
          matrix.set(`b${block.id}`, { block: block.label, round, regs });
          if (block.preds.length === 0) remark.step(RULES.grown, "entry", { ...about, added: names(added), regs: added });
          else remark.step(RULES.grown, "above", { ...about, added: names(added), preds: block.preds, regs: added });
        } else remark.step(RULES.same, about);
      }
      remark.close();
    },
  };
}

const names = (regs: readonly Reg[]): string[] =>
  regs.length <= LISTED ? regs.map(regName) : [...regs.slice(0, LISTED).map(regName), `and ${regs.length - LISTED} more`];
