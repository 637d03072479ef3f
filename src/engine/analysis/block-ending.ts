/** How a block ends, as far as a pass that rewrites branches can see: the counterpart of AnalyzeBranch. */

import { withGuard } from "../ir/copies.ts";
import type { BlockId } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Block, Inst } from "../ir/types.ts";
import { branchTarget, isUnconditional, terminatorsOf } from "../ir/visit.ts";

/**
 * `none`: falls through. `jump`: one unconditional BRA. `cond`: a conditional BRA, then the fall-through or (`explicit`) a BRA to `otherwise`.
 * `end`: the thread ends here on every path. `unknown`: a table, a guarded EXIT or RET, or anything else that cannot be rewritten.
 */
export type Ending =
  | { readonly kind: "none"; readonly target: BlockId | null }
  | { readonly kind: "jump"; readonly target: BlockId }
  | {
      readonly kind: "cond";
      readonly branch: Inst;
      readonly taken: BlockId;
      readonly otherwise: BlockId | null;
      readonly explicit: boolean;
      readonly reversible: boolean;
    }
  | { readonly kind: "end" }
  | { readonly kind: "unknown"; readonly why: string };

/** `next`: the block after it in the layout. */
export function analyzeEnding(block: Block, next: BlockId | null): Ending {
  const { insts } = terminatorsOf(block);
  const [first, second] = insts;
  if (first === undefined) return { kind: "none", target: next };
  if (insts.length > 2) return { kind: "unknown", why: "it has more than two terminators" };
  const target = branchTarget(first);
  if (target === null) {
    if (second === undefined && isUnconditional(first) && isThreadEnd(first)) return { kind: "end" };
    return { kind: "unknown", why: `its ${first.guard === null ? "" : "guarded "}${first.op} cannot be rewritten` };
  }
  if (isUnconditional(first)) return second === undefined ? { kind: "jump", target } : { kind: "unknown", why: "code follows its jump" };
  const otherwise = second === undefined ? next : branchTarget(second);
  if (second !== undefined && (otherwise === null || !isUnconditional(second))) {
    return { kind: "unknown", why: `its second terminator is a ${second.guard === null ? "" : "guarded "}${second.op}` };
  }
  return {
    kind: "cond",
    branch: first,
    taken: target,
    otherwise,
    explicit: second !== undefined,
    // With a second predicate operand the complement is not a single condition; a constant guard has none worth writing.
    reversible: first.ops.length === 1 && first.guard !== null && !isConstantReg(first.guard.reg),
  };
}

function isThreadEnd(inst: Inst): boolean {
  return inst.op === "EXIT" || inst.op === "RET" || inst.op === "KILL";
}

/** The conditional branch with its guard reversed, to `target`. Only for endings that are `reversible`. */
export function reversedBranch(branch: Inst, target: BlockId): Inst {
  const guard = branch.guard === null ? null : { reg: branch.guard.reg, neg: !branch.guard.neg };
  return withGuard(branch, guard, [{ kind: "label", block: target }]);
}
