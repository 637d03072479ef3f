/** GvnCse as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";

export const RULES = rules({
  records: line("AnalyzeControlFlow, incremental (sub_781F80, force = 0)", BRIEF),
  mode: line(
    "mode = knob 402: 0 and above 6 do nothing; without the enhanced scope (bit 6) 3 to 6 become 2; a bit of the function (bit 0 of +1416) picks 3 for 5 and 6",
    {
      kind: "gate",
      step: {
        rule: "{rule}",
        stands: "the default rules apply: mode {mode}",
        seen: "ptxas 13.0.88 was seen to do the same: it is mode {mode}",
        low: "below level 2, ptxas 13.0.88 commons inside blocks only: it is mode 1",
        full: {
          kind: "note",
          say: "mode {mode}: without bit 1 and less 5 it is {extended} as an unsigned word, which is {than} 1, so {reach}",
        },
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
        shut: "no EBB pre-pass: version {version} is above {boundary}, and knob 210 is set or gvn-ebb-ready is clear",
      },
    },
  }),
  ebbPropagate: line("  mark candidates (+48), and round by round what defines an operand of a marked one, to a fixed point", {
    kind: "note",
    step: {
      candidates: "{count} {count:instruction is a candidate and|instructions are candidates and} marked",
      round: "round {round}: {count} more {count:instruction defines|instructions define} an operand of a marked one",
      fixed: "round {round}: nothing more is marked, {count} {count:instruction is|instructions are} in all",
    },
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
  instruction: line("  for each instruction, while knob 257 lets it:", {
    step: {
      all: "examine the instructions of {block}",
      leaders: "{block} needs no scope, because its values are all new",
    },
  }),
  eligible: line("    ELIGIBLE(I)? a row of the table decides", {
    step: "'{inst}' is eligible: {why}",
    missed: {
      "not-eligible": { code: "eligible", counts: false, say: "'{inst}' is not eligible: {why}" },
      subtype: { why: "its subtype is none of the table's", say: "'{inst}' is not eligible: {why}" },
    },
  }),
  sorted: line(
    "    up to version 28671: the backend sorts exchangeable operands by number, and marks them (slot 79; 0x60000000 and 0x40000000)",
    {
      kind: "value-number",
      step: {
        kept: "the operands of '{inst}' are in the order of their numbers: {operands}",
        exchanged: "the operands of '{inst}' are sorted by number for its key: {operands}",
      },
    },
  ),
  barrier: line("    a barrier that is not safe ends the scope of the block", {
    missed: {
      "unsafe-barrier": {
        code: "barrier",
        say: "'{inst}' is not safe to cross in this mode: the scope of {block} ends",
        fixed:
          "A register keeps its value across a barrier, and loads are numbered by the state of memory, so sharing would change no result. The reference's modes 1 and 2 end the scope.",
      },
    },
  }),
  lookup: line("    look number(I) up in the value table: FNV-1a over its four bytes, bucket, chain"),
  leader: line("    a miss: I becomes the leader (T1, mode 2: the block has no dominator; T2: no dominator has the number)", {
    stays: STAYS,
    missed: {
      "first-of-its-value": { code: "leader", counts: false, say: "it is the first with value number {key}, so it becomes the leader" },
      "no-dominator": { code: "T1", counts: false, say: "no block dominates this one, so with value number {key} it becomes the leader" },
      "empty-slot": { code: "T2", counts: false, say: "no dominator has value number {key}, so it becomes the leader" },
      "leads-unpushed": { code: "leader", counts: false, say: "nothing above has value number {key}, so it becomes the leader" },
    },
  }),
  scope: line("    mode 5: is the leader in the same extended basic block?", {
    stays: STAYS,
    missed: {
      "outside-extended-block": {
        code: "scope",
        say: "{home:block}, where the leader is, belongs to another extended basic block, and this mode's values do not leave theirs",
      },
    },
  }),
  t3: line("    with the cross-block flag, which the pre-pass sets, the dominator must be marked (T3, mark 1)", {
    stays: STAYS,
    missed: {
      "dominator-marked": { code: "T3", say: "its dominator {above:block} is marked 1, so no candidate below it has a leader above" },
    },
  }),
  chain: line("    mode 2: up the immediate dominators, to the leader's block", {
    step: {
      walked: "up from {below:block}: {walked:blocks}",
      long: "up from {below:block} there are more than 256 dominators: their numbers are asked instead",
    },
  }),
  t4: line(
    "    the leader's block must dominate this one, which a one-entry cache remembers; if not, I leads (T4: the source is I's own head)",
    {
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
          droppable: "on a path that bypasses the leader its register may differ",
        },
      },
    },
  ),
  t5: line("    mode 2 across blocks: no MOV of its result follows the leader already (T5)", {
    stays: STAYS,
    missed: { "followed-by-a-move": { code: "T5", say: "a MOV of {leader:reg} follows its leader already, so no second one is made" } },
  }),
  holds: line("    does the leader's register still hold its value, may it be copied from, and is I no copy itself?", {
    stays: STAYS,
    missed: {
      "value-overwritten": {
        code: "overwritten",
        say: "{leader:reg} no longer contains the leader's value",
        droppable: "the MOV copies what was written since",
      },
      "register-class": {
        say: "{leader:reg} cannot be copied into the uniform {dest:reg}",
        fixed: "There is no such instruction: only uniform instructions write a uniform register.",
      },
      "already-a-move": { code: "copy", say: "it is a MOV already" },
    },
  }),
  deferred: line("    modes 3 to 6: put the MOV on the deferred list", { kind: "note", step: "'{inst}' waits on the deferred list" }),
  t6: line("    replace I by a MOV from the leader's head (T6)", {
    found: {
      removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, into the same register",
      copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}",
    },
    done: {
      removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and is removed",
      copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and becomes a MOV",
    },
    because: "{leader} contains the value of the same expression since {where}",
  }),
  walk: line("modes 3 to 6: for each block in RPO, once (visited byte):", {
    step: {
      begin: { kind: "span", say: "walk {blocks} {blocks:block|blocks} in RPO" },
      none: "{block} has no eligible instruction",
    },
  }),
  visited: line("  for each eligible instruction: visited[block] = 1", {
    kind: "flag-set",
    step: "{block} has {eligible} eligible {eligible:instruction|instructions}: visited[{index}] = 1",
  }),
  passedOn: line("  a guarded branch or EXIT (32, 159): visited[block] |= visited[where its predicate is computed]", {
    kind: "flag-set",
    step: "'{inst}' reads {p:reg} of {from:block}, which is visited: visited[{index}] = 1",
  }),
  push: line(
    "  its value was computed in a block that the walk has processed, or before it in this one: push the block's index into the scope tree",
    {
      step: {
        seen: "{first:block} has computed the value number {key} of '{inst}', so {index} is pushed",
        any: "policy 'measured' looks at each block with an eligible instruction: push {index}, {block}",
        fresh: "nothing in {block} repeats an earlier value, so no scope is opened",
      },
    },
  ),
  drain: line("drain the scope tree, lowest set bit first: for each block, commutative operands sorted, CSE as above", {
    step: {
      begin: { kind: "span", say: "drain the scope tree" },
      out: { kind: "tree", say: "index {index} comes out of the tree: {block}" },
    },
  }),
  pop: line("pop the scope tree node by node, onto the free list"),
  flush: line("flush the deferred list: write its MOVs into their blocks", {
    kind: "span",
    step: "flush {count} deferred {count:MOV|MOVs}",
  }),
  join: line("policy 'measured': all predecessors of a join hold the value: copy it into one register at their ends", {
    policy: "measured",
    found: "every predecessor path of {block} computes '{inst}'",
    done: "every predecessor path of {block} computes '{inst}', so the results are copied together",
    because: "every predecessor of {block} has computed '{inst}' already",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
