/** Shows the liveness rounds: the sets of all blocks as an observed matrix, and every judgement as a step. */

import type { Need, NeedObserver } from "../../analysis/needed.ts";
import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { defsOf, getBlock, phisOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** Registers that a list names; a list for each block of a large function would be too much otherwise. */
const LISTED = 256;

/** Structure `live-in`, a matrix: cell `b<id>` is `{block, round, regs}`, the registers live at the block's head; `meta` has the round. */
export function watchRounds(fn: Func, rec: Recorder): NeedObserver {
  const matrix = rec.structure("matrix", "live-in", "Live at block heads");
  const names = (regs: readonly Reg[]): string[] =>
    regs.length <= LISTED ? regs.map(regName) : [...regs.slice(0, LISTED).map(regName), `and ${regs.length - LISTED} more`];
  for (const id of fn.layout) rec.cell(matrix, `b${id}`, { block: getBlock(fn, id).label, round: 0, regs: [] });
  return {
    round(round) {
      rec.cell(matrix, "meta", { round, blocks: fn.layout.length });
      rec.event("round", LINE.round, "round {round}", { round }, { nodes: ["live-in/meta"] });
    },
    enter(block, round, liveBehind) {
      // A long trace was cut: the rest of the rounds goes unwatched.
      if (!rec.on) return;
      const liveOut = liveBehind();
      const focus = { blocks: [block.id], nodes: [`live-in/b${block.id}`] };
      rec.begin("visit", LINE.visit, "round {round}: {block}", { block: block.label, round }, focus);
      const facts = { block: block.label, regs: names(liveOut), successors: block.succs.map((s) => getBlock(fn, s).label) };
      rec.event(
        "liveness",
        LINE.union,
        liveOut.length === 0 ? "nothing is live behind {block}" : "live behind {block}: {regs}",
        facts,
        focus,
      );
      const phis = block.succs.flatMap((s) => phisOf(getBlock(fn, s)));
      if (phis.length > 0) {
        const text = phis.map((phi) => printInst(fn, phi));
        rec.event(
          "liveness",
          LINE.phi,
          "behind {block} stand {phis}: what those of them that are needed take from it is live, too",
          { block: block.label, phis: text },
          focus,
        );
      }
      rec.event(
        "visit",
        LINE.walk,
        "{count} {count:instruction|instructions} of {block}, backwards",
        { block: block.label, count: block.insts.length },
        focus,
      );
    },
    judge(block, inst, need) {
      if (rec.on) sayJudgement(fn, rec, block, inst, need);
    },
    leave(block, round, added, liveAtHead) {
      if (!rec.on) {
        rec.end();
        return;
      }
      const liveIn = liveAtHead();
      const focus = { blocks: [block.id], regs: added, nodes: [`live-in/b${block.id}`] };
      const facts = { block: block.label, added: names(added), regs: names(liveIn), preds: block.preds.map((p) => getBlock(fn, p).label) };
      rec.event(
        "visit",
        LINE.test,
        liveIn.length === 0 ? "nothing is live at the head of {block}" : "live at the head of {block}: {regs}",
        facts,
        focus,
      );
      if (added.length > 0) rec.cell(matrix, `b${block.id}`, { block: block.label, round, regs: names(liveIn) });
      const template =
        added.length > 0
          ? "{added} joined: the predecessors of {block} are to be visited ({preds})"
          : "nothing new is live at the head of {block}";
      rec.event("liveness", added.length > 0 ? LINE.grown : LINE.same, template, facts, focus);
      rec.end();
    },
  };
}

const JUDGED: Readonly<Record<Need, readonly [line: number, template: string]>> = {
  effect: [LINE.effect, "'{inst}' has an effect: what it reads is needed"],
  result: [LINE.result, "'{inst}' computes {regs}, which is live: what it reads is needed"],
  dead: [LINE.skip, "'{inst}' computes {regs}, which nothing needs so far: passed over"],
};

function sayJudgement(fn: Func, rec: Recorder, block: Block, inst: Inst, need: Need): void {
  const [line, template] = JUDGED[need];
  const facts = { need, inst: printInst(fn, inst), regs: defsOf(inst).map(regName) };
  rec.event("liveness", line, template, facts, { blocks: [block.id], insts: [inst.id], regs: defsOf(inst) });
}
