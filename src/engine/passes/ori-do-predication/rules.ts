/** OriDoPredication as a table: its pseudocode, and what is told and decided at each line. */

import { NO_ARM, NO_SHAPE } from "../../analysis/arms.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";

const STAYS = "{block} stays a branch: {why}";

export const RULES = rules({
  records: line("AnalyzeControlFlow, incremental (sub_781F80, force = 0); again after the walk, when the graph changed", BRIEF),
  uniformity: line("which branches may differ within a warp: uniformity analysis", {
    kind: "note",
    step: "{count} {count:branch|branches} may differ within a warp",
  }),
  block: line("for each block A in post-order that ends with a condition P:", { step: "{block} ends with a condition that {how}" }),
  exit: line("  if a successor of A only exits, A exits itself, guarded by P", {
    done: "{block} exits itself: a guarded {op} replaces the branch to {target:block}",
    because: "{target} only ends the thread, which a guarded {op} in {block} does without a branch",
    stays: STAYS,
    missed: { "fall-through": { say: "its other successor is not the fall-through, so the {op} of {target:block} stays a branch target" } },
  }),
  exitArm: line("  policy 'measured': the fall-through block exits and is short enough: merge it, with its EXIT, into A under !P", {
    policy: "measured",
    done: "{arm:block} is merged into {block} with a guarded {op}; {block} continues at {target:block}",
    because: "{arm} ends the thread and is short enough to run under the condition of {block}",
    stays: STAYS,
    missed: {
      policy: { counts: false, say: "{arm:block} ends the thread, and only policy 'measured' takes such a block in" },
      "exit-length": { say: "{arm:block}, which ends the thread, has {length} {length:instruction|instructions}, the limit is {limit}" },
      "exit-loop": { say: "{arm:block} leaves a loop, which keeps its branch" },
    },
  }),
  shape: line("  A must head a triangle or a diamond: both successors join in J after at most one block each", {
    stays: STAYS,
    missed: { ...NO_SHAPE, ...NO_ARM },
  }),
  instruction: line("  for each instruction of the arms: it must be one that a guard can carry", {
    step: "{block}: check the instructions of both arms",
  }),
  never: line("    never: atomics, fences, shuffles, barriers, calls, division, guarded or convergence instructions", {
    stays: STAYS,
    missed: {
      guarded: { say: "'{inst}' in {arm:block} is guarded already", droppable: "it runs in lanes that its own guard kept from it" },
      division: { say: "'{inst}' in {arm:block} is a division" },
      atomic: { say: "'{inst}' in {arm:block} is an atomic" },
      barrier: { say: "'{inst}' in {arm:block} is a barrier or a fence" },
      call: { say: "'{inst}' in {arm:block} calls" },
      volatile: { say: "'{inst}' in {arm:block} reads state that changes by itself" },
      region: { code: "convergence", say: "'{inst}' in {arm:block} opens or closes a convergence region" },
      shuffle: { say: "'{inst}' in {arm:block} exchanges values between lanes" },
    },
  }),
  onlyUniform: line("    only under a uniform condition: votes, matches, warp barriers, uniform results", {
    stays: STAYS,
    missed: {
      lanes: {
        code: "uniform-only",
        say: "'{inst}' in {arm:block} depends on which lanes are active, and the condition may differ within a warp",
      },
      "uniform-result": {
        code: "uniform-only",
        say: "'{inst}' in {arm:block} writes the uniform {result:reg}, and the condition may differ within a warp",
        fixed: "There is no such instruction: one that writes a uniform register cannot have a guard that differs between lanes.",
      },
      convergence: {
        say: "lanes diverge here, and {obstacle}",
        droppable: "an instruction sees lanes together that ran it in two groups",
      },
    },
  }),
  writesCondition: line("  no arm writes P", {
    stays: STAYS,
    missed: {
      "writes-condition": { say: "'{inst}' in {arm:block} writes the condition", droppable: "what follows runs under the new condition" },
    },
  }),
  length: line(
    "  length of an arm = its instructions, its jump included (policy 'measured': where it loads from shared memory, without it)",
    {
      kind: "cost",
      step: "{block}: the taken arm has {taken} of {takenLimit} {takenLimit:instruction|instructions}, the else arm {otherwise} of {otherLimit} ({rule} rule)",
    },
  ),
  limit: line("  limit = predication-arm-load with a global or local load, else -divergent or -uniform by the condition", {
    stays: STAYS,
    missed: { length: { say: "an arm has {length} {length:instruction|instructions}, the limit is {limit}" } },
  }),
  coupled: line(
    "  a load in one arm only: the other arm may have predication-coupled-free; up to -coupled-max both together -coupled-total",
    {
      stays: STAYS,
      missed: {
        "coupled-length": {
          say: "one arm loads, and arms of {taken} and {otherwise} {otherwise:instruction|instructions} are too long together",
        },
      },
    },
  ),
  overlap: line("  policy 'measured': the load of a triangle's arm overlaps with a load in flight in A, or with computations of J", {
    policy: "measured",
    stays: STAYS,
    missed: { "nothing-overlaps": { say: "neither {block} nor {join:block} has anything to do while the arm's load is under way" } },
  }),
  fits: line("  both arms, or the only arm of a triangle, are within the limit:", { found: "{block}: both arms fit" }),
  guard: line("    move the else arm's instructions into A under !P, the taken arm's under P", {
    done: "the {shape} at {block} becomes guarded instructions",
    because: "the {shape} at {block} is within the limit of length, and each of its instructions can run under a guard",
  }),
  phi: line("    a PHI of J with two values: a copy of each into a fresh register, the second under P"),
  close: line("    A branches to J; the arms are removed"),
  partial: line("  only the taken arm is too long: move the else arm up under !P; the branch to the taken arm stays", {
    done: "the else arm of {block} is guarded; the taken arm is too long and keeps its branch",
    because: "the else arm of {block} is within the limit of length and the taken arm is not",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
