/** Backward copy propagation as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "'{inst}' in {block} stays: {why}";

export const RULES = rules({
  phase82: line("phase 82, BackPropVReg (installed by a target option):", { kind: "note", step: "{blocks} {blocks:block|blocks} in RPO" }),
  records: line("  AnalyzeControlFlow, incremental (sub_781F80); again when a block is left with a stale record", BRIEF),
  count: line("  count the definitions and uses of every register", {
    kind: "note",
    step: "{count} {count:register is|registers are} read",
  }),
  walk: line("  for each block in RPO, for each instruction, last to first:", { step: "{block}, from its last instruction" }),
  copy: line("    I must be an unguarded copy MOV Rd, Rs of a whole register", { step: "'{inst}' is a copy of {source:reg}" }),
  definition: line("    D = the definition of Rs that reaches I: in the same block, unguarded", {
    stays: STAYS,
    missed: { definition: { say: "{source:reg} is not defined in the same block before it" } },
  }),
  guard1: line("    guard 1: this copy is the only use of Rs", {
    stays: STAYS,
    missed: {
      "other-uses": {
        code: "guard 1",
        say: "{source:reg} is read in {count} {count:place|places}",
        droppable: "the other readers of Rs find nothing there",
      },
    },
  }),
  guard2: line("    guard 2: D can write Rd instead: same class, a result of its own, neither is a parameter or a result of the function", {
    stays: STAYS,
    missed: {
      "fixed-register": {
        code: "guard 2",
        say: "{source:reg} is a parameter or a result of the function",
        droppable: "the function's caller reads Rs and finds nothing there",
      },
      guarded: {
        code: "guard 2",
        say: "'{def:inst}' has a guard and may leave the old value",
        droppable: "lanes whose guard is false keep an old value of Rd instead of one of Rs",
      },
      phi: { code: "guard 2", say: "'{def:inst}' is a PHI" },
      "fixed-results": { code: "guard 2", say: "'{def:inst}' has results that cannot be moved" },
      class: { code: "guard 2", say: "'{def:inst}' writes another kind of register than {dest:reg}" },
      vector: { code: "guard 2", say: "'{def:inst}' writes {source:reg} as part of a vector" },
      "second-result": { code: "guard 2", say: "'{def:inst}' has {dest:reg} as another result" },
      "reads-itself": { code: "guard 2", say: "'{def:inst}' reads {source:reg} itself" },
    },
  }),
  guard3: line("    guard 3: nothing between D and I writes Rd", {
    stays: STAYS,
    missed: {
      "written-between": {
        code: "guard 3",
        say: "'{writer:inst}' in between writes {dest:reg}",
        droppable: "Rd has what was written in between, not the value of Rs",
      },
    },
  }),
  reads: line("      nor reads it (not stated in the reference)", {
    stays: STAYS,
    missed: {
      "read-between": {
        code: "guard 3 (read)",
        say: "'{reader:inst}' in between reads {dest:reg}",
        droppable: "what reads Rd in between gets the new value",
      },
    },
  }),
  budget: line("    the budget (knob 808) has one left, or stop", {
    stays: STAYS,
    missed: { budget: { say: "the budget is spent" } },
  }),
  rename: line("    D writes Rd instead of Rs", {
    done: "'{def:inst}' writes {dest:reg} instead of {source:reg}, and '{copy:inst}' is removed",
    because: "{source} is computed only to be copied by '{copy}', so '{def}' can write {dest} itself",
  }),
  remove: line("    delete I"),
  phase83: line("phase 83, OriBackCopyPropagate:", { kind: "note", step: "backward copy propagation is over" }),
  counter: line("  the pipeline counter (+1552) becomes 9", { kind: "note", step: "the pipeline counter becomes {counter}" }),
  relax: line(
    "  with relaxed operands (bit 2 of +1398) and a counter above 9: operand encoding takes address registers and register 41 (P0) into patterns that exclude them before",
    {
      kind: "note",
      step: {
        later:
          "this target relaxes operands, but {counter} is not above {limit}: {count} {count:register|registers} in operands may use the mask {mask} only after phase 95, which makes the counter {after} ({regs})",
        strict: "this target relaxes no operand, and {counter} is not above {limit}",
      },
      source: "copy-propagation-and-cse: 'Downstream Effects: Pipeline Counter and Encoding Relaxation'",
    },
  ),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
