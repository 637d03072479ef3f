/** Events at the lines that the GeneralOptimize phases share; each phase has these rules in its own pseudocode. */

import { MOST_REACHING } from "../../../analysis/reaching-merges.ts";
import type { LineSpec, Rule } from "../../../remark/rules.ts";
import type { foldRule, selfCopyRule, simplifyRule } from "./constant-folding.ts";
import type { useRule } from "./copy-propagation.ts";
import type { deadRule } from "./dead-code.ts";
import type { phiRule } from "./equal-phis.ts";
import type { guardedRule, guardRule } from "./predicate-simplification.ts";

export const MARKED = "the result of '{inst}' is marked {mark}";
const NOT_MARKED = "'{inst}' is not marked: {why}";

export const KNOBS = {
  kind: "note",
  step: { irreducible: "the function is irreducible: copies stay inside their blocks" },
} as const satisfies LineSpec;

export const SETUP = {
  kind: "note",
  step: "{blocks} {blocks:block|blocks} queued, {copies} {copies:copy|copies} known, tier {tier}",
} as const satisfies LineSpec;

export const BLOCK = { step: "next block: {block}" } as const satisfies LineSpec;

export const USE = {
  step: { mark: { kind: "operand-mark", say: `uses of the result of '{inst}' may read its source (mark {mark})` } },
  found: {
    copied: "{reg} is a copy of {source} ('{copy:inst}' {where}), so '{inst}' reads {source}",
    told: "{reg} is {source} here, since '{copy:inst}' did not hold, so '{inst}' reads {source}",
  },
  because: {
    copied: "{reg} is a copy of {source}, made by '{copy}' {where}",
    told: "this path is taken only where '{copy}' is false, so {reg} is {source}",
  },
  missed: {
    CopyPropBudget: { silent: true, say: "CopyPropBudget is spent" },
    CopyPropGlobalBudget: { silent: true, say: "CopyPropGlobalBudget is spent" },
  },
} as const satisfies LineSpec;

/** No copy is found, or none that may be propagated. */
export const UNSEEN = {
  stays: "'{inst}' keeps reading {reg}: {why}",
  missed: {
    "several-definitions": {
      say: "several definitions reach this place, one of them a copy",
      droppable: "what came by another definition is taken for the copy's source",
    },
    "too-many-definitions": { say: `more than ${MOST_REACHING} definitions reach this place, and no more are examined` },
    "source-redefined": {
      say: "the source of its copy is, or may be, written again in between",
      droppable: "the use reads what was written to the source since",
    },
    "different-guard": {
      say: "its copy has a guard that this instruction does not have",
      droppable: "where the guard kept the copy from running, the old value is what should be read",
    },
    "other-block": { say: "its copy may be in another block, and copies stay inside their blocks here" },
    "not-dominating": { say: "without reaching definitions only a sole definition that dominates the use counts" },
    "too-far": { say: "its copy is too many blocks away to be sure of the source" },
    policy: { say: "a branch has told its value, which only policy 'measured' uses" },
    predicated: { say: "the target cannot mark copies under a predicate" },
  },
} as const satisfies LineSpec;

/** A copy is seen, and the operand does not take its source. */
export const UNFIT = {
  stays: "'{inst}' keeps reading {reg} of '{copy:inst}': {why}",
  missed: {
    CopyPropAddr: { say: "CopyPropAddr is off, and it is an address" },
    CopyPropConstantBank: { say: "CopyPropConstantBank is off" },
    CopyPropNoWriteNonRR: { say: "CopyPropNoWriteNonRR is set, and another source is not a register" },
    CopyPropNoMmaCb: { say: "CopyPropNoMmaCb is set, and this is a matrix instruction" },
    CopyPropPreAllocReg: { say: "a register of the function's interface is fixed, and CopyPropPreAllocReg is off" },
    "operand-form": { say: "this operand cannot take the copy's source" },
    "register-group": { say: "a register group takes registers of its own class only" },
    uniform: { say: "this operand cannot be a uniform register (not stated in the reference)" },
    "one-constant-bank": { say: "an instruction has room for one constant-bank or uniform operand (not stated in the reference)" },
    "address-range": { say: "the address would leave its range" },
    "table-index": { say: "a table's index stays a register" },
    "decided-branch": { say: "the branch would be decided, which this phase leaves to others" },
  },
} as const satisfies LineSpec;

