/** Copy propagation: the uses of one instruction replaced by what they see, each with its verdict. */

import type { BlockId, Reg } from "../../../ir/ids.ts";
import { isConstantReg, regName } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { GUARD_INDEX, isTerminator, visitRegs } from "../../../ir/visit.ts";
import { rule } from "../../../remark/rule.ts";
import type { ReasonsOf } from "../../../remark/rules.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import { printOperand } from "../../../text/print-operand.ts";
import { printInst } from "../../../text/printer.ts";
import { copySource, type Doubt, type Seen, type SeenCopy } from "./copy-values.ts";
import { MARK } from "./marks.ts";
import { conditionBecomesKnown } from "./predicate-simplification.ts";
import { replaceUse } from "./replace-use.ts";
import type { ReachingRow } from "./rows.ts";
import { type UNFIT, USE } from "./rules.ts";
import type { Walk } from "./walk.ts";

/**
 * The instruction with its uses replaced; the same one when nothing was. Nothing is written yet. A branch whose condition becomes known is unchanged and
 * its known form kept in `forms`: it is written when the branch is decided.
 */
export function propagateInto(walk: Walk, block: BlockId, old: Inst): Inst {
  const { options, facts, work } = walk;
  if (!options.copyProp && options.commit !== "predicates") return old;
  // There is nothing to show or report.
  if (options.see.global && !work.readsCopied(old) && facts.saysNothingOf(old)) return old;
  return propagateUses(walk, block, old);
}

/** Apart, since what the visit shares is allocated on entry, and most instructions are through before. */
function propagateUses(walk: Walk, block: BlockId, old: Inst): Inst {
  const { options, values, facts, forms, work } = walk;
  const follows = options.commit === "predicates";
  let inst = old;
  let decided = null as Inst | null;
  visitRegs(old, (r, isDef, index) => {
    const now = decided ?? inst;
    if (isDef || isBarrierReg(r) || (now !== old && !stillReads(now, index, r))) return;
    const fact = facts.about(r, block, values);
    if (fact !== null && !options.measured) missUnseen(walk, "policy", now, r, block);
    const told = options.measured ? fact : null;
    if (told === null && options.see.global && !work.isCopied(r)) return;
    const found = told ?? values.see(r, now.guard);
    if (found === "no-copy") return;
    if (walk.reaching !== null && told === null) showReaching(walk, walk.reaching, r, found, block, null);
    const seen = copyBehind(walk, found, now, r, block, block, 0);
    if (seen === null || !mayLookThrough(walk, seen, now, r, block)) return;
    const made = sourceInPlace(walk, now, index, r, seen, block);
    if (made === null) return;
    if (follows) inst = made;
    else if (decided !== null || (isTerminator(old) && conditionBecomesKnown(old, made))) {
      decided = takeUse(walk, now, index, r, seen, made, block, true);
    } else inst = takeUse(walk, now, index, r, seen, made, block, false);
  });
  if (decided !== null) forms.set(old.id, decided);
  return inst;
}

/** The same for a PHI, whose inputs are read at the ends of their predecessors. */
export function propagateIntoPhi(walk: Walk, block: BlockId, old: Inst): Inst {
  const { options, values, work } = walk;
  if (!options.copyProp || options.commit !== "all") return old;
  let inst = old;
  for (const [index, operand] of old.ops.entries()) {
    if (operand.kind !== "phi" || operand.value.kind !== "reg" || isConstantReg(operand.value.reg)) continue;
    const r = operand.value.reg;
    if (options.see.global && !work.isCopied(r)) continue;
    const found = values.seeAtEnd(operand.pred, r);
    if (walk.reaching !== null) showReaching(walk, walk.reaching, r, found, block, operand.pred);
    const seen = copyBehind(walk, found, inst, r, block, operand.pred, Number.POSITIVE_INFINITY);
    if (seen === null || !mayLookThrough(walk, seen, inst, r, block)) continue;
    const made = sourceInPlace(walk, inst, index, r, seen, block);
    if (made !== null) inst = takeUse(walk, inst, index, r, seen, made, block, false);
  }
  return inst;
}

/** A register that an operand names twice is replaced in one step. */
function stillReads(inst: Inst, index: number, r: Reg): boolean {
  let found = false;
  visitRegs(inst, (each, isDef, at) => {
    if (!isDef && at === index && each === r) found = true;
  });
  return found;
}

const isBarrierReg = (r: Reg): boolean => (r & 7) === 5;

function missUnseen({ remark, rules, options }: Walk, why: Doubt | "policy", inst: Inst, reg: Reg, block: BlockId): void {
  if (options.commit === "all") remark.missed(rules.unseen, why, { inst, reg, block });
}

/** Shows the definitions that answered a read, at the step that reports its result. `pred`: a PHI's read, at the end of this block. */
function showReaching(
  { edit, values }: Walk,
  view: ShownTable<ReachingRow>,
  reg: Reg,
  seen: Seen,
  block: BlockId,
  pred: BlockId | null,
): void {
  if (seen === "no-copy" || seen === "other-block") return;
  const texts = (r: Reg): string[] =>
    values
      .reachingHere(r, pred)
      .map(({ block: by, inst }) => (inst === null ? "the value at entry" : `'${printInst(edit.func, inst)}' in ${edit.block(by).label}`));
  const source = typeof seen === "string" || seen.source.kind !== "reg" || isConstantReg(seen.source.reg) ? [] : texts(seen.source.reg);
  const read = pred === null ? `in ${edit.block(block).label}` : `at the end of ${edit.block(pred).label}`;
  view.set(regName(reg), { read, definitions: texts(reg), source });
}

