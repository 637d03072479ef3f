/** GvnCse as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";

export const RULES = rules({
  mode: line(
    "mode = knob 402: 0 and above 6 do nothing; without the enhanced scope (bit 6) mode 4 becomes 2, 5 and 6 become 4; bit 0 of +1416 picks 3",
    {
      kind: "gate",
      step: {
        rule: "{rule}",
        stands: "the rules stand: it is mode {mode}",
        seen: "ptxas 13.0.88 was seen to do the same: it is mode {mode}",
        low: "below level 2, ptxas 13.0.88 commons inside blocks only: it is mode 1",
        everywhere: "ptxas 13.0.88 commons across blocks on every architecture: mode {ruled} becomes {mode}",
      },
    },
  ),
  defChains: line("build the def chains, along the dominator tree:", {
    step: {
      begin: { kind: "span", say: "build the def chains: {blocks} {blocks:block|blocks} in dominator order" },
      coarse: {
        kind: "budget",
        say: "too many values merge at joins to follow them one by one: every join makes all values new",
      },
    },
  }),
  number: line(
    "  number(I) = number over opcode, modifiers, operands' numbers (sorted where they commute), guard's number, memory version",
    {
      kind: "value-number",
      step: {
        value: "{reg:reg} gets the number {number}: '{inst}'",
        guarded: "{reg:reg} gets the number {number}, its expression {key}: '{inst}'",
      },
    },
  ),
  ebbClear: line("EBB pre-pass (mode 2, unless knob 210 or the version forbids it): clear the marks", {
    step: {
      begin: { kind: "span", say: "EBB pre-pass" },
      cleared: { kind: "note", say: "{blocks:the mark|the marks} of {blocks} {blocks:block is|blocks are} cleared" },
    },
    gates: {
      ebb: {
        open: "the EBB pre-pass runs: version {version}, boundary {boundary}",
        shut: "no EBB pre-pass: version {version} is above {boundary} and knob 210 is set",
      },
    },
  }),
  ebbPropagate: line("  mark candidates, and through their operands what defines them, to a fixed point", {
    kind: "note",
    step: "{count} {count:instruction is a candidate or defines|instructions are candidates or define} an operand of one",
  }),
  ebbMark: line("  mark each block's dominator 2 when a candidate of the block may find its leader above, else 1", {
    kind: "flag-set",
    step: {
      found: "{block} may find a leader above: {dominator:block} is marked {mark}",
      none: "{block} finds none above: {dominator:block} is marked {mark}",
    },
  }),
  blocks: line("modes 1 and 2, for each block in dominator order:", {
    kind: "span",
    step: { own: "mode 1: each block by itself", chain: "mode 2: along the dominator chain" },
  }),
  instruction: line("  for each instruction, while knob 257 lets it:", { step: "look at the instructions of {block}" }),
  eligible: line("    ELIGIBLE(I)? a row of the table decides", {
    step: "'{inst}' is eligible: {why}",
    missed: { "not-eligible": { code: "eligible", counts: false, say: "'{inst}' is not eligible: {why}" } },
  }),
  barrier: line("    a barrier that is not safe ends the scope of the block", {
    missed: {
      "unsafe-barrier": {
        code: "barrier",
        say: "'{inst}' is not safe to cross in this mode: the scope of {block} ends",
        droppable: "the reference's modes 1 and 2 do not share values across the barrier",
      },
    },
  }),
  lookup: line("    look number(I) up in the value table: FNV-1a over its four bytes, bucket, chain"),
  leader: line("    a miss, or mode 1 and another block: I becomes the leader (T1 no dominator, T2 nothing there)", {
    stays: STAYS,
    missed: { "first-of-its-value": { code: "leader", counts: false, say: "nothing has the number {key} yet: it becomes the leader" } },
  }),
  t3: line("    T3: the dominator is marked 1, or the value must not leave its block", {
    stays: STAYS,
    missed: {
      "dominator-marked": { code: "T3", say: "its dominator {above:block} is marked 1: no candidate below it has a leader above" },
    },
  }),
  t4: line("    T4: does the leader's block dominate this one? one-entry cache", {
    kind: "cache",
    step: {
      hit: "the cache knows: {above:block} {dominates} {below:block}",
      miss: "not in the cache: {above:block} {dominates} {below:block}",
    },
    stays: STAYS,
    missed: {
      "leader-dominates": {
        code: "T4",
        say: "{home:block}, where the leader is, does not dominate {block}",
        droppable: "on a way around the leader its register holds something else",
      },
    },
  }),
  holds: line("    does the leader's register still hold its value, and may it be copied from?", {
    stays: STAYS,
    missed: {
      "value-overwritten": {
        code: "overwritten",
        say: "{leader:reg} does not hold the leader's value any more",
        droppable: "the MOV copies what was written since",
      },
      "register-class": {
        say: "{leader:reg} cannot be copied into the uniform {dest:reg}",
        droppable: "a uniform register would take one lane's value for all",
      },
    },
  }),
  t5: line("    T5: I is a MOV already", { stays: STAYS, missed: { "already-a-move": { code: "T5", say: "it is a MOV already" } } }),
  t6: line("    T6: replace I by a MOV from the leader", {
    done: {
      removed: "'{inst}' computes again what {leader:reg} holds since {where:block}: removed",
      copied: "'{inst}' computes again what {leader:reg} holds since {where:block}: a MOV instead",
    },
  }),
  walk: line("modes 3 to 6: for each block in RPO, once (visited byte):", {
    step: {
      begin: { kind: "span", say: "walk {blocks} {blocks:block|blocks} in RPO" },
      some: "{block} has {eligible} eligible {eligible:instruction|instructions}; its index is {index}",
      none: "{block} has no eligible instruction",
    },
  }),
  push: line("  an eligible instruction in it: push the block's index into the scope tree"),
  drain: line("drain the scope tree, lowest set bit first: for each block, commutative operands sorted, CSE as above", {
    step: {
      begin: { kind: "span", say: "drain the scope tree" },
      out: { kind: "tree", say: "index {index} comes out of the tree: {block}" },
    },
  }),
  pop: line("pop the scope tree node by node, onto the free list"),
  join: line("policy 'measured': all predecessors of a join hold the value: copy it into one register at their ends", {
    policy: "measured",
    done: "every way into {block} has computed '{inst}': the results are copied together",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