export const ANCHOR = { step: "'{inst}' in {block} is the reaching definition from here on" } as const satisfies LineSpec;

export const PREDICATED = {
  step: {
    mark: { kind: "operand-mark", say: `${MARKED}: it is valid only while its guard is true` },
    constraint: "'{inst}' reads {reg}: the register's constraint is {word}",
  },
  stays: NOT_MARKED,
  missed: {
    "operand-type": { counts: false, say: "its operand type is never foldable" },
    "register-constraint": { counts: false, say: "a register it reads is constrained" },
    "no-predicate-marking": { counts: false, say: "{backend} cannot mark results under a predicate" },
  },
} as const satisfies LineSpec;

export const SELECT = {
  kind: "operand-mark",
  step: {
    "tier-0": `${MARKED}: tier 0 marks it at once`,
    forward: `${MARKED}: the forward pass found its predicate`,
    backward: `${MARKED}: the backward pass found its predicate`,
    deferred: `${MARKED}: its word becomes a register's with cleanup to follow`,
    free: `${MARKED}: no copy prevents it`,
    chain: `${MARKED}: the chain after it ends in a copy that is eligible itself`,
  },
  stays: NOT_MARKED,
  missed: {
    "modifier-bits": { counts: false, say: "a source carries a sign, absolute or complement modifier" },
    "constraint-bits": {
      counts: false,
      say: "its word has constraint bits set, and the target is newer than the encoding boundary 20479",
    },
    architecture: { counts: false, say: "the target is of none of the three classes that allow it" },
  },
} as const satisfies LineSpec;

const PASS = "{direction} pass for {pred:reg} of '{inst}': hit {hit}, partial {partial}";

const SCAN = "{direction} pass: '{inst}'";

export const TWO_PASS = {
  step: {
    anchor: `${SCAN} is an anchor (97), and the record follows it`,
    eligible: `${SCAN} is in the chain (18 or 124), and eligible itself`,
    broken: `${SCAN} is in the chain (18 or 124), and not eligible itself, so the pass ends`,
    live: `${SCAN} has live uses`,
    unused: `${SCAN} has no live uses`,
    visited: `${SCAN} was visited before`,
    linked: "backward pass: the head of {block} (52) is linked to {next:block}, where the pass continues",
    boundary: "backward pass: {block} has no single predecessor, so its head (52) ends the pass",
  },
  found: PASS,
  missed: {
    predicate: { counts: false, say: PASS },
    "no-match": { counts: false, say: "'{inst}' is not marked: neither pass found what its predicate is" },
  },
} as const satisfies LineSpec;

export const CHAIN = {
  stays: "'{inst}' is not marked 0x100, so it stays a select: {why}",
  missed: { chain: { counts: false, say: "the chain after it ends without a copy" } },
} as const satisfies LineSpec;

export const LIVENESS = { step: "'{inst}' has {uses}: copy_seen is {seen}" } as const satisfies LineSpec;

const BECOMES = "'{inst}' becomes '{made:inst}'";

