/** BranchFolding as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

/** A gate of tail merging. Their sentences are made in `merge-gates.ts`, since the observed structure shows them, too. */
const GATE = "{pair}: {sentence}";

export const RULES = rules({
  noPhis: line("if the function has a PHI: decline (the NoPHIs property is required)", {
    gates: {
      NoPHIs: {
        open: "the function has no PHI",
        shut: "declined: the NoPHIs property is required, and the function has {phis} {phis:PHI|PHIs}",
      },
    },
  }),
  round: line("repeat, until a round changes nothing:", {
    step: {
      round: { kind: "round", say: "round {round}" },
      graph: { kind: "note", say: "the graph was {before} before and is {after} now" },
    },
    gates: {
      // The option belongs to block placement, which comes first and is not modelled: it is shown with what it says, and changes nothing here.
      "branch-fold-placement": {
        open: "branch-fold-placement is on: block placement folds branches in a run of its own before this one; placement is not modelled, so the blocks are taken as they are",
        shut: "branch-fold-placement is off: block placement, which comes before, folds nothing; this run is the same",
      },
    },
  }),
  tailMerge: line("  TailMergeBlocks, unless switched off or prevented by the structured-CFG gate:", {
    kind: "span",
    step: "TailMergeBlocks: merge blocks that end alike",
    missed: {
      off: { kind: "gate", why: "enable-tail-merge is off", say: "no tail merging: enable-tail-merge is off" },
      "no-candidates": { kind: "gate", why: "tail-merge-threshold is 0", say: "no tail merging: tail-merge-threshold is 0" },
      "structured-cfg": { say: GATE },
    },
  }),
  phaseA: line("    phase A: candidates = blocks without successors, at most tail-merge-threshold of them", {
    kind: "span",
    step: "tail merging, phase A: blocks without successors",
  }),
  phaseB: line("    phase B: for each block S with two or more predecessors, in layout order:", {
    kind: "span",
    step: "tail merging, phase B: the {count} {count:predecessor|predecessors} of {block}",
  }),
  candidate: line("      for each predecessor P of S, at most tail-merge-threshold of them:", {
    missed: {
      "too-many-ends": {
        kind: "budget",
        code: "tail-merge-threshold",
        say: "tail-merge-threshold {threshold} is reached: the other blocks without successors wait for the next round",
      },
      "too-many-ways": {
        kind: "budget",
        code: "tail-merge-threshold",
        say: "tail-merge-threshold {threshold} is reached: the other predecessors of {succ:block} wait for the next round",
      },
    },
  }),
  skip: line("        skip P when it is S itself or its branch cannot be analysed", {
    stays: "{block} is no candidate among the predecessors of {succ:block}: {why}",
    missed: {
      "self-loop": { say: "it is a loop of one block" },
      "equal-targets": { say: "both its edges lead there" },
      irreversible: { code: "analyzable-branch", say: "its condition cannot be reversed" },
      ends: { code: "analyzable-branch", say: "neither of its edges can be followed" },
    },
  }),
  normalize: line("        normalize P: leave out the edge to S; a condition that led to S is reversed", {
    kind: "note",
    step: "{block} goes to {succ:block} on a condition: for the comparison its reverse, to {other:block}, is taken",
  }),
  hash: line(
    "    hash = opcode, then * 37 + operand count, * 37 + operand 0, * 37 + operand 1 of the last instruction that is no terminator",
    { kind: "hash", step: "{block}: {what} is {value}, the hash is now {hash}" },
  ),
  priority: line("    priority = 0 ends with a jump, 1 falls through, 2 and more ends with a condition", {
    step: "{block} is a candidate: hash {hash}, priority {priority}",
  }),
  sort: line("    sort the candidates by hash, then priority", { kind: "note", step: "sorted by hash, then priority: {order:blocks}" }),
  pair: line("    for each pair of the same hash:", {
    kind: "match",
    step: "{a:block} and {b:block} have the same hash: compare them from their ends",
  }),
  walk: line("      walk both blocks backwards while the instructions are identical and may be shared: L = common tail length", {
    step: {
      same: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} are identical",
      differ: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} end the common tail: they differ",
    },
    missed: {
      "tail-sees-lanes": {
        kind: "visit",
        code: "convergence",
        say: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} end the common tail: {effect}",
        droppable: "lanes of both blocks would now execute it together",
      },
    },
  }),
  gate1: line("      gate 1: L >= tail-merge-size", { found: GATE, missed: { "tail-length": { say: GATE } } }),
  gate2: line("      gate 2: the branches can be analysed", {
    found: GATE,
    missed: {
      "analyzable-branch": { say: GATE },
      // Not stated in the reference: a shared condition lets lanes of both blocks part together, and a shared BSYNC lets them go on together.
      "tail-parts": {
        code: "convergence",
        say: GATE,
        droppable: "lanes of both blocks diverge or reconverge at the end of the tail together",
      },
      // Not stated in the reference, which argue that it cannot happen: a tail shared with a block outside of a loop is a second way into the loop.
      "loop-entry": {
        say: GATE,
        fixed:
          "A second entry into a loop changes no result: the condition keeps the graph reducible, since later phases do less where it is not.",
      },
    },
  }),
  // In this IR a special register is read by an S2R that means the same in a shared tail, so the gate protects no meaning here.
  gate3: line("      gate 3: no reserved special register is live into the tail", {
    found: GATE,
    missed: { "reserved-register": { say: GATE } },
  }),
  gate4: line("      gate 4: L is more than the branches the merge adds", { found: GATE, missed: { profit: { say: GATE } } }),
  merge: line("      merge: split the common tail off the first block, send the second block there", {
    done: {
      whole:
        "{keep:block} as a whole is the common tail: {give:block} jumps there instead of its last {length} {length:instruction|instructions}",
      split:
        "the last {length} {length:instruction|instructions} of {keep:block} {length:becomes a block of its own|become a block of their own}, and {give:block} jumps there",
    },
    because:
      "{keep} and {give} end with the same {length} {length:instruction|instructions}, and sharing them saves more than the new branch costs",
  }),
  saved: line("      saved: the tail's instructions once, 8 to 16 bytes each; the jump to it takes 8 to 16", {
    kind: "cost",
    step: "{low} to {high} bytes of code are there once instead of twice; the jump takes 8 to 16",
  }),
  liveIns: line("      live-ins of the tail = its upward exposed registers, reserved ones left out", {
    kind: "liveness",
    step: {
      none: "no register is live into {tail:block}",
      upstream: "{tail:block} is entered with {regs} live; upstream LLVM has no second filter",
      all: "{tail:block} is entered with {regs} live; gate 3 has left the second filter no reserved register",
    },
  }),
  optimize: line("  OptimizeBranches: for each block B in layout order, again after each change:", {
    kind: "span",
    step: "OptimizeBranches: fold and retarget branches",
  }),
  unreachable: line("    B is unreachable: remove it", {
    done: "{block} has no predecessor left and is removed",
    missed: {
      "region-end": { say: "{block} is unreachable but stays: a BSSY names it as its region's end" },
      "table-entry": { say: "{block} is unreachable but stays: a table names it" },
    },
  }),
  empty: line("    1. B is empty: send its predecessors to the block it falls into, remove B", {
    done: "{block} is empty: its predecessors go to {next:block}",
    because: "{block} contains no instruction, and control leaves it for {next} only",
    missed: {
      "region-end": { say: "{block} is empty but stays: a BSSY names it as its region's end" },
      "table-entry": { say: "{block} is empty but stays: a table names it that no predecessor jumps through" },
      "after-table": {
        code: "convergence",
        say: "{block} is empty but stays: {prev:block} falls into it after a table that names it as well, and lanes that came by either edge stay together",
        droppable: "lanes of the table and lanes that fall through go on apart",
      },
      "ways-join": {
        code: "convergence",
        say: "{block} is empty but stays: lanes diverge to it and to {next:block} from one block, and {reason} (not stated in the reference)",
        droppable: "lanes that diverge in that block run everything up to where they reconverge together",
      },
    },
  }),
  sameTargets: line("    2. the previous block's two edges both go to one block: one jump, or none when that block is next", {
    done: "both edges of {block} go to {target:block}: its condition is removed",
    because: "{block} goes to {target} whatever its condition is",
  }),
  splice: line("    3. B's only predecessor is the previous block, which has no other way: splice B into it", {
    done: "{block} has {prev:block} as its only predecessor and is spliced into it",
    because: "{prev} is the only predecessor of {block}, and {block} the only successor of {prev}",
    missed: {
      "parts-inside": {
        code: "convergence",
        say: "{block} is not spliced into {prev:block}: lanes diverge at a guarded {op} there and reconverge at the head of {block} (not stated in the reference)",
        droppable: "the lanes that diverge there reconverge later than at the head of B",
      },
      "region-end": { say: "{block} is not spliced into {prev:block}: a BSSY names it as its region's end" },
      "table-entry": { say: "{block} is not spliced into {prev:block}: a table names it that {prev:block} does not jump through" },
    },
  }),
  redundant: line("    4. the previous block's only branch goes to B, which is next: remove the branch", {
    done: {
      jump: "{block} jumps to {target:block}, which is next, so the jump is removed",
      else: "the else edge of {block} jumps to {target:block}, which is next, so the jump is removed",
    },
    because: "{target} is the next block of the layout, so {block} falls through into it without a jump",
  }),
  reverse: line("    5. the previous block goes to B on a condition and elsewhere otherwise: reverse the condition, fall into B", {
    done: "{block} goes to {other:block} on the reversed condition and falls into {next:block}",
    because: "{next} is the next block of the layout, so with the reversed condition {block} falls through into it",
    missed: { "reversible-condition": { say: "{block} cannot fall into {next:block}: its condition has no reverse" } },
  }),
  relocate: line("    6. B has no successors and the previous block's condition skips it: move B to the end, reverse the condition", {
    done: "{block} ends the thread and moves to the end, so that {prev:block} falls into {next:block}",
    because: "{block} has no successor, so it can be anywhere in the layout, and {next} is what {prev} continues with",
    missed: {
      "reversible-condition": { say: "{block} stays: the condition of {prev:block} has no reverse" },
      "last-block": { say: "{block} stays: {next:block} ends the function and has no successors either" },
      "region-end": { say: "{block} stays: a BSSY names it as its region's end" },
    },
  }),
  hoist: line("  HoistCommonCode: for each block with two successors of which it is the only predecessor:", {
    kind: "span",
    step: "HoistCommonCode: move up what both successors begin with",
    stays: "{left:block} and {right:block} begin alike, but nothing moves into {block}: {why}",
    missed: {
      "analyzable-branch": { say: "its branch cannot be analysed" },
      "single-predecessor": {
        say: "{entered:block} can be entered from elsewhere too",
        droppable: "who comes from elsewhere misses the instructions",
      },
      "head-sees-lanes": {
        code: "convergence",
        say: "with '{head:inst}', {effect}",
        droppable: "it sees the lanes of both edges, which ran it apart",
      },
      "head-defines-condition": {
        code: "defines-condition",
        say: "'{head:inst}' writes {written:reg}, which the branch tests",
        droppable: "the branch tests the new value",
      },
      // The next round asks again for what follows, which is then the head.
      "next-sees-lanes": { code: "convergence", say: "the next pair stays, {effect}" },
      "next-defines-condition": { code: "defines-condition", say: "the next pair stays, it writes {written:reg}, which the branch tests" },
    },
  }),
  hoistOne: line(
    "    while both successors begin with identical instructions that may move: take one into the block, before its branch, drop the other",
    {
      done: "{left:block} and {right:block} begin with the same {length} {length:instruction: it moves|instructions: they move} into {block}, before its branch",
      because:
        "{left} and {right} are the successors of {block}, and either way the same {length} {length:instruction runs|instructions run} first",
    },
  ),
  tables: line("remove jump tables that nothing names any more", {
    kind: "note",
    step: "no instruction names the table {table} any more, so it is removed",
    done: { kind: "note", say: "no instruction names the table {table} any more, so it is removed" },
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
