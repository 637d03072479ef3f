/** What the knobs, the target and the phase say about how copies are propagated, read once per run. */

import type { Budget } from "../../../config/knob-store.ts";
import type { Target } from "../../../config/targets.ts";
import { FUNC_FLAG } from "../../../ir/flags.ts";
import type { BlockId, Reg } from "../../../ir/ids.ts";
import { isConstantReg, regName } from "../../../ir/reg.ts";
import type { Func, Inst } from "../../../ir/types.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { PassContext } from "../../pass.ts";
import type { SeeOptions } from "./copy-values.ts";
import type { WriteOptions } from "./replace-use.ts";
import type { ConstraintRow } from "./rows.ts";
import type { CopyRules } from "./rules.ts";

/** What a phase runs of the shared body. */
export interface Parts {
  /** `all`: everything is rewritten. `predicates`: values are followed, but only predicates are written. */
  readonly commit: "all" | "predicates";
  /** Copy propagation, with the marks. */
  readonly copyProp: boolean;
  readonly fold: boolean;
  readonly dce: boolean;
  /** Knob 464 where the phase reads it: one unit per fold. */
  readonly foldBudget: Budget | null;
  /** Told of each instruction that was folded or lost a copy, with the number of uses of its result. */
  readonly onFold?: (block: BlockId, inst: Inst, uses: number) => void;
}

export interface CopyOptions extends Parts {
  readonly see: SeeOptions;
  readonly write: WriteOptions;
  readonly limitFp: boolean;
  /** Byte +1379: its low three bits are the tier, and 0x1B are those that send a float select through both passes. */
  readonly tier: number;
  readonly target: Target;
  readonly measured: boolean;
  readonly copyBudget: Budget;
  readonly globalBudget: Budget;
  /** Registers of the function's interface are constrained: they keep their values. */
  readonly constraints: RegisterConstraints;
}

export function readOptions({ edit, remark, knobs, target, policy }: PassContext, parts: Parts, rules: CopyRules): CopyOptions {
  const line = rules.knobs;
  const irreducible = (edit.func.flags & FUNC_FLAG.RPO_VIOLATION) !== 0;
  const forced = knobs.flag("copy-prop-force-global", line);
  const see = {
    global: !irreducible || forced,
    reachingDefs: knobs.flag("copy-prop-use-reaching-defs", line),
    multiDef: knobs.flag("copy-prop-non-reg-multi-def", line),
    predicated: target.backend.capabilities.archPred,
  };
  const write = {
    addresses: knobs.flag("copy-prop-addr", line),
    constantBanks: knobs.flag("copy-prop-constant-bank", line),
    onlyRegisters: knobs.flag("copy-prop-no-write-non-rr", line),
    noMatrixBank: knobs.flag("copy-prop-no-mma-cb", line),
  };
  const limitFp = knobs.flag("limit-fold-fp", line);
  return {
    ...parts,
    see,
    write,
    limitFp,
    tier: knobs.int("fold-tier", line),
    target,
    measured: policy === "measured",
    copyBudget: knobs.budget("copy-prop-budget", line),
    globalBudget: knobs.budget("copy-prop-global-budget", line),
    constraints: new RegisterConstraints(fixedRegisters(edit.func, knobs.flag("copy-prop-pre-alloc-reg", line)), remark),
  };
}

/**
 * Registers fixed before allocation: what a function receives and returns. A kernel's parameters are words of a constant bank in the real machine,
 * so its registers are free.
 */
function fixedRegisters({ kind, params, returns }: Func, allowed: boolean): ReadonlySet<Reg> {
  if (allowed || kind === "kernel") return new Set();
  return new Set([...params.map((p) => p.reg), ...returns].filter((r) => !isConstantReg(r)));
}

/** The budgets that are used up, in words: a further run has new ones. Null when none is. */
export function spentBudgets({ copyBudget, globalBudget, foldBudget }: CopyOptions): string | null {
  const budgets: readonly (readonly [string, Budget | null])[] = [
    ["CopyPropBudget", copyBudget],
    ["CopyPropGlobalBudget", globalBudget],
    ["knob 464", foldBudget],
  ];
  const names = budgets.flatMap(([name, b]) => (b !== null && b.limit !== null && b.spent >= b.limit ? [name] : []));
  return names.length === 0 ? null : `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} spent, and each run counts anew`;
}

/**
 * The register constraints of the function: the array at +440 that `sub_91D150` reads, one word per register (general-optimize, The Eligibility Check).
 * 0 means that nothing prevents a fold. What the other words mean is not described: here 1 is a register that a function receives or returns.
 */
const NONE = 0;
const INTERFACE = 1;

export class RegisterConstraints {
  private readonly fixed: ReadonlySet<Reg>;
  private readonly view: ShownTable<ConstraintRow>;

  constructor(fixed: ReadonlySet<Reg>, remark: Remarks) {
    this.fixed = fixed;
    this.view = remark.shown.table("register-constraints", "Register constraints (+440), as far as they are set or asked for");
    for (const r of fixed) this.view.set(regName(r), { word: INTERFACE, means: "a register of the function's interface" });
  }

  /** `sub_91D150`: the register's word. */
  of(r: Reg): number {
    return this.fixed.has(r) ? INTERFACE : NONE;
  }

  /** The look-up for display: the word, and its row. */
  look(r: Reg): { readonly reg: Reg; readonly word: number; readonly node: string } {
    const word = this.of(r);
    if (word === NONE) this.view.set(regName(r), { word, means: "none" });
    return { reg: r, word, node: this.view.node(regName(r)) };
  }
}