export const FOLD = {
  done: {
    "constant-inputs": `${BECOMES}: all its inputs are constants`,
    "constant-input": `${BECOMES}: its input is a constant`,
    "self-compare": `${BECOMES}: it compares a value with itself`,
    "known-compare": `${BECOMES}: the compared values are constants`,
    zero: `${BECOMES}: it is 0 whatever its other input is (policy 'measured')`,
    bounded: `${BECOMES}: no value that it may compare has the constant's upper bits (policy 'measured')`,
    special: `${BECOMES}: the register has one value in every run (policy 'measured')`,
  },
  because: {
    "constant-inputs": "all inputs of '{inst}' are constants",
    "constant-input": "the input of '{inst}' is a constant",
    "self-compare": "'{inst}' compares a value with itself",
    "known-compare": "'{inst}' compares constants",
    zero: "an AND or a product with 0 is 0, whatever the other input is",
    bounded: "the value that '{inst}' compares never has the upper bits of the constant",
    special: "the register that '{inst}' reads has the same value in every run",
  },
  stays: "'{inst}' stays: {why}",
  missed: {
    "limit-fold-fp": { say: "limit-fold-fp keeps float instructions from being evaluated" },
    policy: { say: "what it compares is bounded, which decides it, but only policy 'measured' uses that" },
    "special-policy": {
      code: "policy",
      why: "only policy 'measured' folds it",
      say: "{sreg} has one value in every run, which only policy 'measured' uses",
    },
    "warp-slots": { say: "{sreg} is {value} on this target, and another number in the interpreter" },
    "zero-policy": {
      code: "policy",
      why: "only policy 'measured' folds it",
      say: "'{inst}' is 0 whatever its other input is, which only policy 'measured' uses",
    },
    budget: { silent: true, say: "knob 464 is spent" },
  },
} as const satisfies LineSpec;

export const SIMPLIFY = {
  done: {
    "select-true": `${BECOMES}: its predicate is true`,
    "select-false": `${BECOMES}: its predicate is false`,
    "equal-select": `${BECOMES}: both its sources are the same`,
    "combined-true": `${BECOMES}: the predicate it is combined with is true`,
    "combined-false": `${BECOMES}: the predicate it is combined with is false`,
    "table-true": `${BECOMES}: its truth table is constantly true for these inputs`,
    "table-false": `${BECOMES}: its truth table is constantly false for these inputs`,
    "table-input": `${BECOMES}: its truth table comes down to one input`,
    "table-complement": `${BECOMES}: its truth table comes down to the complement of one input`,
  },
  because: {
    "select-true": "the predicate that selects is always true",
    "select-false": "the predicate that selects is always false",
    "equal-select": "both sources of '{inst}' are the same",
    "combined-true": "the predicate that the result is combined with is always true",
    "combined-false": "the predicate that the result is combined with is always false",
    "table-true": "the truth table gives true for all inputs that can occur",
    "table-false": "the truth table gives false for all inputs that can occur",
    "table-input": "for the inputs that can occur, the truth table gives one of them",
    "table-complement": "for the inputs that can occur, the truth table gives the complement of one of them",
  },
} as const satisfies LineSpec;

export const GUARD = {
  done: {
    "always-taken": "'{inst}' in {block} is always taken",
    "never-taken": "'{inst}' in {block} is never taken",
  },
  because: {
    "always-taken": "the condition of '{inst}' is always true",
    "never-taken": "the condition of '{inst}' is always false",
  },
  stays: "'{inst}' is known, but stays (not stated in the reference): {why}",
  missed: {
    convergence: { say: "{reason}", droppable: "lanes reconverge elsewhere, and a vote or a shuffle on the path sees more of them" },
    budget: { silent: true, say: "knob 464 is spent" },
  },
} as const satisfies LineSpec;

/** The rules of the shared body, at the lines of the phase that runs it. */
export interface CopyRules {
  readonly knobs: Rule<typeof KNOBS>;
  readonly setup: Rule<typeof SETUP>;
  readonly block: Rule<typeof BLOCK>;
  readonly use: ReturnType<typeof useRule>;
  readonly unseen: Rule<typeof UNSEEN>;
  readonly unfit: Rule<typeof UNFIT>;
  readonly anchor: Rule<typeof ANCHOR>;
  readonly predicated: Rule<typeof PREDICATED>;
  readonly select: Rule<typeof SELECT>;
  readonly twoPass: Rule<typeof TWO_PASS>;
  readonly chain: Rule<typeof CHAIN>;
  readonly liveness: Rule<typeof LIVENESS>;
  readonly fold: ReturnType<typeof foldRule>;
  readonly selfCopy: ReturnType<typeof selfCopyRule>;
  readonly simplify: ReturnType<typeof simplifyRule>;
  readonly guard: ReturnType<typeof guardRule>;
  readonly guarded: ReturnType<typeof guardedRule>;
  readonly phi: ReturnType<typeof phiRule>;
  readonly dead: ReturnType<typeof deadRule>;
}
