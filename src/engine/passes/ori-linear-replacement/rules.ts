/** OriLinearReplacement as a table: its pseudocode, and what is told and decided at each line. */

import { NO_ARM, NO_SHAPE } from "../../analysis/arms.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

const STAYS = "{block} stays a branch: {why}";

export const RULES = rules({
  prepare: line("liveness, and which branches may differ within a warp", {
    kind: "liveness",
    step: "liveness and uniformity of {blocks} {blocks:block|blocks}",
  }),
  block: line("for each block A in post-order that ends with a condition P:", { step: "{block} ends with a condition" }),
  shape: line("  A must head a triangle or a diamond: both successors join in J after at most one block each", {
    stays: STAYS,
    missed: NO_SHAPE,
  }),
  armShape: line("  no other edge enters an arm; it has no PHI; no BSSY refers to it", { stays: STAYS, missed: NO_ARM }),
  arm: line("  for each arm:", { step: "{arm:block} contains copies only" }),
  onlyCopies: line("    it contains unguarded MOV and PMOV only, so it only chooses between values that are ready", {
    stays: STAYS,
    missed: {
      guarded: {
        say: "'{copy:inst}' in {arm:block} is guarded already",
        droppable: "lanes whose guard is false take the copied value, too",
      },
      "not-a-copy": { say: "'{copy:inst}' in {arm:block} does more than choose a ready value" },
    },
  }),
  values: line("    value(way, r) = what r holds at its end, followed backwards through the arm's copies", {
    kind: "note",
    step: "copies followed backwards, {count} {count:value differs|values differ}",
  }),
  registers: line("  for each register r that an arm writes and that is live in J:", {
    step: "{count} {count:register is|registers are} written by an arm and live in the join",
  }),
  choose: line("    choose value(taken, r) or value(else, r)", { kind: "note", step: "{reg} is chosen from {taken} and {otherwise}" }),
  phis: line("  for each PHI of J with two different values:", {
    step: "{count} PHIs of the join take two values",
    stays: STAYS,
    missed: { phi: { say: "a PHI of the join has no input for one of the edges" } },
  }),
  choosePhi: line("    choose between them, into a fresh register", {
    kind: "note",
    step: "a PHI of the join chooses {reg} from {taken} and {otherwise}",
  }),
  fit: line(
    "  both values of a choice must fit one SEL or MOV: same width, no uniform result under a condition that may differ within a warp",
    {
      stays: STAYS,
      missed: {
        uniform: {
          code: "operands",
          say: "{dest:reg} is uniform, but the condition may differ within a warp",
          fixed: "There is no such instruction: one that writes a uniform register cannot have a condition that differs between lanes.",
        },
        number: { code: "operands", say: "{dest:reg} would take a number" },
        "no-register": {
          code: "operands",
          say: "a value of {dest:reg} has no place in a SEL, and a uniform register takes no guarded MOV",
        },
        kinds: { code: "operands", say: "{value:reg} and {dest:reg} are of different kinds" },
        widths: { code: "operands", say: "{value:reg} and {dest:reg} are not equally wide" },
      },
    },
  ),
  order: line("  order the choices so that none reads a register that an earlier one has written, P included; a cycle refuses", {
    stays: STAYS,
    missed: { cycle: { say: "{waiting} are chosen from one another's old values" } },
  }),
  choice: line("  for each choice in this order:", {
    done: "the {shape} at {block} only chooses {count} {count:value|values}: straight-line code instead of a branch",
    because: "the arms of the {shape} at {block} only copy values that exist before the branch",
  }),
  plop3: line("    a predicate: r = PLOP3(P, value(taken, r), value(else, r)) with table 0xCA"),
  move: line(
    "    a float or constant-bank value, or two uniform ones, which SEL does not take: r = MOV value(else, r); @P r = MOV value(taken, r)",
    {
      source: "branch-and-switch: Interaction with OriLinearReplacement",
    },
  ),
  select: line("    else: r = SEL value(taken, r), value(else, r), P"),
  close: line("  A branches to J; PHI inputs follow, those with one value on both ways take it; the arms are removed", {
    stays: STAYS,
    missed: {
      convergence: {
        say: "lanes diverge here, and {obstacle}",
        droppable: "lanes that ran an instruction after the condition in two groups would now run it together",
      },
    },
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
