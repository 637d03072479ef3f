/** Phase 6, SetControlFlowOpLastInBB: checks that branches end their blocks, and reports the blocks that were split for it. */

import type { Block, Func, Inst } from "../../ir/types.ts";
import { getBlock, isTerminator, terminatorsOf } from "../../ir/visit.ts";
import { plural } from "../../text/plural.ts";
import type { Recorder } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

/** The notes give the name and one line. Splitting is done where blocks are made: by the parser and the importers. */
export const setControlFlowOpLastInBb: Pass = {
  family: "set-control-flow-op",
  ids: ["set-control-flow-op-last-in-bb"],
  summary: "Checks that every branch ends its block and reports which blocks were split for it.",
  pseudocode: PSEUDOCODE,
  run: ({ edit, rec }: PassContext): PassOutcome => {
    const fn = edit.func;
    if (rec.on)
      rec.event("visit", LINE.start, "{func}: {blocks} {blocks:block|blocks} to check", { func: fn.name, blocks: fn.layout.length });
    let branches = 0;
    let splits = 0;
    let misplaced = 0;
    let before: Block | null = null;
    for (const id of fn.layout) {
      const block = getBlock(fn, id);
      if (rec.on) rec.begin("visit", LINE.block, "{block}", { block: block.label }, { blocks: [id] });
      const tail = terminatorsOf(block);
      misplaced += checkBody(block, tail.at, rec);
      branches += tail.insts.length;
      if (rec.on) sayTail(block, tail.insts, branches, rec);
      if (before !== null && wasSplitOff(block.label, before.label)) {
        splits++;
        if (rec.on) saySplit(block, before, rec);
      } else if (rec.on) {
        const facts = { verdict: "no", condition: "own-label", block: block.label };
        rec.event("match", LINE.label, "{block} was not split off: its label is no continuation of the block before it", facts, {
          blocks: [id],
        });
      }
      if (rec.on) rec.end();
      before = block;
    }
    return report(fn, branches, splits, misplaced, rec);
  },
};

/** Returns how many instructions before the tail redirect control. */
function checkBody(block: Block, end: number, rec: Recorder): number {
  let found = 0;
  if (rec.on) {
    const facts = { block: block.label, before: end, tail: block.insts.length - end };
    rec.event("visit", LINE.tail, "{block} has {tail} {tail:instruction|instructions} of control at its end", facts, {
      blocks: [block.id],
    });
    rec.event("visit", LINE.scan, "{before} {before:instruction stands|instructions stand} before {tail:it|them}", facts, {
      blocks: [block.id],
    });
  }
  for (let i = 0; i < end; i++) {
    const inst = block.insts[i] as Inst;
    if (!isTerminator(inst)) continue;
    found++;
    if (rec.on) {
      const facts = { verdict: "no", condition: "branch-inside", block: block.label, op: inst.op };
      rec.event("match", LINE.inside, "{op} stands inside {block}: it must end a block", facts, { blocks: [block.id], insts: [inst.id] });
    }
  }
  if (rec.on && found === 0) {
    rec.event(
      "match",
      LINE.inside,
      "none of them redirects control",
      { verdict: "yes", condition: null, block: block.label },
      { blocks: [block.id] },
    );
  }
  return found;
}

function sayTail(block: Block, tail: readonly Inst[], branches: number, rec: Recorder): void {
  const focus = { blocks: [block.id], insts: tail.map((inst) => inst.id) };
  const facts = { block: block.label, ops: tail.map((inst) => inst.op), branches };
  const [line, ends, template] =
    tail.length === 0
      ? [LINE.empty, LINE.falls, "{block} runs on into the next block: nothing to check"]
      : tail.length === 1
        ? [LINE.one, LINE.oneEnds, "{ops} ends {block}"]
        : [LINE.two, LINE.pair, "{ops} close {block} together: the taken edge, then the else edge"];
  rec.event("visit", line, tail.length === 0 ? "the tail of {block} is empty" : "the tail of {block} is {ops}", facts, focus);
  rec.event("match", ends, template, { verdict: "yes", condition: null, ...facts }, focus);
  rec.event("visit", LINE.count, "{branches} {branches:branch|branches} so far", facts, focus);
}

function saySplit(block: Block, before: Block, rec: Recorder): void {
  const ops = terminatorsOf(before).insts.map((inst) => inst.op);
  const facts = { verdict: "yes", condition: null, block: block.label, from: before.label, ops };
  const template = "{block} was split off {from}: one label held both, and {ops} had to end its block";
  rec.event("match", LINE.split, template, facts, { blocks: [before.id, block.id] });
}

/** `BB1.1` behind `BB1`, `BB1.2` behind `BB1.1`. */
function wasSplitOff(label: string, before: string): boolean {
  const found = /^(.+)\.([1-9][0-9]*)$/.exec(label);
  if (found === null) return false;
  const n = Number(found[2]);
  return before === (n === 1 ? found[1] : `${found[1]}.${n - 1}`);
}

function report(fn: Func, branches: number, splits: number, misplaced: number, rec: Recorder): PassOutcome {
  const facts = { blocks: fn.layout.length, branches, splits, misplaced };
  if (rec.on)
    rec.event(
      "note",
      LINE.report,
      "{branches} {branches:branch|branches} in {blocks} {blocks:block|blocks}, {splits} {splits:block|blocks} split off",
      facts,
    );
  const why =
    misplaced > 0
      ? plural(misplaced, "branch stands inside its block", "branches stand inside their blocks")
      : `every branch ends its block: ${splits === 0 ? "none had to be split" : `${splits} ${splits === 1 ? "was" : "were"} split when the text was read`}`;
  return { matches: splits, rewrites: 0, why, figures: facts };
}
