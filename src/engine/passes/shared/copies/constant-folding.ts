/** Constant folding: level 2 of constant handling, written. */

import { leadingBits } from "../../../analysis/leading-bits.ts";
import { withGuard } from "../../../ir/copies.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../../ir/reg.ts";
import type { Inst } from "../../../ir/types.ts";
import { defsOf, sameOperand } from "../../../ir/visit.ts";
import { rule } from "../../../remark/rule.ts";
import { boundedCompare, soleValue } from "./bounds.ts";
import { constantMove } from "./constant.ts";
import { hasConstantInputs } from "./evaluate.ts";
import { type Folded, fold, keptByLimitFp } from "./fold.ts";
import { MARK } from "./marks.ts";
import { FOLD, SIMPLIFY } from "./rules.ts";
import type { SubPass } from "./tally.ts";
import { doom, type Place, requestFold, type Walk } from "./walk.ts";

/** What can be simplified of other instructions is their value, where all inputs are constants. */
const SIMPLIFIED: ReadonlySet<string> = new Set("MOV PMOV SEL FSEL PLOP3 ISETP FSETP DSETP HSETP2 LOP IMUL S2R".split(" "));

/** An instruction, and what it becomes by its form alone. */
export interface Candidate extends Place {
  readonly folded: Folded | null;
}

/** The instruction with its uses replaced, simplified as far as possible. */
export function foldConstants(walk: Walk, block: BlockId, at: number, start: Inst): Inst {
  if (!SIMPLIFIED.has(start.op) && !hasConstantInputs(start)) return start;
  let inst = start;
  for (let i = 0; i < 4; i++) {
    foldOnce(walk, block, at, inst);
    const made = walk.forms.get(inst.id) ?? inst;
    if (made === inst) break;
    inst = made;
  }
  return inst;
}

function foldOnce(walk: Walk, block: BlockId, at: number, inst: Inst): void {
  const { remark, rules, options, marks } = walk;
  const selects = options.commit === "predicates" || (marks.of(inst) & MARK.PROPAGATED) !== 0;
  const how = { limitFp: options.limitFp, selects };
  const folded = fold(inst, how);
  if (folded === null && keptByLimitFp(inst, how)) remark.missed(rules.fold, "limit-fold-fp", { inst });
  const by = folded?.line === "simplify" ? rules.simplify : rules.fold;
  requestFold(walk, rules.fold, by.look(walk, { block, at, inst, folded }), inst)?.commit();
}

/** At a line of each family's pseudocode, as the rules below. What an instruction becomes by its form alone is passed in. */
export const foldRule = (line: string) =>
  rule<Walk, Candidate>()({
    line,
    ...FOLD,
    match(walk, of, miss) {
      const { edit, options } = walk;
      const { inst, folded } = of;
      const dest = inst.ops[0];
      if (folded?.line === "fold") return become(walk, of, folded.way, folded.inst);
      if (dest?.kind !== "reg") return null;
      if (isZero(inst)) {
        if (!options.measured) return miss("zero-policy", { inst });
        return become(walk, of, "zero", constantMove(inst, dest, { kind: "w32", lo: 0 }, "bits"));
      }
      if (inst.op === "S2R") {
        const sreg = inst.ops[1]?.kind === "sreg" ? inst.ops[1].name : "";
        const lo = soleValue(sreg, edit.func, options.target);
        if (lo === null) return null;
        if (!options.measured) return miss("special-policy", { inst, sreg });
        if (lo !== soleValue(sreg, edit.func, null)) return miss("warp-slots", { inst, sreg, value: lo });
        return become(walk, of, "special", constantMove(inst, dest, { kind: "w32", lo }, "bits"));
      }
      const value = inst.op === "ISETP" ? compareOfBounded(walk, of) : null;
      if (value === null) return null;
      if (!options.measured) return miss("policy", { inst });
      return become(walk, of, "bounded", constantMove(inst, dest, { kind: "pred", value }, "bits"));
    },
    apply: (walk, match) => write(walk, match, "constant folding"),
  });

export const simplifyRule = (line: string | null) =>
  rule<Walk, Candidate>()({
    line,
    ...SIMPLIFY,
    match: (walk, of) => (of.folded?.line === "simplify" ? become(walk, of, of.folded.way, of.folded.inst) : null),
    apply: (walk, match) => write(walk, match, "predicate simplification"),
  });

/** Null if the result is only remembered: a phase that writes only predicates follows other values. */
function become<W extends string>({ options, forms, work }: Walk, { block, at, inst }: Place, done: W, made: Inst) {
  if (options.commit === "all" || isKnownPredicate(made)) return { done, inst, made, block, at };
  forms.set(inst.id, made);
  work.note(made);
  return null;
}

function write(walk: Walk, { block, at, inst, made }: Place & { readonly made: Inst }, by: SubPass): void {
  const { edit, options, forms, work, marks, tally } = walk;
  const actual = edit.block(block).insts[at] ?? inst;
  tally.add(by);
  work.lose(actual);
  const written = withGuard(made, options.commit === "predicates" ? actual.guard : made.guard);
  forms.set(inst.id, written);
  work.note(written);
  work.touch(written);
  marks.clear(inst);
  edit.replace(block, at, written);
  for (const r of defsOf(written)) options.onFold?.(block, inst, work.countUses(r));
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
function compareOfBounded({ edit, reach }: Walk, { block, at, inst }: Place): boolean | null {
  return boundedCompare(inst, (reg) => leadingBits(edit.func, reach, block, at, reg));
}

/** `PMOV p, PT`, or its complement. */
function isKnownPredicate({ op, ops: [dest, source] }: Inst): boolean {
  if (op !== "PMOV" || dest?.kind !== "reg" || !isPredicateReg(dest.reg)) return false;
  return source?.kind === "reg" && isConstantReg(source.reg);
}

/** `MOV R1, R1`, left when a copy is propagated into the copy back: removed at the end of the round, with or without a guard. */
export const selfCopyRule = () =>
  rule<Walk, Place>()({
    line: null,
    found: "'{inst}' in {block} has no effect and is removed",
    because: "a copy of a register to itself has no effect",
    // That it is one is tested before, at every instruction.
    match: (_, { block, inst }) => ({ inst, block }),
    apply(walk, { inst, block }) {
      walk.tally.add("dead code");
      doom(walk, block, inst);
    },
  });

export function isSelfCopy({ op, ops }: Inst): boolean {
  if (op !== "MOV" && op !== "PMOV") return false;
  const [dest, source] = ops;
  if (dest?.kind !== "reg" || source?.kind !== "reg") return false;
  return dest.reg === source.reg && !isConstantReg(dest.reg) && !source.neg && !source.abs && !source.not;
}
