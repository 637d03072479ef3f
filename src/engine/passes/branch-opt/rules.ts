/** OriBranchOpt as a table: its pseudocode, and what is told and decided at each line. */

import { type LineSpec, line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const NOT_KNOWN = "conditions are not known";
const NOT_EMPTY = "targets are not empty";
const NOT_NEXT = "jumps go farther than to the next block";
const ELSEWHERE = "lanes would reconverge elsewhere";

/** What a rebuild of the graph says, at the start and at the end. */
export const REBUILD = {
  found: { gone: "rebuild: {blocks} cannot be reached from the entry and {blocks:goes|go}" },
  done: { block: { kind: "untold", say: "{block} cannot be reached and is removed" } },
  missed: {
    reachable: { say: "rebuild: nothing goes, {kept} {kept:block is|blocks are} reached or named", counts: false },
  },
} as const satisfies LineSpec;

export const RULES = rules({
  rebuild: line("rebuild the CFG: delete every block that cannot be reached from the entry", REBUILD),
  keep: line("  but keep blocks that a BSSY or a jump table of a kept block names, and what they lead to", {
    missed: {
      "named-erased": {
        code: "named",
        why: "an instruction names the block",
        say: "{block} is not erased: an instruction in {by:block} names it",
      },
      named: {
        why: "an instruction names the block",
        say: "{block} cannot be reached, but an instruction in {by:block} names it: it stays",
      },
    },
  }),
  prepare: line("AnalyzeControlFlow, full rebuild; counter = number of blocks", BRIEF),
  tables: line("pred_count[b] = predecessors (and 1 for the entry); rpo_number, rpo_to_bix from the worklist", {
    step: "pred_count, rpo_number and rpo_to_bix are filled for {count} {count:block|blocks}",
  }),
  block: line("for rpo = 1 to count: A = rpo_to_bix of the worklist; skip A when pred_count[A] is 0", {
    step: "{block}, number {rpo}",
  }),
  again: line("  repeat:", {
    kind: "round",
    step: { first: "{block} is looked at", again: "{block} is looked at again" },
  }),
  constant: line("    constant condition: a guard or operand of A's branches is always true or always false", {
    found: {
      known: "the {what} of '{inst}' is always {value}: {why}, '{def:inst}'",
      register: "the {what} of '{inst}' is always {value}",
      index: "the index of '{inst}' is always {value}: it goes to {target:block}",
    },
    done: {
      falls: "the branches of {block} are never taken: it falls through",
      becomes: "the end of {block} becomes {after:insts}",
    },
    missed: {
      "not-constant": { why: NOT_KNOWN, say: "the {what} of '{inst}' is not known: {why}" },
      "index-not-constant": { code: "not-constant", why: NOT_KNOWN, say: "the index of '{inst}' is not known" },
      address: { say: "'{inst}' may jump by address: its register is not looked at" },
      "index-policy": {
        code: "policy",
        why: "a constant BRX is left to policy 'measured'",
        say: "the register of '{inst}' is the number of an entry, which only policy 'measured' looks at",
      },
      "no-default": { say: "the index of '{inst}' is beyond {table}, which has no default" },
    },
  }),
  regroup: line("      refused when lanes of a divergent branch would reconverge elsewhere and some instruction would notice", {
    missed: {
      "lanes-meet-elsewhere": {
        code: "lanes-regroup",
        why: ELSEWHERE,
        say: "the branch of {block} is decided, but {reason}, and this function has instructions that would notice (condition not stated in the reference)",
        droppable: "lanes that were apart meet earlier, and a vote or a shuffle sees more of them",
      },
    },
  }),
  equal: line("    equal targets: both edges of A, or all entries of its table, go to one block", {
    found: {
      blocks: "'{inst}' in {block} leads to {target:block} either way",
      exits: "after '{inst}' at the end of {block} the other lanes end in {target:block}, too",
    },
    done: {
      falls: "{block} falls through into {target:block}, without a branch",
      goes: "{block} goes to {target:block} without a condition",
    },
    missed: {
      "targets-differ": {
        why: "branches lead to different blocks",
        say: "'{inst}' in {block} leads to different blocks: {targets:blocks}",
      },
      "exit-policy": {
        code: "policy",
        why: "an EXIT before an EXIT is left to policy 'measured'",
        say: "after '{inst}' at the end of {block} the other lanes end in {target:block}, too: policy 'notes' has no rewrite for it",
      },
    },
  }),
  thread: line("    thread: an edge of A leads to an empty block: follow empty blocks to the end of the chain", {
    found: "the edge {block} to {target:block} leads through empty blocks ({passed:blocks}) to {end:block}",
    done: "the edge of {block} to {target:block} now goes to {end:block}",
  }),
  threadNo: line(
    "      refused for a cycle of empty blocks, a PHI that would need two values, the end of a BSSY region, lanes that diverge over the chain",
    {
      missed: {
        "no-else-jump": { say: "{block} falls into {target:block} after '{inst}': no jump can stand there" },
        phi: { say: "the edge {block} to {target:block} stays: {target:block} is not empty, it contains '{body:inst}'" },
        "not-empty": {
          why: NOT_EMPTY,
          say: "the edge {block} to {target:block} stays: {target:block} is not empty, it contains '{body:inst}'",
        },
        last: {
          code: "not-empty",
          why: NOT_EMPTY,
          say: "the edge {block} to {target:block} stays: {target:block} is not empty, nothing comes after it",
        },
        conditional: { say: "the edge {block} to {target:block} stays: {target:block} is not empty, it ends in a condition" },
        named: {
          why: "an instruction names the block",
          say: "the edge {block} to {target:block} stays: {target:block} is not empty, a BSSY or LEA names it",
        },
        "fall-through": {
          say: "{block} falls into the empty {target:block}, which others go to as well: falling through costs nothing",
        },
        cycle: {
          why: "empty blocks form a cycle",
          say: "the empty blocks {passed:blocks} after {block} form a cycle: an endless loop stays",
        },
        "phi-conflict": {
          why: "a PHI would need two values for one edge",
          say: "{from:block} reaches {end:block} directly and through {via:block} with different values for a PHI: the two edges cannot become one",
          droppable: "the PHI takes one of the two values for lanes of either way",
        },
        "lanes-stay-together": {
          code: "lanes-regroup",
          why: ELSEWHERE,
          say: "lanes leave {block} for {end:block} directly and through {target:block}, and diverge there: on one path {reason} (condition not stated in the reference)",
          droppable: "lanes that came to the end one group after the other reconverge, and a vote or a shuffle sees more of them",
        },
      },
    },
  ),
  fold: line("    fold: the last jump of A goes to the next block of the layout", {
    found: "'{inst}' goes to the block right after {block}",
    done: "{block} falls through into {target:block}",
    missed: {
      "last-block": { code: "not-next", why: NOT_NEXT, say: "'{inst}' stays: {block} is the last of the layout" },
      "not-next": { why: NOT_NEXT, say: "'{inst}' stays: after {block} comes {next:block}" },
    },
  }),
  invert: line("    jump over a jump (policy measured): invert the condition, fall through", {
    policy: "measured",
    found: "'{inst}' only jumps over '{jump:inst}'",
    done: "the end of {block} becomes '{after:inst}'",
    missed: {
      "jumps-farther": { code: "not-next", why: NOT_NEXT, say: "'{inst}' jumps farther than over '{jump:inst}'" },
      "two-conditions": { say: "'{inst}' has a guard and an operand: no single condition to invert" },
      policy: {
        why: "a jump over a jump is left to policy 'measured'",
        say: "'{inst}' only jumps over '{jump:inst}': policy 'notes' has no rewrite for it",
      },
    },
  }),
  next: line("    nothing matched: go to the next block", { step: "nothing more matches in {block}" }),
  budget: line("    knob 464 is spent: stop; else apply the rewrite and look at A again", {
    step: "knob 464: rewrite {spent}, {limit}",
    missed: { budget: { why: "knob 464 is spent", say: "{block} keeps what was found: knob 464 allows no more than {spent}" } },
  }),
  edge: line("    an edge to T went: pred_count[T] is 1: erase(T, counter), else count it down", {
    step: {
      last: "the edge {from:block} to {to:block} was the last one into {to:block}: it is erased",
      counted: "the edge {from:block} to {to:block} went: pred_count of {to:block} is {left} now",
    },
  }),
  erase: line("erase(B, counter): pred_count[B] = 0; each successor S with pred_count[S] = 1 is erased first", {
    step: "erase {block}: pred_count {preds} becomes 0",
    done: { kind: "untold", say: "{block} is erased: no edge leads to it" },
    missed: { "more-preds": { say: "{block} stays: pred_count is {count}, not 1", counts: false } },
    source: "branch-and-switch: erase_block",
  }),
  slot: line("  rpo_number[B] = counter; rpo_to_bix[counter] = B; counter -= 1", {
    step: "{block} takes slot {slot}: rpo_number and rpo_to_bix",
  }),
  finish: line("if anything changed: rebuild the CFG (lines 1 and 2), AnalyzeControlFlow incremental", {
    step: BRIEF.step,
    done: REBUILD.done,
    found: {
      ...REBUILD.found,
      again: { kind: "note", say: "walk {walks} changed something, so another one follows, until one changes nothing" },
    },
    missed: {
      ...BRIEF.missed,
      ...REBUILD.missed,
      "one-walk": { kind: "note", say: "the walk changed something, and it is the only one: the reference makes one", counts: false },
    },
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
