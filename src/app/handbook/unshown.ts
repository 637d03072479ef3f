/** Pages without a program in which just that is seen, each with its reason and, where there is one, a program that comes near. A test counts them. */

import { type Example, shownExample } from "./entry.ts";
import type { ShownBy } from "./shown-by.ts";

export interface Unshown {
  readonly why: string;
  readonly example: Example | null;
}

/** Budgets of the GeneralOptimize phases: when one is spent no more is looked at, and no step tells of what was not looked at. */
const SPENT: Readonly<Record<string, string>> = {
  CopyPropBudget: "copy-prop-budget",
  CopyPropGlobalBudget: "copy-prop-global-budget",
  budget: "convergence-budget",
};
const COPIERS: ReadonlySet<string> = new Set(["general-optimize-early", "general-optimize", "general-optimize-mid"]);

const NO_PROGRAM = "The verifier refuses every program in which this would hold: the phase makes sure of it all the same.";
const HUGE = "Only programs of thousands of blocks come to this limit, and none of that size is kept.";
const MATRIX =
  "No modelled opcode is a matrix instruction. The ones that are kept as they are take registers as a group, where no constant can stand.";
const BARRIERS = "The type would be that of a barrier register, and no copy or compare writes one.";

/** Conditions that nothing is known to lead to. By the page's id without its kind. */
export const UNREACHED: Readonly<Record<string, string>> = {
  "branch-folding:ends": "Only predecessors of a block are asked, and each of them has a way to it: an ending without any is met nowhere.",
  "analyze-control-flow:unnumbered": "Every successor of a numbered block is numbered by the same walk.",
  "set-control-flow-op:branch-inside":
    "A branch ends its block, in a text as in an edited program: the phase makes sure of what always holds.",
  "general-optimize-early:cycle":
    "A way that comes back to where it began enters that block a second time, and a block with two predecessors is refused before.",
  "general-optimize-early:operand-count": "Compares with different numbers of operands compute different things, which is refused before.",
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
  "do-switch-opt:other-exit": "Only an unconditional BRA can stand after a conditional one in a block: anything else begins a new block.",
  "do-switch-opt:no-target": NO_PROGRAM,
  "do-switch-opt:no-selector": "A compare of 64 bits, of predicates or of two constants is refused before.",
  "branch-opt:last": NO_PROGRAM,
  "ori-linear-replacement:phi": "A join that both arms lead to has a value for each of them in every PHI.",
  "ori-linear-replacement:number": NO_PROGRAM,
  "ori-linear-replacement:kinds": NO_PROGRAM,
  "ori-linear-replacement:widths": NO_PROGRAM,
  "back-copy-prop:second-result": "No opcode writes two registers of one class, but in a vector, which is refused before.",
  "back-copy-prop:reads-itself": "The copy is the only reader of its source, which is asked before.",
};

/** By the knob's key. */
export const UNSHOWN_KNOBS: Readonly<Record<string, string>> = {
  "copy-prop-no-mma-cb": `The copy passes read it, and it decides nothing here. ${MATRIX}`,
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
      why: "When the budget is spent no more is looked at, so no step tells of it. The program shows it by the other value of its knob: compare both futures.",
      example: knob === undefined ? null : shownExample(knob.shown, "Compare both values of its knob"),
    };
  }
  if (reason === "re-entry") {
    const calls = shown.phases["analyze-control-flow"];
    return {
      why: "The analysis refuses a call from inside itself. No phase makes one, so no program leads there.",
      example: calls === undefined ? null : shownExample(calls, "Open a program in which it is called"),
    };
  }
  const twin = family === "general-optimize-early" ? (shown.conditions[`general-optimize:${reason}`] ?? null) : null;
  if (twin !== null)
    return {
      why: "This phase follows copies for itself and tells of none that it does not follow. The program shows the same condition, of the same code, where copies are written.",
      example: shownExample(twin, "Open a program that shows it in another phase"),
    };
  const why = UNREACHED[id.slice("condition:".length)];
  return why === undefined ? null : { why, example: null };
}
