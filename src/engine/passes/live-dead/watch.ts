/** The liveness rounds, and how they are shown: the sets of all blocks as an observed matrix, and every judgement as a step. */

import type { NeedObserver } from "../../analysis/needed.ts";
import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { defsOf, getBlock, phisOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { LiveInRow } from "./rows.ts";

/** The lines of the rounds. */
export const ROUNDS = {
  round: line("repeat (a round), until the queue is empty:", { kind: "round", step: "round {round}" }),
  visit: line("  for each queued block b, in the reverse of the reverse post-order:", { step: "round {round}: {block}" }),
  union: line("    live = union of live_in[s] over the successors s of b", {
    kind: "liveness",
    step: { nothing: "nothing is live after {block}", some: "live after {block}: {regs:regs}" },
  }),
  phi: line("         + what the PHIs of s that are needed take from b", {
    kind: "liveness",
    step: "{phis:insts} follow {block}: what the needed ones take from it is live, too",
  }),
  walk: line("    for each instruction i of b, from the last to the first:", {
    step: "{count} {count:instruction|instructions} of {block}, backwards",
  }),
  effect: line("      i has an effect: needed; what it reads becomes live", {
    kind: "liveness",
    step: "'{inst}' has an effect: what it reads is needed",
  }),
  result: line("      a result of i is live: needed; the result leaves live unless i is guarded, what i reads becomes live", {
    kind: "liveness",
    step: "'{inst}' computes {regs}, which is live: what it reads is needed",
  }),
  dead: line("      else i is skipped: what it reads does not become live", {
    kind: "liveness",
    step: "'{inst}' computes {regs}, which nothing needs so far: skipped",
  }),
  test: line("    if live contains more than live_in[b]:", {
    step: { nothing: "nothing is live at the head of {block}", some: "live at the head of {block}: {regs:regs}" },
  }),
  grown: line("      live_in[b] = live; queue the predecessors of b", {
    kind: "liveness",
    step: {
      above: "{added:regs} became live: queue the predecessors of {block} ({preds:blocks})",
      entry: "{added:regs} became live; {block} has no predecessor",
    },
  }),
  same: line("    else nothing changes before b", { kind: "liveness", step: "nothing new is live at the head of {block}" }),
};

/** Registers that a list names; a list for each block of a large function would be too much otherwise. */
const LISTED = 256;

export function watchRounds(fn: Func, remark: Remarks): NeedObserver {
  const matrix = remark.shown.matrix<LiveInRow>("live-in", "Live at block heads");
  for (const id of fn.layout) matrix.set(`b${id}`, { block: getBlock(fn, id).label, round: 0, regs: [] });
  return {
    // A long trace was cut: the rest of the rounds is not watched.
    listens: () => remark.listening,
    round(round) {
      matrix.set("meta", { round, blocks: fn.layout.length });
      remark.step(ROUNDS.round, { round, node: matrix.node("meta") });
    },
    enter(block, round, liveBehind) {
      if (!remark.listening) return;
      const regs = liveBehind();
      const node = matrix.node(`b${block.id}`);
      remark.open(ROUNDS.visit, { round, block, node });
      const successors = block.succs.map((s) => getBlock(fn, s).label);
      remark.step(ROUNDS.union, regs.length === 0 ? "nothing" : "some", { block, regs: names(regs), also: { successors }, node });
      const phis = block.succs.flatMap((s) => phisOf(getBlock(fn, s)));
      if (phis.length > 0) remark.step(ROUNDS.phi, { block, phis, node });
      remark.step(ROUNDS.walk, { block, count: block.insts.length, node });
    },
    judge(block, inst, need) {
      if (!remark.listening) return;
      const about = { inst, regs: defsOf(inst), block };
      if (need === "effect") remark.step(ROUNDS.effect, about);
      else remark.step(need === "result" ? ROUNDS.result : ROUNDS.dead, about);
    },
    leave(block, round, added, liveAtHead) {
      if (remark.listening) {
        const regs = names(liveAtHead());
        const about = { block, node: matrix.node(`b${block.id}`) };
        remark.step(ROUNDS.test, regs.length === 0 ? "nothing" : "some", { ...about, regs, focus: { regs: added } });
        if (added.length > 0) {
          matrix.set(`b${block.id}`, { block: block.label, round, regs });
          if (block.preds.length === 0) remark.step(ROUNDS.grown, "entry", { ...about, added: names(added), regs: added });
          else remark.step(ROUNDS.grown, "above", { ...about, added: names(added), preds: block.preds, regs: added });
        } else remark.step(ROUNDS.same, about);
      }
      remark.close();
    },
  };
}

const names = (regs: readonly Reg[]): string[] =>
  regs.length <= LISTED ? regs.map(regName) : [...regs.slice(0, LISTED).map(regName), `and ${regs.length - LISTED} more`];
