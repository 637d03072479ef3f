/** Reads the end of a block as one link of a compare chain: an equality compare of a register with a constant, and the branch on it. */

import { dominates, dominators } from "../../analysis/dominators.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { is64, isConstantReg, isPredicateReg } from "../../ir/reg.ts";
import type { Block, Func, Inst, Operand } from "../../ir/types.ts";
import { branchTarget, combinesNothing, defsOf, getBlock, nextInLayout, terminatorsOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import { printOperand } from "../../text/print-operand.ts";

/** A refused compare starts no chain, or ends the one before it. */
export const STAYS = {
  head: "{why}: no chain starts there",
  alone: "{why}: the compare of {head:block} stays alone",
  ends: "{why}: the chain of {head:block} ends with {length} {length:case|cases}",
} as const;

export const COMPARE = {
  stage1: line("    stage 1: step over the control-flow instructions at its end; the branch must be conditional", {
    stays: STAYS,
    missed: {
      "no-condition": { say: "{block} does not end in a conditional branch" },
      "two-predicates": { say: "the branch of {block} tests two predicates at once" },
      "constant-guard": { say: "the branch of {block} has a constant guard" },
      "other-exit": { say: "after its conditional branch {block} ends in {op}, not in a jump" },
      "no-target": { say: "a branch of {block} has no target" },
      "equal-targets": { say: "both edges of {block} lead to the same block" },
    },
    source: "branch-and-switch: Scanner Tolerance",
  }),
  stage3: line("    stage 3: the branch's predicate must come from ISETP.EQ or .NE of a register and a constant", {
    stays: STAYS,
    missed: {
      "predicate-from-elsewhere": { say: "{block} does not compute the predicate that it branches on" },
      "not-a-compare": { say: "the predicate of {block} comes from {op}, not from ISETP" },
      "guarded-compare": {
        say: "the compare of {block} is guarded",
        droppable: "lanes whose guard is false branch on an old predicate, which the dispatch does not read",
      },
      "wide-selector": { say: "the compare of {block} is 64 bits wide" },
      "ordered-compare": { say: "the compare of {block} is .{cmp}, not an equality" },
      "combined-compare": {
        say: "the compare of {block} is combined with another predicate",
        droppable: "lanes with the case's value go to the case although the other predicate forbids it",
      },
      "two-constants": { code: "no-selector", say: "the compare of {block} has two constants" },
      "modified-selector": {
        say: "the compare of {block} changes its operand with a modifier",
        droppable: "the dispatch takes the selector as it is, without the modifier",
      },
      "two-registers": { code: "no-constant", say: "the compare of {block} has no constant operand" },
      "other-operand": { code: "no-constant", say: "the compare of {block} has an operand that is neither a register nor a constant" },
      "no-selector": { say: "the compare of {block} has no 32-bit register operand" },
    },
    source: "branch-and-switch: Scanner Tolerance",
  }),
  operands: line("    its operands from the last to the first, with predicates and the constant-true one known // sub_7DEB50; sub_7DEAD0", {
    step: {
      true: "operand {place} of '{inst}' is {operand}: a predicate, the constant-true one",
      predicate: "operand {place} of '{inst}' is {operand}: a predicate, not the constant-true one",
      written: "operand {place} of '{inst}' is {operand}: a predicate, the one that the compare writes",
      constant: "operand {place} of '{inst}' is not a predicate but the constant {value}",
      known: "operand {place} of '{inst}' is not a predicate but {operand}, which is the constant {value} here",
      register: "operand {place} of '{inst}' is not a predicate but {operand}",
    },
    source: "branch-and-switch: Scanner Tolerance, operand backward scan",
  }),
};

/** One compare and branch of a chain. */
export interface CompareLink {
  readonly block: BlockId;
  /** Index of the compare in its block. */
  readonly at: number;
  readonly predicate: Reg;
  readonly selector: Reg;
  /** int32. */
  readonly value: number;
  /** Where the branch leads if the selector equals the value, and if not. */
  readonly target: BlockId;
  readonly otherwise: BlockId;
  /** The case is on the taken edge (`setp.eq` with `@p`, `setp.ne` with `@!p`), by a branch without `.U`. */
  readonly caseTaken: boolean;
  /** `setp.ne` with `@!p`, the case on the taken edge. */
  readonly negated: boolean;
  /** `setp.eq` with `@!p`: the form of the last branch of a chain after its inversion, with the case as the fall-through. */
  readonly turned: boolean;
}

/** What is examined, in remarks: a block that may start or continue a chain. */
export interface Candidate {
  readonly stays: "head" | "alone" | "ends";
  readonly block: BlockId;
  /** The chain so far. */
  readonly head: BlockId;
  readonly length: number;
  readonly about: () => string;
  /** The block, and the head that it would follow. */
  readonly blocks: readonly BlockId[];
}

export type Constants = (r: Reg, block: BlockId, before: number) => number | null;

/** True when the block ends in a conditional branch, so that it may be a compare. */
export function endsInCondition(block: Block): boolean {
  const first = terminatorsOf(block).insts[0];
  return first !== undefined && first.op === "BRA" && (first.guard !== null || first.ops.length === 2);
}

/**
 * Stage 1 steps over the control-flow instructions at the block's end, stage 3 finds the compare that sets the branch's predicate and walks its operands
 * from the last one down. Source: branch-and-switch, Scanner Tolerance.
 */
export function readCompare(fn: Func, here: Candidate, constants: Constants, remark: Remarks, position?: number): CompareLink | null {
  const id = here.block;
  const block = getBlock(fn, id);
  const { at: end, insts } = terminatorsOf(block);
  const [branch, jump] = insts;
  if (branch === undefined || branch.op !== "BRA" || (branch.guard === null && branch.ops.length < 2)) {
    return remark.missed(COMPARE.stage1, "no-condition", here);
  }
  if (branch.ops.length === 2) return remark.missed(COMPARE.stage1, "two-predicates", here);
  const { guard } = branch;
  if (guard === null || isConstantReg(guard.reg)) return remark.missed(COMPARE.stage1, "constant-guard", here);
  if (jump !== undefined && (jump.op !== "BRA" || jump.guard !== null || jump.ops.length === 2)) {
    return remark.missed(COMPARE.stage1, "other-exit", () => ({ ...here, op: jump.op }));
  }
  const taken = branchTarget(branch);
  const other = jump === undefined ? nextInLayout(fn, id, position) : branchTarget(jump);
  if (taken === null || other === null) return remark.missed(COMPARE.stage1, "no-target", here);
  if (taken === other) return remark.missed(COMPARE.stage1, "equal-targets", here);
  const at = definitionBefore(block, end, guard.reg);
  const compare = at < 0 ? undefined : block.insts[at];
  if (compare === undefined) return remark.missed(COMPARE.stage3, "predicate-from-elsewhere", here);
  const read = readOperands(fn, compare, here, at, constants, remark);
  if (read === null) return null;
  const equal = compare.mods.includes("EQ");
  const caseTaken = equal !== guard.neg;
  return {
    block: id,
    at,
    predicate: guard.reg,
    selector: read.selector,
    value: read.value,
    target: caseTaken ? taken : other,
    otherwise: caseTaken ? other : taken,
    caseTaken: caseTaken && !branch.mods.includes("U"),
    negated: !equal && guard.neg && !branch.mods.includes("U"),
    turned: equal && guard.neg && !branch.mods.includes("U"),
  };
}

/** Index of the last instruction before `end` that writes the register; -1 when none does. */
function definitionBefore(block: Block, end: number, r: Reg): number {
  for (let i = end - 1; i >= 0; i--) if (defsOf(block.insts[i] as Inst).includes(r)) return i;
  return -1;
}

/** The operand scan: predicates are distinguished from the constant-true one, the rest is a register and a constant, in either order. */
function readOperands(
  fn: Func,
  compare: Inst,
  here: Candidate,
  at: number,
  constants: Constants,
  remark: Remarks,
): { readonly selector: Reg; readonly value: number } | null {
  if (compare.op !== "ISETP") return remark.missed(COMPARE.stage3, "not-a-compare", () => ({ ...here, op: compare.op }));
  const unguarded = compare.guard === null || (isConstantReg(compare.guard.reg) && !compare.guard.neg);
  if (!remark.holds(COMPARE.stage3, "guarded-compare", unguarded, here)) return null;
  if (compare.mods.includes("64")) return remark.missed(COMPARE.stage3, "wide-selector", here);
  if (!compare.mods.includes("EQ") && !compare.mods.includes("NE")) {
    return remark.missed(COMPARE.stage3, "ordered-compare", () => ({ ...here, cmp: compare.mods[0] ?? "" }));
  }
  if (compare.ops.length > 3) tellOperand(fn, compare, 3, null, here, remark);
  if (!remark.holds(COMPARE.stage3, "combined-compare", combinesNothing(compare), here)) return null;
  let selector: Reg | null = null;
  let value: number | null = null;
  for (let i = 2; i >= 1; i--) {
    const operand = compare.ops[i];
    const constant = operand === undefined ? null : constantOf(operand, here.block, at, constants);
    tellOperand(fn, compare, i, constant, here, remark);
    if (constant !== null) {
      if (value !== null) return remark.missed(COMPARE.stage3, "two-constants", here);
      value = constant;
    } else if (operand?.kind === "reg") {
      const plain = !operand.neg && !operand.abs && !operand.not;
      if (!remark.holds(COMPARE.stage3, "modified-selector", plain, here)) return null;
      if (selector !== null) return remark.missed(COMPARE.stage3, "two-registers", here);
      selector = operand.reg;
    } else {
      return remark.missed(COMPARE.stage3, "other-operand", here);
    }
  }
  if (selector === null || value === null || isPredicateReg(selector) || is64(selector)) {
    return remark.missed(COMPARE.stage3, "no-selector", here);
  }
  tellOperand(fn, compare, 0, null, here, remark);
  return { selector, value };
}

/** How the scan classifies an operand of the compare. `constant`: the number that it is known to be. */
function tellOperand(fn: Func, inst: Inst, place: number, constant: number | null, { block }: Candidate, remark: Remarks): void {
  const operand = remark.listening ? inst.ops[place] : undefined;
  if (operand === undefined) return;
  const text = printOperand(fn, inst, place);
  const said = { place, inst, operand: text, block };
  if (constant !== null) remark.step(COMPARE.operands, operand.kind === "reg" ? "known" : "constant", { ...said, value: constant });
  else if (operand.kind !== "reg" || !isPredicateReg(operand.reg)) remark.step(COMPARE.operands, "register", said);
  else remark.step(COMPARE.operands, isConstantReg(operand.reg) ? "true" : place === 0 ? "written" : "predicate", said);
}

function constantOf(operand: Operand, block: BlockId, at: number, constants: Constants): number | null {
  if (operand.kind === "imm") return operand.value | 0;
  if (operand.kind !== "reg" || operand.neg || operand.abs || operand.not) return null;
  return isConstantReg(operand.reg) ? 0 : constants(operand.reg, block, at);
}

/** Registers that contain one integer constant wherever they are read after their only definition, an unguarded MOV. */
export function constantRegisters(fn: Func): Constants {
  const sites = new Map<Reg, { readonly block: BlockId; readonly at: number; readonly value: number } | null>();
  for (const { reg } of fn.params) sites.set(reg, null);
  for (const id of fn.layout) {
    const { insts } = getBlock(fn, id);
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      for (const r of defsOf(inst)) {
        const source = inst.op === "MOV" && inst.guard === null ? inst.ops[1] : undefined;
        sites.set(r, source?.kind === "imm" && !sites.has(r) ? { block: id, at, value: source.value | 0 } : null);
      }
    }
  }
  return (r, block, before) => {
    const site = sites.get(r);
    if (site === undefined || site === null) return null;
    const reaches = site.block === block ? site.at < before : dominates(dominators(fn), site.block, block);
    return reaches ? site.value : null;
  };
}

/** True when the instruction reads the register. */
export const reads = (inst: Inst, r: Reg): boolean => usesOf(inst).includes(r);
