/** OptimizeNestedCondBranches as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "{outer:block} and {inner:block} stay two conditions: {why}";

export const RULES = rules({
  round: line("repeat, while stage 3 makes progress and more than one block is left:", {
    kind: "round",
    step: {
      round: "round {round}",
      limit: { kind: "budget", say: "{rounds} {rounds:round is|rounds are} the limit: what is left stays nested" },
    },
  }),
  liveness: line("  liveness of all registers, to a fixed point", {
    kind: "liveness",
    step: "liveness of {blocks} {blocks:block|blocks}",
  }),
  tombstone: line("  stage 1, blocks in reverse RPO: replace results that are dead right away by a tombstone (0xF0000000)", {
    step: {
      stage: { kind: "span", say: "stage 1: tombstones, over {blocks} {blocks:block|blocks} in reverse RPO" },
      mark: {
        kind: "operand-mark",
        say: "{results:regs} {results:is|are} unused, so '{inst}' in {block} is marked deleted",
      },
    },
  }),
  killSet: line(
    "  stage 2, blocks in reverse RPO that may be an inner block: kill set = registers but P0 to P3 read there and dead at its end",
    {
      kind: "liveness",
      step: "stage 2: {regs} {regs:dies|die} in {block}",
    },
  ),
  stage3: line("  stage 3, blocks A in RPO that end with a condition:", { kind: "span", step: "stage 3: combine nested branches" }),
  inner: line("    for each successor B of A that ends with a condition:", {
    step: "{outer:block} leaves to {common:block} on {outerExit}, and {inner:block} below it on {innerExit}",
  }),
  onlyPred: line("      B has A as its only predecessor and holds no PHI", {
    missed: {
      "only-predecessor": { say: "{inner:block} can be entered from elsewhere than {outer:block}, or begins with a PHI" },
      "region-end": { say: "{outer:block} and {inner:block} stay two conditions: a BSSY names {inner:block} as its region's end" },
      "table-entry": {
        say: "{outer:block} and {inner:block} stay two conditions: a table names {inner:block} that no predecessor of it jumps through",
      },
    },
  }),
  commonTarget: line("      X = the block that A goes to when it does not go to B; condition 3: one of B's successors is X too", {
    missed: {
      "merge-point": {
        why: "3 common target",
        say: "no edge of {inner:block} leads to the other successor of {outer:block}",
      },
      convergence: {
        say: "{outer:block} and {inner:block} stay two conditions: {obstacle}",
        droppable: "lanes that left for X from A and from B reach it in one group",
      },
    },
  }),
  regions: line("      B opens a region of its own: A opens one around it, and nothing stands between the ends of the two", {
    stays: STAYS,
    step: "{inner:block} opens the region of {own:reg} inside that of {around:reg}, and both end at one place: one region is enough",
    missed: {
      "no-outer-region": { say: "{inner:block} opens a region, and {outer:block} opens none around it right before" },
      "guarded-region": { say: "BSSY or BSYNC of one of the two regions is guarded" },
      "barrier-elsewhere": { say: "{barrier:reg} is named by other instructions than one BSSY and one BSYNC" },
      "ends-apart": { say: "there is something between the ends of the two regions" },
      "region-loop": { say: "a path returns to them before both regions end" },
      measured: { say: "ptxas was not seen to make one region of two" },
    },
    policy: "notes",
    source: "branch-and-switch: SIMT Divergence and Reconvergence",
  }),
  walk: line("      walk B's instructions backwards from its branch:", {
    step: "walk {inner:block} backwards from its branch: {count} {count:instruction|instructions}",
  }),
  condition1: line("        condition 1: no side effects: pure, never traps, no excluded opcode", {
    stays: STAYS,
    missed: {
      "side-effects": {
        code: "1 side effects",
        say: "'{inst}' is not pure, and would run on the other path too",
        droppable: "it happens on A's edge to X, too",
      },
      "excluded-opcode": { code: "1 excluded opcode", say: "'{inst}' is one of the excluded opcodes" },
    },
  }),
  condition2: line("        condition 2: what it writes is in B's kill set, or not live into X (a tombstone is dead everywhere)", {
    stays: STAYS,
    step: {
      killed: { kind: "liveness", say: "{result:reg} is in the kill set of {inner:block}: nothing after it reads it" },
      dead: { kind: "liveness", say: "{result:reg} is not in the kill set of {inner:block}, and not live into {common:block}" },
    },
    missed: {
      "live-out": {
        code: "2 live-out value",
        say: "'{inst}' writes {result:reg}, which is live in {common:block}",
        droppable: "on A's edge to X the register has what B computes",
      },
      "phi-input": {
        code: "2 PHI input",
        say: "'{inst}' takes different values on the two edges",
        droppable: "on B's edge to X the PHI takes A's value",
      },
    },
  }),
  condition4: line(
    "        condition 4: it does not write the predicate that A tests, and is not locked by a guard or a combined compare",
    {
      stays: STAYS,
      missed: {
        dependent: {
          code: "4 dependent predicates",
          say: "'{inst}' writes {result:reg}, which the outer branch tests",
          droppable: "the combination reads what B wrote there, not what A tested",
        },
        lock: { code: "4 predication lock", say: "'{inst}' has a guard" },
        "combined-compare": { code: "4 combined compare", say: "'{inst}' combines its result with a predicate already" },
      },
    },
  ),
  condition5: line("      condition 5: neither predicate comes from a PLOP3 that has three inputs already", {
    stays: STAYS,
    missed: {
      "three-inputs": { code: "5 three inputs", say: "{predicate:reg} comes from '{inst}', which has three inputs already" },
    },
  }),
  below: line(
    "      policy 'measured': B holds no value for a block below it, where values move down to the block above their readers first",
    {
      stays: STAYS,
      missed: {
        "read-below": { say: "{inner:block} computes {result:reg} for a block below it, by '{inst}'" },
        "moved-down": { say: "'{inst}' would move down into {inner:block} first, which then computes {result:reg} for a block below it" },
      },
      policy: "measured",
    },
  ),
  cost: line("      policy 'measured': group from the bottom; running the lower tests always may cost at most nested-cond-cost-limit", {
    kind: "cost",
    step: "{block} and the {count} {count:test|tests} below it form a group: running these always costs {cost}, the limit is {limit}",
    policy: "measured",
    missed: {
      cost: {
        say: "{outer:block} does not join the group below it: running {inner:block} always would make it cost {cost}, the limit is {limit}",
      },
    },
  }),
  removeRegion: line("      remove B's BSSY and its BSYNC: the two regions become one"),
  move: line("      move B's instructions into A, in front of its branch"),
  truthTable: line(
    "      truth table: TT = TT_outer | TT_inner of the edges to X; for two negated conditions TT_outer & TT_inner, negated",
    {
      kind: "note",
      step: "truth table of {outer} {form} {inner}: {outerTable} and {innerTable} give {combined}",
    },
  ),
  combine: line("      r = PLOP3(outer, inner, PT, TT); A goes to X on r, else to B's other target Y", {
    done: "{outer:block} and {inner:block} both leave to {common:block}: one condition instead of {outerExit} and {innerExit}",
    because: "{outer} and {inner} both branch to {common}, and what {inner} computes for its test may always run",
  }),
  measured: line(
    "      policy 'measured': r = the inner compare, combined with the outer predicate; finished predicates: a branch on two",
    {
      kind: "note",
      step: "the inner compare carries {carried}: '{compare:inst}' becomes '{made:inst}'",
      policy: "measured",
    },
  ),
  removeInner: line("      remove B; PHI inputs follow: X keeps A's, Y takes B's"),
  records: line("AnalyzeControlFlow, incremental (sub_781F80, force = 0), when the graph changed", BRIEF),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
