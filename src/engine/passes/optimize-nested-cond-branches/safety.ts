/** The five safety conditions of a pair. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { NamedBlocks } from "../../analysis/named-blocks.ts";
import { withGuard } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { Reg } from "../../ir/ids.ts";
import { isConstantReg, isPredicateReg } from "../../ir/reg.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, isSpeculatable, phiInput, phisOf, sameOperand, terminatorsOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { EXCLUDED, eligibilityOf, isCombinedCompare } from "./eligibility.ts";
import type { Stages } from "./liveness-stages.ts";
import type { Pair } from "./pair.ts";
import type { EligibilityRow } from "./rows.ts";
import { RULES } from "./rules.ts";

export interface SafetyInput {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly live: Liveness;
  readonly stages: Stages;
  readonly named: NamedBlocks;
  readonly eligibility: Eligibility;
  /** Policy 'notes': the excluded opcodes and the locks of the reference count as well. */
  readonly strict: boolean;
}

/** The structure of the rules' verdicts, and the keys that are in it. */
export interface Eligibility {
  readonly table: ShownTable<EligibilityRow>;
  readonly shown: Set<string>;
}

/** What remarks about a pair share. */
export type AboutPair = ReturnType<typeof aboutPair>;

/** A decision is about the inner block: the outer one takes in one after the other. */
export function aboutPair(edit: Editor, { outer, inner, common }: Pair) {
  return { outer, inner, common, blocks: [outer, inner], about: () => edit.block(inner).label };
}

/** All conditions on the pair itself hold. `opens`: the inner block's BSSY, which goes with the rewrite. */
export function mayCombine(input: SafetyInput, pair: Pair, opens: Inst | null): boolean {
  const { edit, remark } = input;
  const about = aboutPair(edit, pair);
  const inner = edit.block(pair.inner);
  const named = input.named.reason(pair.inner);
  if (named !== null) return remark.missed(RULES.onlyPred, named, about) !== null;
  if (remark.listening) showEligibility(input, inner);
  for (let i = terminatorsOf(inner).at - 1; i >= 0; i--) {
    const inst = inner.insts[i] as Inst;
    if (inst !== opens && !mayRunAlways(input, pair, inst, about)) return false;
  }
  return !hasThreeInputs(input, pair, about) && phisAgree(input, pair, about);
}

/** What each rule says of each instruction, from the branch upwards; the rows of the block before go. */
function showEligibility({ edit, eligibility }: SafetyInput, inner: Block): void {
  const { table, shown } = eligibility;
  for (const key of shown) table.remove(key);
  shown.clear();
  for (let i = terminatorsOf(inner).at - 1; i >= 0; i--) {
    const inst = inner.insts[i] as Inst;
    const key = `${inner.label} ${i}`;
    shown.add(key);
    table.set(key, eligibilityOf(inst, printInst(edit.func, inst)));
  }
}

/** Conditions 1, 2 and 4: the instruction of the inner block may run on the outer one's way to the common target, too. */
function mayRunAlways({ edit, remark, live, stages, strict }: SafetyInput, pair: Pair, inst: Inst, about: AboutPair): boolean {
  const no = () => ({ ...about, inst });
  if (!remark.holds(RULES.condition1, "side-effects", isSpeculatable(inst), no)) return false;
  if (strict && EXCLUDED.has(inst.op)) return remark.missed(RULES.condition1, "excluded-opcode", no) !== null;
  const defs = defsOf(inst);
  // A tombstone is dead everywhere; anything else must be dead where the outer block leaves to.
  const kills = stages.kills.get(pair.inner);
  const dies = (r: Reg) => kills?.has(r) === true || !live.isLiveIn(pair.common, r);
  const written = stages.tombstones.has(inst.id) ? [] : defs;
  const seen = written.find((r) => !dies(r) || feedsPhi(edit, pair, r));
  for (const result of written)
    if (result !== seen) remark.step(RULES.condition2, kills?.has(result) ? "killed" : "dead", { ...about, result });
  if (!remark.holds(RULES.condition2, "live-out", seen === undefined, () => ({ ...no(), result: seen ?? null }))) return false;
  const tested = pair.outerExit.reg;
  if (!remark.holds(RULES.condition4, "dependent", !defs.includes(tested), () => ({ ...no(), result: tested }))) return false;
  if (!strict) return true;
  if (inst.guard !== null) return remark.missed(RULES.condition4, "lock", no) !== null;
  return !isCombinedCompare(inst) || remark.missed(RULES.condition4, "combined-compare", no) !== null;
}

/** The register is what a PHI of the common target takes from the outer block. */
function feedsPhi(edit: Editor, pair: Pair, r: Reg): boolean {
  return phisOf(edit.block(pair.common)).some((phi) => {
    const value = phiInput(phi, pair.outer);
    return value?.kind === "reg" && value.reg === r;
  });
}

function hasThreeInputs({ edit, remark }: SafetyInput, pair: Pair, about: AboutPair): boolean {
  for (const [block, literal] of [
    [pair.outer, pair.outerExit],
    [pair.inner, pair.innerExit],
  ] as const) {
    const def = edit.block(block).insts.findLast((inst) => defsOf(inst).includes(literal.reg));
    if (def?.op !== "PLOP3" || plop3Inputs(def) < 3) continue;
    remark.missed(RULES.condition5, "three-inputs", { ...about, predicate: literal.reg, inst: def });
    return true;
  }
  return false;
}

/** Different predicates a PLOP3 reads. */
export function plop3Inputs(inst: Inst): number {
  return new Set(usesOf(withGuard(inst, null)).filter((r) => isPredicateReg(r) && !isConstantReg(r))).size;
}

function phisAgree({ edit, remark }: SafetyInput, pair: Pair, about: AboutPair): boolean {
  const other = phisOf(edit.block(pair.common)).find((phi) => {
    const [a, b] = [phiInput(phi, pair.outer), phiInput(phi, pair.inner)];
    return a === null || b === null || !sameOperand(a, b);
  });
  return remark.holds(RULES.condition2, "phi-input", other === undefined, { ...about, inst: other ?? null });
}