/** The copy that a read at a place sees; null when it sees none, which is reported if one of several definitions is a copy. */
function copyBehind(walk: Walk, seen: Seen, inst: Inst, reg: Reg, block: BlockId, from: BlockId, at: number): SeenCopy | null {
  if (seen === "no-copy") return null;
  if (typeof seen !== "string") return seen;
  const { remark, rules, options, values } = walk;
  if (options.commit === "predicates") return null;
  if (seen !== "several-definitions") return remark.missed(rules.unseen, seen, { inst, reg, block });
  return remark.holds(rules.unseen, seen, false, { inst, reg, block }) ? values.oneOf(reg, from, at) : null;
}

/** True if nothing prevents reading the copy's source instead, ignoring dropped conditions. */
function mayLookThrough(walk: Walk, seen: SeenCopy, inst: Inst, reg: Reg, block: BlockId): boolean {
  const { remark, rules, options, marks } = walk;
  if (options.commit === "predicates") return seen.doubts.length === 0;
  for (const doubt of seen.doubts) {
    switch (doubt) {
      case "source-redefined":
      case "different-guard":
        if (!remark.holds(rules.unseen, doubt, false, { inst, reg, block })) return false;
        break;
      default:
        missUnseen(walk, doubt, inst, reg, block);
        return false;
    }
  }
  if (!seen.guarded || marks.of(seen.copy) !== 0) return true;
  missUnseen(walk, "predicated", inst, reg, block);
  return false;
}

/** The instruction with the use replaced with the copy's source; null if the operand does not accept it. */
function sourceInPlace(walk: Walk, inst: Inst, index: number, reg: Reg, { copy, source }: SeenCopy, block: BlockId): Inst | null {
  const { options } = walk;
  const fixed = isFixed(walk, copy.ops[0]) || isFixed(walk, source);
  const made = fixed ? "CopyPropPreAllocReg" : replaceUse(inst, index, reg, source, options.write);
  if (options.commit === "predicates") return typeof made === "string" ? null : made;
  const leaves = !options.fold && index === GUARD_INDEX && isTerminator(inst) && source.kind === "reg" && isConstantReg(source.reg);
  if (typeof made !== "string" && !leaves) return made;
  const reason = typeof made === "string" ? made : "decided-branch";
  return missUnfit(walk, reason, inst, index, reg, copy, block);
}

function missUnfit(
  { remark, rules }: Walk,
  reason: ReasonsOf<typeof UNFIT>,
  inst: Inst,
  index: number,
  reg: Reg,
  copy: Inst,
  block: BlockId,
): null {
  return remark.missed(rules.unfit, reason, () => ({ inst, reg, copy, block, insts: [copy], operands: [[inst.id, index]] as const }));
}

const isFixed = ({ options }: Walk, operand: Operand | undefined): boolean =>
  operand?.kind === "reg" && options.constraints.of(operand.reg) !== 0;

/** A use that may read the source of its copy. */
export interface Use {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly index: number;
  readonly reg: Reg;
  readonly seen: SeenCopy;
  /** The instruction with the use replaced. */
  readonly made: Inst;
}

/** The rule, at a line of each family's pseudocode. */
export const useRule = (line: string | null) =>
  rule<Walk, Use>()({
    line,
    ...USE,
    // That it may be replaced was tested on the way to the copy.
    match({ edit }, { block, inst, index, reg, seen, made }) {
      const { copy } = seen;
      const told = seen.at < 0;
      const said = {
        inst,
        reg,
        copy,
        where: seen.global ? `in ${edit.block(seen.block).label}` : "in the same block",
        source: () => printOperand(edit.func, told ? made : copy, told ? index : 1),
        block,
        insts: [copy],
        operands: [[inst.id, index]] as const,
        also: { operand: index === GUARD_INDEX ? "guard" : index },
      };
      return told ? { found: "told", ...said } : { found: "copied", ...said };
    },
  });

/** Replaces the use if the budgets allow it; as part of deciding a branch it is only reported, and requested with the decision. */
function takeUse(walk: Walk, inst: Inst, index: number, reg: Reg, seen: SeenCopy, made: Inst, block: BlockId, ofDecision: boolean): Inst {
  const { remark, rules, options, work, tally, propagated, facts, values, uses } = walk;
  const { copy, source } = seen;
  const dest = copy.ops[0];
  if (!propagated.has(copy.id)) {
    if (!options.copyBudget.take(rules.use)) return remark.missed(rules.use, "CopyPropBudget") ?? inst;
    propagated.add(copy.id);
    if (dest?.kind === "reg") options.onFold?.(seen.block, copy, work.countUses(dest.reg));
  }
  if (seen.global && !options.globalBudget.take(rules.use)) return remark.missed(rules.use, "CopyPropGlobalBudget") ?? inst;
  // What a branch implies about the source is used in the next round.
  if (options.measured && source.kind === "reg" && facts.about(source.reg, block, values) !== null) work.again(block);
  const match = rules.use.look(walk, { block, inst, index, reg, seen, made });
  const rewrite = ofDecision ? null : (match?.request() ?? null);
  if (rewrite === null && !ofDecision) return inst;
  const marked = copySource(copy) === null ? null : walk.marks.set(seen.block, copy, seen.guarded ? MARK.UNDER_PREDICATE : MARK.PROPAGATED);
  if (marked !== null) remark.step(rules.use, "mark", marked);
  tally.add("copy propagation");
  work.lost.add(reg);
  if (rewrite === null) match?.report();
  else rewrite.stage(uses);
  return made;
}
