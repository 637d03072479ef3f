/** The five safety conditions of a pair, each with its verdict. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, isPredicateReg, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, isSpeculatable, phiInput, phisOf, sameOperand, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { Stages } from "./liveness-stages.ts";
import type { Pair } from "./pair.ts";
import { LINE } from "./pseudocode.ts";

export interface Refusal {
  readonly condition: string;
  readonly line: number;
  readonly why: string;
  readonly insts: readonly Inst[];
}

/** Opcodes that the notes exclude by name and that would otherwise pass (VOTE is no pure instruction, BMOV is not modelled). */
const EXCLUDED: ReadonlySet<string> = new Set(["LEA"]);

export interface SafetyInput {
  readonly edit: Editor;
  readonly live: Liveness;
  readonly stages: Stages;
  readonly regionEnds: ReadonlySet<BlockId>;
  /** Policy 'notes': the excluded opcodes and the locks of the notes count as well. */
  readonly strict: boolean;
}

/** The first condition that fails; null when the pair may be combined. */
export function refusal(input: SafetyInput, pair: Pair): Refusal | null {
  const { edit, regionEnds } = input;
  const inner = edit.block(pair.inner);
  const body = inner.insts.slice(0, terminatorsOf(inner).at);
  if (regionEnds.has(pair.inner)) {
    return { condition: "region-end", line: LINE.onlyPred, why: `a BSSY names ${inner.label} as its region's end`, insts: [] };
  }
  for (const inst of body.toReversed()) {
    const found = instRefusal(input, pair, inst);
    if (found !== null) return found;
  }
  return threeInputs(input, pair) ?? phiConflict(input, pair);
}

function instRefusal({ edit, live, stages, strict }: SafetyInput, pair: Pair, inst: Inst): Refusal | null {
  const text = `'${printInst(edit.func, inst)}'`;
  const no = (condition: string, line: number, why: string): Refusal => ({ condition, line, why: `${text} ${why}`, insts: [inst] });
  if (!isSpeculatable(inst)) return no("1 side effects", LINE.condition1, "is not pure, and would run on the other way too");
  if (strict && EXCLUDED.has(inst.op)) return no("1 excluded opcode", LINE.condition1, "is one of the excluded opcodes");
  for (const r of defsOf(inst)) {
    // A tombstone is dead everywhere; anything else must be dead where the outer block leaves to.
    if (stages.tombstones.has(inst.id)) break;
    if (live.isLiveIn(pair.common, r) || feedsPhi(edit, pair, r)) {
      return no("2 live-out value", LINE.condition2, `writes ${regName(r)}, which is live in ${edit.block(pair.common).label}`);
    }
  }
  if (defsOf(inst).includes(pair.outerExit.reg)) {
    return no("4 dependent predicates", LINE.condition4, `writes ${regName(pair.outerExit.reg)}, which the outer branch tests`);
  }
  if (strict && inst.guard !== null) return no("4 predication lock", LINE.condition4, "has a guard");
  if (strict && inst.op === "ISETP" && inst.ops.length > 3)
    return no("4 combined compare", LINE.condition4, "combines its result with a predicate already");
  return null;
}

/** The register is what a PHI of the common target takes from the outer block. */
function feedsPhi(edit: Editor, pair: Pair, r: Reg): boolean {
  return phisOf(edit.block(pair.common)).some((phi) => {
    const value = phiInput(phi, pair.outer);
    return value?.kind === "reg" && value.reg === r;
  });
}

function threeInputs({ edit }: SafetyInput, pair: Pair): Refusal | null {
  for (const [block, literal] of [
    [pair.outer, pair.outerExit],
    [pair.inner, pair.innerExit],
  ] as const) {
    const def = edit.block(block).insts.findLast((inst) => defsOf(inst).includes(literal.reg));
    if (def?.op !== "PLOP3" || plop3Inputs(def) < 3) continue;
    return {
      condition: "5 three inputs",
      line: LINE.condition5,
      why: `${regName(literal.reg)} comes from '${printInst(edit.func, def)}', which has three inputs already`,
      insts: [def],
    };
  }
  return null;
}

/** Different predicates a PLOP3 reads. */
export function plop3Inputs(inst: Inst): number {
  return new Set(usesOf({ ...inst, guard: null }).filter((r) => isPredicateReg(r) && !isConstantReg(r))).size;
}

function phiConflict({ edit }: SafetyInput, pair: Pair): Refusal | null {
  for (const phi of phisOf(edit.block(pair.common))) {
    const [a, b] = [phiInput(phi, pair.outer), phiInput(phi, pair.inner)];
    if (a !== null && b !== null && sameOperand(a, b)) continue;
    return {
      condition: "2 PHI input",
      line: LINE.condition2,
      why: `'${printInst(edit.func, phi)}' takes different values on the two ways`,
      insts: [phi],
    };
  }
  return null;
}
