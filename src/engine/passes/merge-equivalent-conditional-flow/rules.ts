/** MergeEquivalentConditionalFlow as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "{block} and {other:block} stay two blocks: {why}";

export const RULES = rules({
  order: line("work list := reachable blocks in post-order, so that targets come before the blocks that lead to them", {
    kind: "note",
    step: "{count} {count:block|blocks} in post-order",
  }),
  table: line("table of seen blocks := empty", { kind: "note", step: "the table is empty" }),
  take: line("while the work list is not empty: take its first block B", { step: "next block of the work list: {block}" }),
  skip: line("  skip B when it is the entry, was removed, or cannot be reached", { step: "{block} is the entry" }),
  key: line("  key(B) = its instructions, their targets included, and the block it falls into", {
    kind: "hash",
    step: "the key of {block} has {length} {length:character|characters}",
  }),
  lookup: line("  look key(B) up in the table", { kind: "hash", step: "{other:block} has the same key as {block}" }),
  enter: line("  nothing there, or a block that changed since: enter B", {
    kind: "hash",
    step: "nothing like {block} was seen before: entered",
  }),
  found: line("  A is there, with the same instructions and the same targets:", {
    done: "{drop:block} does what {keep:block} does: its predecessors go to {keep:block}",
    because: "{drop} and {keep} contain the same instructions and have the same successors",
  }),
  noPhi: line("    neither begins with a PHI", { stays: STAYS, missed: { phi: { say: "they begin with a PHI" } } }),
  convergence: line("    no instruction may see which lanes are along", {
    stays: STAYS,
    missed: {
      "sees-lanes": {
        code: "convergence",
        say: "with '{shared:inst}', {effect}",
        droppable: "lanes of both blocks would now execute it together",
      },
      "ends-apart": {
        code: "convergence",
        say: "they end with a {end}, and {obstacle}",
        droppable: "lanes of both blocks diverge or reconverge there together",
      },
      "parts-in-one-block": {
        code: "convergence",
        say: "lanes diverge to the two from one block, and {obstacle}",
        droppable: "lanes that diverge in that block run everything up to where they reconverge together",
      },
    },
  }),
  phiValues: line("    each PHI of a target takes the same value from A and from B", {
    stays: STAYS,
    missed: {
      "phi-values": { say: "'{phi:inst}' takes different values from them", droppable: "the PHI takes the value of A on both edges" },
    },
  }),
  regionEnd: line("    no BSSY names B as its region's end", {
    stays: STAYS,
    missed: {
      "region-end": { say: "a BSSY names {block} as its region's end" },
      "table-entry": { say: "a table names {block} that no predecessor of it jumps through" },
    },
  }),
  redirect: line("    send every predecessor of B to A", {
    stays: STAYS,
    missed: {
      "fall-through": { say: "{stuck:block} falls into {block} after a guarded end, where a jump would need a block of its own" },
    },
  }),
  remove: line("    remove B"),
  again: line("    the predecessors have a new target: put them on the work list again", {
    kind: "note",
    step: "{blocks} {blocks:is|are} examined again",
  }),
  records: line("AnalyzeControlFlow, incremental (sub_781F80, force = 0), when the graph changed", BRIEF),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
