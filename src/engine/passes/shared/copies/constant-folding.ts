/** Constant folding: level 2 of constant handling, written. */

import { leadingBits } from "../../../analysis/leading-bits.ts";
import { withGuard } from "../../../ir/copies.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { defsOf, sameOperand } from "../../../ir/visit.ts";
import { boundedCompare, soleValue } from "./bounds.ts";
import { constantMove } from "./constant.ts";
import { hasConstantInputs } from "./evaluate.ts";
import { type Folded, fold, keptByLimitFp } from "./fold.ts";
import { MARK } from "./marks.ts";
import { doom, type Walk } from "./walk.ts";

/** What can be simplified of other instructions is their value, where all inputs are constants. */
const SIMPLIFIED: ReadonlySet<string> = new Set("MOV PMOV SEL FSEL PLOP3 ISETP FSETP DSETP HSETP2 LOP IMUL S2R".split(" "));

/** The instruction, its uses in place, simplified as far as it goes. */
export function foldConstants(walk: Walk, block: BlockId, at: number, start: Inst): Inst {
  if (!SIMPLIFIED.has(start.op) && !hasConstantInputs(start)) return start;
  let inst = start;
  for (let i = 0; i < 4; i++) {
    const folded = foldOnce(walk, block, at, inst);
    const next = folded === null ? null : write(walk, block, at, inst, folded);
    if (next === null) break;
    inst = next;
  }
  return inst;
}

function foldOnce(walk: Walk, block: BlockId, at: number, inst: Inst): Folded | null {
  const { remark, rules, options, marks } = walk;
  const selects = options.commit === "predicates" || (marks.of(inst) & MARK.PROPAGATED) !== 0;
  const how = { limitFp: options.limitFp, selects };
  const folded = fold(inst, how);
  if (folded !== null) return folded;
  if (keptByLimitFp(inst, how)) remark.missed(rules.fold, "limit-fold-fp", { inst });
  const dest = inst.ops[0];
  if (isZero(inst) && dest?.kind === "reg") {
    if (!options.measured) return remark.missed(rules.fold, "zero-policy", { inst });
    return { line: "fold", way: "zero", inst: constantMove(inst, dest, { kind: "w32", lo: 0 }, "bits") };
  }
  if (dest?.kind !== "reg") return null;
  if (inst.op === "S2R") return foldSpecial(walk, inst, dest);
  const known = inst.op === "ISETP" ? compareOfBounded(walk, block, at, inst) : null;
  if (known === null) return null;
  if (!options.measured) return remark.missed(rules.fold, "policy", { inst });
  return { line: "fold", way: "bounded", inst: constantMove(inst, dest, { kind: "pred", value: known }, "bits") };
}

/** A special register that has one value in every run. */
function foldSpecial({ edit, remark, rules, options }: Walk, inst: Inst, dest: Operand & { kind: "reg" }): Folded | null {
  const name = inst.ops[1]?.kind === "sreg" ? inst.ops[1].name : "";
  const value = soleValue(name, edit.func, options.target);
  if (value === null) return null;
  if (!options.measured) return remark.missed(rules.fold, "special-policy", { inst, sreg: name });
  if (value !== soleValue(name, edit.func, null)) return remark.missed(rules.fold, "warp-slots", { inst, sreg: name, value });
  return { line: "fold", way: "special", inst: constantMove(inst, dest, { kind: "w32", lo: value }, "bits") };
}

/** `x & 0`, `x * 0`, `x ^ x`: the real compiler folds these; `x - x` it leaves. */
function isZero({ op, mods, ops }: Inst): boolean {
  if ((op !== "LOP" && op !== "IMUL") || mods.includes("64") || mods.includes("WIDE")) return false;
  const [dest, a, b] = ops;
  if (a === undefined || b === undefined) return false;
  if (dest?.kind !== "reg" || isConstantReg(dest.reg)) return false;
  if (op === "LOP" && mods.includes("XOR")) return a.kind === "reg" && sameOperand(a, b);
  if (op === "LOP" && !mods.includes("AND")) return false;
  return [a, b].some((operand) => operand.kind === "imm" && operand.value === 0);
}

/** A separate function, since a closure has a cost for its enclosing function even if it is never created. */
function compareOfBounded({ edit, reach }: Walk, block: BlockId, at: number, inst: Inst): boolean | null {
  return boundedCompare(inst, (reg) => leadingBits(edit.func, reach, block, at, reg));
}

/** Writes a fold; null when a budget refuses it. */
function write(walk: Walk, block: BlockId, at: number, inst: Inst, folded: Folded): Inst | null {
  const { edit, remark, rules, options, forms, work, marks, tally } = walk;
  const { line, inst: made } = folded;
  const follows = options.commit === "predicates";
  if (follows && !isKnownPredicate(made)) {
    forms.set(inst.id, made);
    work.note(made);
    return made;
  }
  if (options.foldBudget?.take(rules.fold) === false) return remark.missed(rules.fold, "budget", { inst });
  const actual = edit.block(block).insts[at] ?? inst;
  const said = { inst, made, block };
  const apply = (): Inst => {
    tally.add(line === "fold" ? "constant folding" : "predicate simplification");
    work.lose(actual);
    const written = withGuard(made, follows ? actual.guard : made.guard);
    edit.replace(block, at, written);
    forms.set(inst.id, written);
    work.note(written);
    work.touch(written);
    marks.clear(inst);
    for (const r of defsOf(written)) options.onFold?.(block, inst, work.countUses(r));
    return written;
  };
  return folded.line === "fold" ? remark.found(rules.fold, folded.way, said, apply) : remark.found(rules.simplify, folded.way, said, apply);
}

/** `PMOV p, PT`, or its complement. */
function isKnownPredicate({ op, ops: [dest, source] }: Inst): boolean {
  if (op !== "PMOV" || dest?.kind !== "reg" || !isPredicateReg(dest.reg)) return false;
  return source?.kind === "reg" && isConstantReg(source.reg);
}

/** `MOV R1, R1`, left when a copy is propagated into the copy back: removed at the end of the round, with or without a guard. */
export function dropSelfCopy(walk: Walk, block: BlockId, inst: Inst): void {
  if (isSelfCopy(inst)) removeSelfCopy(walk, block, inst);
}

function removeSelfCopy(walk: Walk, block: BlockId, inst: Inst): void {
  const { remark, rules, tally } = walk;
  remark.found(rules.fold, "self-copy", { inst, block }, () => {
    tally.add("dead code");
    doom(walk, block, inst);
  });
}

function isSelfCopy({ op, ops }: Inst): boolean {
  if (op !== "MOV" && op !== "PMOV") return false;
  const [dest, source] = ops;
  if (dest?.kind !== "reg" || source?.kind !== "reg") return false;
  return dest.reg === source.reg && !isConstantReg(dest.reg) && !source.neg && !source.abs && !source.not;
}
