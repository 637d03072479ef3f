/** GeneralOptimize and its later instances as a table: the pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules, sameLine } from "../../remark/rules.ts";
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

export const RULES = rules({
  gates: line("gates of the instance: option bytes, function, backend slot", {
    gates: {
      "config+33192": {
        open: "option 461 decides, and it lets the phase pass",
        shut: "the configuration does not let the phase pass",
      },
      level: {
        open: "the optimization level is {level}, above {least}",
        shut: "the optimization level is {level}, not above {least}",
      },
      function: { open: "{func} has instructions to examine", shut: "{func} has nothing but terminators" },
    },
    kind: "gate",
    step: {
      marking: "{backend} lets results be marked under a predicate",
      "no-marking": "{backend} lets nothing be marked under a predicate: copies under a guard stay",
    },
  }),
  records: line(
    "AnalyzeControlFlow, full rebuild (sub_781F80, force = 1); again, without force, when a block is left with a stale record",
    BRIEF,
  ),
  knobs: line("read the knobs of copy propagation; tier (+1379) = 1 under limit-fold-fp, else 0", {
    ...KNOBS,
    gates: {
      "no-phase": {
        open: "OriCopyProp is not switched off by --no-phase",
        shut: "--no-phase skips OriCopyProp: no copies are propagated",
      },
    },
  }),
  setup: line("set-up: definitions that reach each block; every block is to be looked at", SETUP),
  complementary: line("phase 65 with LateCopyPropComplPred: two copies of one source under complementary guards become one", {
    done: "'{inst}' and '{other:inst}' write the same under complementary guards: one copy without a guard",
    because: "exactly one of the two guards is true, so the copy is always made",
    stays: "'{inst}' and the copy under the complement stay two: {why}",
    missed: {
      "read-between": {
        say: "the register is read in between",
        droppable: "what reads the register in between finds the copy of lanes that have not made it",
      },
      "predicate-redefined": {
        say: "the predicate is written in between",
        droppable: "a lane may be under neither guard, and copies nevertheless",
      },
      "source-redefined": {
        say: "the source is written in between",
        droppable: "lanes of the second copy get what the source held before",
      },
      "destination-redefined": {
        say: "the destination is written in between",
        droppable: "what is written in between outlives the second copy",
      },
    },
  }),
  round: line("repeat until a round edits nothing; at most 64 times; knob 464 limits the folds (29, 46):", {
    step: {
      round: { kind: "round", say: "round {round}" },
      limit: { kind: "budget", say: "{rounds} {rounds:round is|rounds are} the limit" },
    },
  }),
  block: line("  for each block in RPO that is to be looked at: copy_seen = on, def_ctx = the block; for each instruction:", BLOCK),
  use: line("      for each register it reads: the copy that made the value, if its source still holds it here", USE),
  unseen: line("        keep the register if source or destination may be written between, or the operand cannot take the source", UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: line("      anchor (97), a copy without guard: def_ctx = it, copy_seen = on", ANCHOR),
  predicated: line("      predicated copy (18): eligible: copy_seen = off; mark 0x400 where the target can", PREDICATED),
  select: line("      conditional select (124): eligible, tier 0: mark 0x100", SELECT),
  twoPass: line(
    "        tier 1 to 7: forward pass, then backward pass for its predicate, with hit and partial; a float select: mark 0x201",
    TWO_PASS,
  ),
  chain: line("        copy seen and no predicate marking: follow the chain through the single predecessor to the next copy", CHAIN),
  liveness: line("      anything else, after a predicated copy: copy_seen = its status has live uses (0xC)", LIVENESS),
  fold: line("      level 2: all inputs constant: evaluate; compare of a value with itself: known", FOLD),
  simplify: line(
    "      level 2: a select marked 0x100 with known predicate or equal sources; predicates combined with constants",
    SIMPLIFY,
  ),
  guard: line("      a guard that is known: drop it, or the instruction; a branch: decide it", GUARD),
  phi: line("    a PHI with one value: deferred cleanup (0x200); it becomes a copy at the end of the round", PHI),
  dead: line("  check_liveness on what lost a reader: remove what is dead", DEAD),
  alone: line("OriCopyProp alone: one walk, nothing is folded or removed", { kind: "round", step: "OriCopyProp alone: one walk" }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
