/** Pages without a program in which just that is seen, each with its reason and, where there is one, a program that comes near. A test counts them. */

import { type Example, shownExample } from "./entry.ts";
import type { ShownBy } from "./shown-by.ts";

export interface Unshown {
  readonly why: string;
  readonly example: Example | null;
}

/** Budgets of the GeneralOptimize phases: when one is spent nothing more is examined, and no step reports what was not. */
const SPENT: Readonly<Record<string, string>> = {
  CopyPropBudget: "copy-prop-budget",
  CopyPropGlobalBudget: "copy-prop-global-budget",
  budget: "convergence-budget",
};
const COPIERS: ReadonlySet<string> = new Set(["general-optimize-early", "general-optimize", "general-optimize-mid"]);

const NO_PROGRAM = "The verifier rejects every program in which this could apply; the phase checks it nevertheless.";
const HUGE = "Only programs with thousands of blocks reach this limit, and the collection has none of that size.";
const MATRIX = "No modelled opcode is a matrix instruction. Opaque ones read their registers as a group, in which no constant can appear.";
const BARRIERS = "The type would be that of a barrier register, which no copy or compare writes.";

/** Conditions that nothing is known to lead to. By the page's id without its kind. */
export const UNREACHED: Readonly<Record<string, string>> = {
  "branch-folding:ends":
    "Only predecessors of a block are checked, and each has an edge to it, so a block without successors never occurs here.",
  "analyze-control-flow:unnumbered": "Every successor of a numbered block is numbered by the same walk.",
  "set-control-flow-op:branch-inside":
    "A branch always ends its block, in parsed and in edited programs; the phase checks it nevertheless.",
  "general-optimize-early:cycle":
    "A path that returns to its start enters that block a second time, and a block with two predecessors is refused earlier.",
  "general-optimize-early:operand-count": "Compares with different numbers of operands compute different things, which is refused earlier.",
  "general-optimize-early:CopyPropNoMmaCb": MATRIX,
  "general-optimize:CopyPropNoMmaCb": MATRIX,
  "general-optimize-mid:CopyPropNoMmaCb": MATRIX,
  "general-optimize-early:operand-type": BARRIERS,
  "general-optimize:operand-type": BARRIERS,
  "general-optimize-mid:operand-type": BARRIERS,
  "general-optimize-mid:decided-branch": "This phase folds as well, so it decides such a branch itself.",
  "do-switch-opt-first:no-barrier": NO_PROGRAM,
  "do-switch-opt-first:too-large": HUGE,
  "do-switch-opt-first:search-too-large": HUGE,
  "do-switch-opt:too-large": HUGE,
  "do-switch-opt:chain-too-long": HUGE,
  "do-switch-opt:other-exit": "Only an unconditional BRA can follow a conditional one in a block: anything else starts a new block.",
  "do-switch-opt:no-target": NO_PROGRAM,
  "do-switch-opt:no-selector": "A compare of 64 bits, of predicates or of two constants is refused earlier.",
  "branch-opt:last": NO_PROGRAM,
  "ori-linear-replacement:phi": "Every PHI in the join of both arms has a value for each arm.",
  "ori-linear-replacement:number": NO_PROGRAM,
  "ori-linear-replacement:kinds": NO_PROGRAM,
  "ori-linear-replacement:widths": NO_PROGRAM,
  "back-copy-prop:second-result": "No opcode writes two registers of one class except as a vector, which is refused earlier.",
  "back-copy-prop:reads-itself": "The copy is the only reader of its source, which is checked earlier.",
};

/** By the knob's key. */
export const UNSHOWN_KNOBS: Readonly<Record<string, string>> = {
  "copy-prop-no-mma-cb": `The copy passes read it, but it has no effect here. ${MATRIX}`,
  "speculative-hoist-common-insts":
    "No modelled phase reads it: the phase that hoists speculatively is not modelled, so no program can show it.",
  "ifcvt-branch-fold":
    "No modelled phase reads it: it makes cicc's if-conversion fold branches afterwards, and if-conversion is not modelled, so no program can show it.",
};

/** For a condition that no program meets in this phase. */
export function unshownCondition(id: string, shown: ShownBy): Unshown | null {
  const [, family = "", reason = ""] = id.split(":");
  const spent = COPIERS.has(family) ? SPENT[reason] : undefined;
  if (spent !== undefined) {
    const knob = shown.knobs[spent];
    return {
      why: "When the budget is spent, nothing more is examined, so no step shows it. The program shows it with the other value of its knob: compare both futures.",
      example: knob === undefined ? null : shownExample(knob.shown, "Compare both values of its knob"),
    };
  }
  if (reason === "re-entry") {
    const calls = shown.phases["analyze-control-flow"];
    return {
      why: "The analysis refuses a recursive call. No phase makes one, so no program can show it.",
      example: calls === undefined ? null : shownExample(calls, "Open a program in which it is called"),
    };
  }
  const twin = family === "general-optimize-early" ? (shown.conditions[`general-optimize:${reason}`] ?? null) : null;
  if (twin !== null)
    return {
      why: "This phase follows copies for its own use and does not report those that it rejects. The program shows the same condition, from the same code, in a phase that propagates copies.",
      example: shownExample(twin, "Open a program that shows it in another phase"),
    };
  const why = UNREACHED[id.slice("condition:".length)];
  return why === undefined ? null : { why, example: null };
}
