/** Phase 6, SetControlFlowOpLastInBB: checks that branches end their blocks, and reports the blocks that were split for it. */

import { plural } from "../../../base/plural.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { getBlock, isTerminator, terminatorsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";

const RULES = rules({
  start: line("branches = 0, splits = 0", { step: "{func}: {blocks} {blocks:block|blocks} to check" }),
  block: line("for each block b in layout order:", { step: "next block in layout order: {block}" }),
  tail: line("  tail = the instructions at the end of b that redirect or end control", {
    step: "{block} ends in {tail} control-flow {tail:instruction|instructions}, after {before} {before:other|others}",
  }),
  scan: line("  for each instruction of b before the tail:", {
    step: "check the {before} {before:instruction|instructions} before {tail:it|them}",
  }),
  inside: line("    it must not redirect control: report it if it does", {
    found: "none of them redirects control",
    missed: { "branch-inside": { say: "{op} is in the middle of {block}, but must end a block", counts: false } },
  }),
  empty: line("  if the tail is empty:", { step: "the tail of {block} is empty" }),
  falls: line("    b falls through into the next block: nothing to check", {
    found: "{block} falls through into the next block: nothing to check",
  }),
  one: line("  if the tail is one instruction:", { step: "the tail of {block} is {ops}" }),
  oneEnds: line("    it ends b", { found: "{ops} ends {block}" }),
  two: line("  if the tail is two:", { step: "the tail of {block} is {ops}" }),
  pair: line("    a conditional BRA and the BRA of its else edge close b together", {
    found: "{ops} close {block} together: the taken edge, then the else edge",
  }),
  count: line("  branches += length of the tail", { step: "{branches} {branches:branch|branches} so far" }),
  label: line("  if b is LABEL.n and the block right before it is LABEL or LABEL.(n-1):", {
    missed: {
      "own-label": { say: "{block} was not split off: its label does not continue that of the block before it", counts: false },
    },
  }),
  split: line("    b was split off after that block's branch: splits += 1", {
    found: "{block:block} was split off {from:block}: one label had both, and {ops} had to end its block",
  }),
  report: line("nothing is rewritten; report branches and splits", {
    kind: "note",
    step: "{branches} {branches:branch|branches} in {blocks} {blocks:block|blocks}, {splits} {splits:block|blocks} split off",
  }),
});

/** The reference gives the name and one line. Splitting is done where blocks are made: by the parser and the importers. */
export const setControlFlowOpLastInBb: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  run: ({ edit, remark }: PassContext): PassOutcome => {
    const fn = edit.func;
    const blocks = fn.layout.length;
    remark.step(RULES.start, { func: fn.name, blocks });
    let branches = 0;
    let splits = 0;
    let before: Block | null = null;
    for (const id of fn.layout) {
      const block = getBlock(fn, id);
      remark.open(RULES.block, { block });
      const tail = terminatorsOf(block);
      checkBody(block, tail.at, remark);
      branches += tail.insts.length;
      if (remark.listening) sayTail(block, tail.insts, branches, remark);
      if (isSplitOff(block, before, remark)) splits++;
      remark.close();
      before = block;
    }
    const misplaced = remark.times(RULES.inside, "branch-inside");
    remark.step(RULES.report, { branches, blocks, splits });
    const none =
      misplaced > 0
        ? plural(misplaced, "branch is inside its block", "branches are inside their blocks")
        : `every branch ends its block: ${splits === 0 ? "none had to be split" : `${splits} ${splits === 1 ? "was" : "were"} split when the text was read`}`;
    return remark.outcome({ matches: splits, none, figures: { blocks, branches, splits, misplaced } });
  },
};

function checkBody(block: Block, end: number, remark: Remarks): void {
  const tail = block.insts.length - end;
  remark.step(RULES.tail, { block, tail, before: end });
  remark.step(RULES.scan, { before: end, tail, block });
  let found = false;
  for (let i = 0; i < end; i++) {
    const inst = block.insts[i] as Inst;
    if (!isTerminator(inst)) continue;
    found = true;
    remark.missed(RULES.inside, "branch-inside", { op: inst.op, block, inst });
  }
  if (!found) remark.matched(RULES.inside, { block });
}

function sayTail(block: Block, insts: readonly Inst[], branches: number, remark: Remarks): void {
  const said = { block, insts, ops: insts.map((inst) => inst.op) };
  if (insts.length === 0) {
    remark.step(RULES.empty, said);
    remark.matched(RULES.falls, said);
  } else if (insts.length === 1) {
    remark.step(RULES.one, said);
    remark.matched(RULES.oneEnds, said);
  } else {
    remark.step(RULES.two, said);
    remark.matched(RULES.pair, said);
  }
  remark.step(RULES.count, { branches, block, insts });
}

function isSplitOff(block: Block, before: Block | null, remark: Remarks): boolean {
  if (before === null || !continues(block.label, before.label)) {
    remark.missed(RULES.label, "own-label", { block });
    return false;
  }
  remark.matched(RULES.split, {
    block,
    from: before,
    ops: () => terminatorsOf(before).insts.map((inst) => inst.op),
    blocks: [before, block],
  });
  return true;
}

/** `BB1.1` after `BB1`, `BB1.2` after `BB1.1`. */
function continues(label: string, before: string): boolean {
  const found = /^(.+)\.([1-9][0-9]*)$/.exec(label);
  if (found === null) return false;
  const n = Number(found[2]);
  return before === (n === 1 ? found[1] : `${found[1]}.${n - 1}`);
}
