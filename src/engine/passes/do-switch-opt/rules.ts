/** DoSwitchOptSecond as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

/** A refused compare starts no chain, or ends the one before it. */
const STAYS = {
  head: "{why}: no chain starts there",
  alone: "{why}: the compare of {head:block} stays alone",
  ends: "{why}: the chain of {head:block} ends with {length} {length:case|cases}",
} as const;

export const RULES = rules({
  start: line("DoSwitchOptSecond(function):", { kind: "note", step: "it decides {rules}" }),
  profile: line(
    "  a profile is attached (+1404), no instrumentation runs are left (+1400 = 0), profile scheduling is off (+1377 bit 3 clear): leave every switch as it is",
    {
      kind: "note",
      step: {
        instrumented:
          "a profile is attached ({block} has a weight), but {left} instrumentation {left:run is|runs are} left, so switches are examined",
        scheduling: "a profile is attached ({block} has a weight), but profile-scheduling-mode is set, so switches are examined",
      },
      missed: { profile: { say: "a profile is attached ({block} has a weight): its layout is kept" } },
      source: "branch-and-switch: PGO Early-Exit Guard",
    },
  ),
  setup: line(
    "  make the context of the switches (SwitchOptContext at +1288) if there is none, room for blocks + 2; number the blocks in reverse post-order",
    {
      kind: "note",
      step: "second pass (argument {second}): the context of {name} is made, room for {room} {room:case|cases}, two more than blocks",
      source: "branch-and-switch: phase 30, sub_791F00(ctx, 1)",
    },
  ),
  scan: line("  for each block in that order, unless a chain has taken it:", {
    kind: "span",
    step: "scan {count} {count:block|blocks} for chains of compares",
  }),
  secondLook: line("  measured: look once more at what stays; there a case goes on with a chain only as ISETP.NE with @!P", {
    kind: "note",
    policy: "measured",
    step: "what stays is examined once more: ptxas makes one more table of a run, where all but its first case are ISETP.NE with @!P",
  }),
  stage1: line("    stage 1: step over the control-flow instructions at its end; the branch must be conditional", {
    stays: STAYS,
    missed: {
      "no-condition": { say: "{block} does not end in a conditional branch" },
      "two-predicates": { say: "the branch of {block} asks for two predicates at once" },
      "constant-guard": { say: "the branch of {block} has a constant guard" },
      "other-exit": { say: "after its conditional branch {block} ends in {op}, not in a jump" },
      "no-target": { say: "a branch of {block} has no target" },
      "equal-targets": { say: "both edges of {block} lead to the same block" },
    },
    source: "branch-and-switch: Scanner Tolerance",
  }),
  stage3: line("    stage 3: the branch's predicate must come from ISETP.EQ or .NE of a register and a constant", {
    stays: STAYS,
    missed: {
      "predicate-from-elsewhere": { say: "{block} does not compute the predicate that it branches on" },
      "not-a-compare": { say: "the predicate of {block} comes from {op}, not from ISETP" },
      "guarded-compare": {
        say: "the compare of {block} is guarded",
        droppable: "lanes whose guard is false branch on an old predicate, which the dispatch does not read",
      },
      "wide-selector": { say: "the compare of {block} is 64 bits wide" },
      "ordered-compare": { say: "the compare of {block} is .{cmp}, not an equality" },
      "combined-compare": {
        say: "the compare of {block} is combined with another predicate",
        droppable: "lanes with the case's value go to the case although the other predicate forbids it",
      },
      "two-constants": { code: "no-selector", say: "the compare of {block} has two constants" },
      "modified-selector": {
        say: "the compare of {block} changes its operand with a modifier",
        droppable: "the dispatch takes the selector as it is, without the modifier",
      },
      "two-registers": { code: "no-constant", say: "the compare of {block} has no constant operand" },
      "other-operand": { code: "no-constant", say: "the compare of {block} has an operand that is neither a register nor a constant" },
      "no-selector": { say: "the compare of {block} has no 32-bit register operand" },
    },
    source: "branch-and-switch: Scanner Tolerance",
  }),
  operands: line("    its operands from the last to the first, with predicates (sub_7DEB50) and the constant-true one (sub_7DEAD0) known", {
    step: {
      true: "operand {place} of '{inst}' is {operand}: a predicate, the constant-true one",
      predicate: "operand {place} of '{inst}' is {operand}: a predicate, not the constant-true one",
      written: "operand {place} of '{inst}' is {operand}: a predicate, the one that the compare writes",
      constant: "operand {place} of '{inst}' is not a predicate but the constant {value}",
      known: "operand {place} of '{inst}' is not a predicate but {operand}, which is the constant {value} here",
      register: "operand {place} of '{inst}' is not a predicate but {operand}",
    },
    source: "branch-and-switch: Scanner Tolerance, operand backward scan",
  }),
  head: line("    its predicate has no other reader; the selector does not change after the compare", {
    stays: STAYS,
    missed: {
      "predicate-live-out": {
        say: "{predicate:reg} is live out of {block}",
        droppable: "the compare is deleted, and what reads its predicate later finds something else",
      },
      "predicate-used": {
        say: "another instruction of {block} reads {predicate:reg}",
        droppable: "the compare is deleted, and the other instruction finds no predicate",
      },
      "selector-changed": {
        say: "{block} changes {selector:reg} after the compare",
        droppable: "the dispatch looks at the new value instead of the one that was compared",
      },
      "moved-changes-selector": {
        code: "selector-changed",
        say: "{op} in {block} changes {selector:reg}",
        droppable: "the dispatch looks at the new value instead of the one that earlier compares saw",
      },
      "moved-touches-predicate": {
        code: "predicate-used",
        say: "{op} in {block} reads or writes {predicate:reg}, a predicate of the chain",
        droppable: "ahead of the dispatch the instruction finds no predicate, or spoils one",
      },
    },
  }),
  measuredHead: line("    measured: the case is on the taken edge, and the block defines nothing that others use", {
    stays: STAYS,
    policy: "measured",
    missed: {
      "case-not-taken": { say: "the case of {block} is not on the taken edge of a plain branch, as the code came in" },
      "not-negated": { say: "a second look goes on only with ISETP.NE and @!P, and {block} has another form" },
      "head-value-used": { say: "{block} defines {register:reg}, which other blocks use, so it is not a head and its compare stays" },
      "copied-in-source": {
        code: "head-value-used",
        say: "in the source {block} defines {register:reg}, the selector of its compare, so it is not a head",
      },
    },
  }),
  follow: line("    the block is the head of a chain; repeat on the block where the compare fails:", {
    found: { kind: "visit", say: "{block} compares {selector:reg} with {value} into {predicate:reg}: a chain may start there" },
  }),
  entries: line("      it has one predecessor, is not the entry, and does not close a loop", {
    stays: STAYS,
    missed: {
      loop: { say: "{block} starts over, or is the entry" },
      "second-entry": { say: "{block} has {preds} {preds:predecessor|predecessors}" },
      "sync-label": { say: "a BSSY names {block}" },
      "table-entry": { say: "a table names {block} that no predecessor of it jumps through" },
    },
  }),
  stage2: line("      stage 2: a barrier or convergence point at its head ends the chain", {
    stays: STAYS,
    missed: {
      "chain-stop": {
        say: "{block} begins with {op}, which ends every chain",
        droppable: "lanes that an earlier case takes away come to the barrier, too, or it is lost",
      },
    },
  }),
  link: line("      stages 1 and 3 hold, for the same selector", {
    stays: STAYS,
    found: { kind: "visit", say: "{block} goes on with {selector:reg} == {value}: case {number}, to {target:block}" },
    missed: {
      "other-selector": {
        say: "{block} compares {other:reg}, not {selector:reg}",
        droppable: "the dispatch looks for values of one register in another",
      },
    },
  }),
  interleaved: line("      what else it computes is dead, or (extended match) pure, movable and dead at the earlier cases", {
    stays: STAYS,
    missed: {
      interleaved: { say: "{block} contains {op} besides its compare and branch" },
      "interleaved-effect": {
        say: "{op} in {block} may not run ahead of the compares",
        droppable: "it runs for lanes, too, that an earlier case takes away",
      },
      "live-at-case": {
        say: "{op} in {block} writes {register:reg}, which an earlier case still reads",
        droppable: "an earlier case reads the new value",
      },
    },
  }),
  budget: line("      one more case from the budget, or the chain ends", {
    stays: STAYS,
    step: { kind: "budget", say: "SwitchOptBudget is spent: {spent} of {limit} {limit:case|cases}" },
    missed: { budget: { say: "the budget ends the chain before {block}" } },
  }),
  chain: line("  for each chain of two cases or more:", {
    kind: "span",
    step: "{head:block} starts a chain of {cases} {cases:case|cases} of {selector:reg}",
    done: { kind: "span", say: "lower the switch of {selector:reg} at {head:block}" },
    because: "{head} starts a chain of compares of {selector} with constants",
    missed: {
      "chain-too-long": { say: "{cases} {cases:case|cases} at {head:block} are more than {most}, which is as many as are lowered at once" },
    },
  }),
  values: line("    for each case: value - min into the tree of values; a value that is there keeps its first target", {
    missed: {
      "repeated-value": {
        say: "{value} was met before, so the compare of {block} never leads to {target:block}",
        counts: false,
      },
    },
  }),
  targets: line("    for each case: RPO number of its target into the tree of targets"),
  density: line("    range := max - min + 1, density := bits in the tree of values / range", {
    kind: "cost",
    step: "{cases} {cases:case|cases} from {min} to {max}: range {range}, {population} {population:bit|bits} set, density {density}",
  }),
  notes: line("    notes: few cases: cascade; range <= limit * cases: jump table; else search tree", {
    kind: "note",
    policy: "notes",
    step: "as documented: {strategy}, since {reason} (as measured on ptxas 13, {otherAnswer})",
    source: "branch-and-switch: Decision: Strategy Selection",
  }),
  measured: line("    measured: the first suffix with range <= limit * cases: jump table; else cascade", {
    kind: "note",
    policy: "measured",
    step: "as measured on ptxas 13: {strategy}, since {reason} (as documented, {otherAnswer})",
  }),
  costs: line("    show what each strategy costs, and what the other policy would do", {
    kind: "cost",
    step: "worst case of instructions, divergence points, sync entries, and bytes of the table: cascade {cascade}; jump table {table}; search tree {tree}",
  }),
  cascade: line("    cascade: the compares stay", {
    missed: { cascade: { say: "the compares of {head:block} stay: {reason}" } },
  }),
  phi: line("    a PHI that takes two values over what becomes one edge: the compares stay", {
    missed: {
      "phi-conflict": {
        say: "the PHI of {phi:reg} takes two values over what would be one edge, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of one case get the PHI's value for another",
      },
      "lost-definition": {
        say: "only a repeated value leads to {block:block} with a definition of {register:reg}, which is read there (not stated in the reference)",
        fixed:
          "No lane takes the edge of a repeated value, and if its definition was the only one, the register was already undefined on another path.",
      },
    },
  }),
  convergence: line("    lanes would reach code that depends on which lanes are together in other groups: the compares stay", {
    missed: {
      "too-large": { say: "the code after {head:block} is too large to prove that its lanes may be regrouped" },
      "depends-on-order": {
        code: "convergence",
        say: "{op} in {sees:block} depends on the order in which lanes arrive, so the compares of {head:block} stay (not stated in the reference)",
        fixed: "The order of the lanes is a race: where it matters, no result is the correct one.",
      },
      convergence: {
        say: "{op} in {sees:block} depends on which lanes arrive together, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of two cases come to it together that came one group after the other",
      },
      "dropped-target": {
        say: "only a repeated value leads to {target:block}; without it the lanes could reconverge earlier (not stated in the reference)",
        droppable: "lanes reconverge before code that depends on which lanes are together",
      },
    },
  }),
  drain: line("    drain the tree of targets from the highest number down: put each target's cases in their places", {
    step: "RPO {rpo} is {target:block}: put {values} in place",
    source: "branch-and-switch: Case Sort via BitsetRBTree",
  }),
  move: line("    move tolerated instructions ahead of the dispatch"),
  table: line("    jump table:", {
    found: {
      kind: "rewrite",
      say: "{head:block} now goes through {table}: {entries} {entries:entry|entries} for {cases} {cases:case|cases}, {toDefault} of them to the default",
    },
    missed: {
      "table-too-large": {
        say: "a table of {range} {range:entry|entries} would be larger than {most} (not stated in the reference)",
      },
    },
    source: "branch-and-switch: Jump Table Lowering",
  }),
  normalize: line("      t := selector - min"),
  bounds: line("      notes: p := t >= range, unsigned; if p go to the default", { policy: "notes" }),
  clamp: line("      measured: t := min(t, range), unsigned; the last entry is the default", { policy: "measured" }),
  jmx: line("      fill gaps with the default; JMX t, table"),
  tree: line("    search tree over the sorted cases lo to hi, mid between them:", {
    found: {
      kind: "rewrite",
      say: "{head:block} now starts a search tree over {cases} {cases:case|cases}: {made} {made:block|blocks} made, {removed} removed",
    },
    source: "branch-and-switch: BST Emission Algorithm",
  }),
  leaf: line("      empty: go to the default; one case: compare ==, go to it, else to the default"),
  less: line("      compare < mid: go to the left part"),
  equal: line("      compare == mid: go to its case; then the right part, then the left part"),
  remove: line("    delete the compare of the head and the other blocks of the chain"),
  records: line("AnalyzeControlFlow, incremental (sub_781F80, force = 0), when the graph changed", BRIEF),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
