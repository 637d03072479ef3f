/** GeneralOptimizeEarly as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules, sameLine, sameLineFixed } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import {
  ANCHOR,
  BLOCK,
  CHAIN,
  DEAD,
  FOLD,
  GUARD,
  KNOBS,
  LIVENESS,
  PHI,
  PREDICATED,
  SELECT,
  SETUP,
  SIMPLIFY,
  TWO_PASS,
  UNFIT,
  UNSEEN,
  USE,
} from "../shared/copies/rules.ts";

const SAME = "{second:block} tests what {first:block} has tested";
const STAYS = "{second:block} is not decided by {first:block}: {why}";
const NO_END = "from {block} by way of {to:block} no second branch is found: {why}";

export const RULES = rules({
  gates: line("gates: bit 2 of +1382, option 214, option 487, +1056 is null", {
    gates: {
      "+1382 bit 2": {
        open: "the optimization level is -O{from} or above",
        shut: "the optimization level is below -O{from}",
      },
      "+1056": {
        open: "the function was not processed before",
        shut: "the function was processed before",
      },
    },
  }),
  records: line(
    "AnalyzeControlFlow, full rebuild (sub_781F80, force = 1); again, without force, when a block is left with a stale record",
    BRIEF,
  ),
  setup: line("reset change tracking (sub_785E20); build use-def chains (sub_7E6090) and def-use links (sub_7E6AD0)", {
    kind: "note",
    step: {
      reset: "the marks of {blocks} {blocks:block|blocks} are reset: none has changed",
      chains: "{defs} {defs:definition is|definitions are} chained to {uses} {uses:use|uses}",
      links: "{uses} {uses:use is|uses are} linked back to the {defs:definition|definitions} that {uses:reaches it|reach them}",
    },
  }),
  blocks: line("for each block B in RPO, from index 1; all blocks again after a change:", {
    step: "next block in reverse post-order: {block}",
  }),
  again: line("  repeat:", { step: "{block} once more: it has changed" }),
  entry: line("    entry guard: B ends with a branch on one predicate p, and its two successors differ", {
    step: "{block} ends with '{inst}'",
  }),
  follow: line("    for each edge of B: follow blocks with one predecessor and one successor each (fields 16 and 17)", {
    stays: NO_END,
    missed: {
      "skip-point": { why: "knob 91 is set", say: "knob 91 makes every block a skip point" },
      "several-predecessors": { counts: false, say: "a block on the way has several predecessors" },
      "several-successors": { counts: false, say: "a block on the way ends with something else than a branch on one predicate" },
    },
  }),
  thread: line("      measured: it leads to a join X that does nothing but test what B has tested: lead on past X", {
    policy: "measured",
    done: "the {edge} edge of {first:block} no longer leads to {join:block}, which would test the same again, but to {target:block}",
    stays: STAYS,
    missed: {
      policy: { counts: false, say: "the way leads to a join, {join:block}, which only policy 'measured' passes by" },
      named: { say: "a BSSY or a table names {join:block}" },
      works: { say: "{join:block} does more than to test" },
      phi: { say: "{target:block} begins with PHIs" },
      lanes: { code: "convergence", say: "{reason} (condition not stated in the reference)" },
    },
  }),
  end: line("      the chain ends in X: one predecessor, ends with a branch on one predicate q", {
    step: "the {edge} edge of {first:block} leads to the branch of {second:block}",
    stays: NO_END,
    missed: {
      "no-branch": { counts: false, say: "the way ends" },
      cycle: { counts: false, say: "the way leads back" },
    },
  }),
  structure: line("      step 5: both branches are predicated alike; step 6: operands of one format", {
    stays: STAYS,
    missed: {
      "predicate-class": { code: "6 format", say: "{p:reg} and {q:reg} are of different classes" },
      guards: {
        code: "5 predication",
        say: "'{a:inst}' and '{b:inst}' do not run under one guard, or what it leaves as it was differs",
        droppable: "where a guard keeps a compare from running, its predicate holds an older answer",
      },
    },
  }),
  format: line("      step 6: the last operand's format, which is operand 5 without the guard's two (bit 12 of the opcode word)", {
    kind: "note",
    step: {
      alike: "{operands} operands, {effective} without a guard's; both of format {x}",
      mixed: "{operands} operands, {effective} without a guard's; formats {x} and {y}",
    },
  }),
  renamed: line(
    "      second matcher (sub_753E30): p and q lead through copies to one register with one value; slot 656 allows the rewrite",
    {
      found: `${SAME}, under another name: copies lead back to {source:reg}`,
    },
  ),
  sameRegister: line("      step 7: p and q are one register, not written on the way: equal", {
    found: `${SAME}: {p:reg} is not written between the two branches`,
  }),
  negation: line("      step 8: negation and absolute-value flags agree, here and at each operand", {
    stays: STAYS,
    missed: {
      "branch-negation": {
        code: "8 negation",
        say: "one branch is taken when its predicate holds, the other when it does not",
        droppable: "the second branch goes the way of the opposite answer",
      },
      modifiers: {
        code: "8 modifiers",
        say: "{x:reg} and {y:reg} carry different modifiers",
        droppable: "a value counts as equal to its negative",
      },
    },
  }),
  compare: line("      else the instructions that define p and q: same opcode and modifiers, no guard, operands of equal value", {
    found: `${SAME}: both predicates come from '{a:inst}'`,
    stays: STAYS,
    missed: {
      level: { say: "equal compares are looked for from level 2 on" },
      "sole-definition": { code: "4 single definition", say: "a predicate has several definitions" },
      computation: {
        code: "6 shape",
        say: "'{a:inst}' and '{b:inst}' compute different things",
        droppable: "the answer of another compare counts",
      },
      "operand-count": { code: "6 shape", say: "they have different operands" },
      operand: { code: "7 operand", say: "an operand differs", droppable: "a compare with another value counts as the same" },
      constants: {
        code: "7 operand",
        say: "{x:reg} is not {y:reg}",
        droppable: "a compare with another constant counts as the same",
      },
      "operand-changed": {
        code: "7 operand",
        say: "{x:reg} may have changed in between",
        droppable: "what was written in between counts as the value before",
      },
      "operand-differs": {
        code: "7 operand",
        say: "{x:reg} and {y:reg} differ",
        droppable: "a compare with another value counts as the same",
      },
    },
  }),
  deep: line("      step 9: operands that differ: their definitions are equal down to sub-DAG depth 2, without alias hazard", {
    found: `${SAME}: '{a:inst}' and '{b:inst}' compute the same`,
    stays: STAYS,
    missed: {
      "changed-too-deep": {
        code: "9 depth",
        say: "{x:reg} may have changed in between, and the comparison goes no deeper than {depth}",
      },
      "differs-too-deep": { code: "9 depth", say: "{x:reg} and {y:reg} differ, and the comparison goes no deeper than {depth}" },
      "alias-hazard": {
        code: "9 alias hazard",
        say: "'{def:inst}' may give another value each time",
        droppable: "what was stored between two loads counts as never stored",
      },
      "sub-dag-changed": {
        code: "9 sub-DAG",
        say: "{x:reg} may have changed in between",
        droppable: "what was written in between counts as the value before",
      },
      "sub-dag-differs": {
        code: "9 sub-DAG",
        say: "{x:reg} and {y:reg} differ",
        droppable: "the result of another computation counts as the same",
      },
    },
  }),
  convergence: line("      not stated in the reference: no lane may meet others elsewhere because of the edge that goes", {
    stays: STAYS,
    missed: {
      convergence: { say: "{reason}", droppable: "lanes reconverge elsewhere, and a vote or a shuffle on the path sees more of them" },
    },
  }),
  state: line(
    "    state[1..6] = the chain, one level further where it goes on; the second matcher's in state[7..9]; nothing found: next block",
    {
      kind: "note",
      step: {
        one: "state[1] to state[4] hold the chain {path:blocks}; it ends there",
        further: "state[1] to state[6] hold the chain {path:blocks}, which goes on to {third:block}",
        renamed: "state[7] to state[9] hold the registers' records of the second matcher",
      },
    },
  ),
  budget: line("    knob 464 is spent: stop"),
  apply: line("    apply (sub_753B50): X goes on the way that B's edge has decided; look at B again", {
    done: "{second:block} is reached on the {edge} edge of {first:block} only: it always goes to {target:block}",
  }),
  surgery: line(
    "      new instruction (sub_931920), +232 = its head, +264 = 0, link (sub_932E80), inherit bit 3 of +280, map registers, delete",
    {
      kind: "note",
      step: {
        created: "1: a new instruction takes the place of '{old:inst}': {made}",
        gone: "1: nothing takes the place of '{old:inst}': {block} falls through",
        head: "2: the head of {block} is now {made}",
        empty: "2: the head of {block} is empty",
        count: "3: the count of {block} is 0",
        linked: "4: it is linked into {block}, as its instruction {at}",
        inherited: "5: it inherits the bit for dependence on control flow, {bit}: {why}",
        mapped: "6: {p:reg} loses its reader '{old:inst}'; {left} {left:reader|readers} left",
        deleted: "7: '{old:inst}' is deleted and the range is spliced out",
      },
    },
  ),
  level2: line("level 2: follow values through copies and constant instructions, without writing them; knobs of copy propagation", {
    kind: "round",
    step: "level 2, round {round}: values followed through copies and constants",
  }),
  knobs: sameLine(KNOBS),
  values: sameLine(SETUP),
  block: sameLine(BLOCK),
  use: sameLine(USE),
  // Copies are followed in what is kept for the round, and none is refused aloud.
  unseen: sameLineFixed(UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: sameLine(ANCHOR),
  predicated: sameLine(PREDICATED),
  select: sameLine(SELECT),
  twoPass: sameLine(TWO_PASS),
  chain: sameLine(CHAIN),
  liveness: sameLine(LIVENESS),
  guard: sameLine(GUARD),
  phi: sameLine(PHI),
  fold: line("  an instruction whose predicate is known that way becomes PMOV; phase 15 relies on it", FOLD),
  simplify: sameLine(SIMPLIFY),
  dead: line("check_liveness on what lost a reader: remove what is dead", DEAD),
  finish: line("if anything changed: reset change tracking", {
    kind: "note",
    step: "{rewrites} {rewrites:rewrite|rewrites} in {blocks} {blocks:block|blocks}: their marks are reset",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
