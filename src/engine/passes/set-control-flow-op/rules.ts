/** SetControlFlowOpLastInBB as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

export const RULES = rules({
  start: line("branches = 0, splits = 0", { step: "{func}: {blocks} {blocks:block|blocks} to check" }),
  block: line("for each block b in layout order:", { step: "next block in layout order: {block}" }),
  tail: line("  tail = the instructions at the end of b that redirect or end control", {
    step: "{block} has {tail} {tail:instruction|instructions} of control at its end",
  }),
  scan: line("  for each instruction of b before the tail:", {
    step: "{before} {before:instruction stands|instructions stand} before {tail:it|them}",
  }),
  inside: line("    it must not redirect control: report it if it does", {
    found: "none of them redirects control",
    missed: { "branch-inside": { say: "{op} stands inside {block}: it must end a block", counts: false } },
  }),
  empty: line("  if the tail is empty:", { step: "the tail of {block} is empty" }),
  falls: line("    b runs on into the next block: nothing to check", {
    found: "{block} runs on into the next block: nothing to check",
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
      "own-label": { say: "{block} was not split off: its label is no continuation of the block before it", counts: false },
    },
  }),
  split: line("    b was split off after that block's branch: splits += 1", {
    found: "{block:block} was split off {from:block}: one label held both, and {ops} had to end its block",
  }),
  report: line("nothing is rewritten; report branches and splits", {
    kind: "note",
    step: "{branches} {branches:branch|branches} in {blocks} {blocks:block|blocks}, {splits} {splits:block|blocks} split off",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
