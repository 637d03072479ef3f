/** Level 1 of constant handling: which operands are marked 0x100, 0x200 and 0x400, by the tests of `sub_8F2E50` (general-optimize, The Eligibility Check). */

import { FOLD_BOUNDARY } from "../../../config/targets.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, InstId } from "../../../ir/ids.ts";
import { isConstantReg, isUniformReg, regClass } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { usesOf } from "../../../ir/visit.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import { printInst } from "../../../text/printer.ts";
import type { Facts } from "../../../trace/event.ts";
import { copySource } from "./copy-values.ts";
import type { CopyOptions } from "./options.ts";
import type { OperandMarkRow } from "./rows.ts";

/**
 * Bits of the destination operand's word, in which the reference keeps the type, modifiers and constraints of an instruction. Bit 10 is 'under predicate' on a predicated copy and a constraint on a select: the reference
 * uses it twice.
 */
export const MARK = { PROPAGATED: 0x100, DEFERRED: 0x200, UNDER_PREDICATE: 0x400 } as const;
/** Constraint bits of a select's word. */
export const CONSTRAINT = { WIDE: 0x400, SIGN: 0x800, BANK_RELATIVE: 0x1000 } as const;
export const CONSTRAINT_BITS = 0x1c00;
const MODIFIER_BITS = 0x70;

/** What the reference knows by number: 97 anchor, 18 predicated copy or set-predicate, 124 conditional select. */
export type CopyClass = "anchor" | "predicated" | "select" | "other";

export function copyClass(inst: Inst): CopyClass {
  switch (inst.op) {
    case "SEL":
    case "FSEL":
      return "select";
    case "MOV":
    case "PMOV":
      return copySource(inst) === null ? "other" : inst.guard === null ? "anchor" : "predicated";
    case "ISETP":
    case "FSETP":
    case "DSETP":
      return inst.ops.slice(1, 3).every(isUniformOrLiteral) ? "predicated" : "other";
    default:
      return "other";
  }
}

/** Operand types 2 and 3 of the reference; literals count with them. */
function isUniformOrLiteral(operand: Operand): boolean {
  if (operand.kind === "reg") return isUniformReg(operand.reg) || isConstantReg(operand.reg);
  return operand.kind === "imm" || operand.kind === "imm64" || operand.kind === "f32" || operand.kind === "f64" || operand.kind === "cbank";
}

/** What the tests need of the target and of the function's interface, whose registers have a fold-blocking constraint (`sub_91D150`). */
export type MarkContext = Pick<CopyOptions, "target" | "tier" | "constraints">;

/** The word of the destination operand as it would be without marks: type, modifiers and constraints of the sources. */
export function destWord(inst: Inst): number {
  if (copyClass(inst) !== "select") return regClassType(inst);
  let word = inst.op === "FSEL" ? 2 : 1;
  for (const operand of inst.ops.slice(1, 3)) {
    if (operand.kind === "reg") word |= (operand.neg ? 0x10 : 0) | (operand.abs ? 0x20 : 0) | (operand.not ? 0x40 : 0);
    else if (operand.kind === "cbank") {
      word |= (operand.neg ? 0x10 : 0) | (operand.abs ? 0x20 : 0) | (operand.base === null ? 0 : CONSTRAINT.BANK_RELATIVE);
    } else if (operand.kind === "imm64") word |= CONSTRAINT.WIDE;
    else if (operand.kind === "imm") {
      if (operand.value > 0xffff_ffff || operand.value < -0x8000_0000) word |= CONSTRAINT.WIDE;
      else if (operand.value < 0 && inst.mods.includes("64")) word |= CONSTRAINT.SIGN;
    }
  }
  return word;
}

function regClassType(inst: Inst): number {
  const dest = inst.ops[0];
  return dest?.kind === "reg" && regClass(dest.reg) === "B" ? 10 << 2 : 0;
}

/** The tests of `sub_8F2E50` for class 18, a copy under a guard; null: it is eligible. */
export function predicatedProblem(
  inst: Inst,
  marks: number,
  { constraints }: MarkContext,
): "operand-type" | "already-marked" | "register-constraint" | null {
  if ((((destWord(inst) | marks) >> 2) & 0xf) === 10) return "operand-type";
  if ((marks & MARK.UNDER_PREDICATE) !== 0) return "already-marked";
  return usesOf(inst).some((r) => constraints.of(r) !== 0) ? "register-constraint" : null;
}

/** The same for class 124, a conditional select. */
export function selectProblem(
  inst: Inst,
  marks: number,
  { target }: MarkContext,
): "already-marked" | "modifier-bits" | "constraint-bits" | null {
  const word = destWord(inst) | marks;
  if ((marks & MARK.PROPAGATED) !== 0) return "already-marked";
  if ((word & MODIFIER_BITS) !== 0) return "modifier-bits";
  return target.packedVersion > FOLD_BOUNDARY && (word & CONSTRAINT_BITS) !== 0 ? "constraint-bits" : null;
}

/** The content of a remark on a mark. */
interface Marked {
  readonly inst: Inst;
  readonly mark: string;
  readonly block: BlockId;
  readonly operands: readonly (readonly [InstId, number])[];
  readonly node: string;
  readonly also: Facts;
}

/** The marks of all operands, observed as `operand-marks`; a mark stays until it is applied. */
export class OperandMarks {
  private readonly edit: Editor;
  private readonly remark: Remarks;
  private readonly view: ShownTable<OperandMarkRow>;
  private readonly words = new Map<InstId, number>();

  constructor(edit: Editor, remark: Remarks) {
    this.edit = edit;
    this.remark = remark;
    this.view = remark.shown.table("operand-marks", "Marked operands, until applied");
  }

  of(inst: Inst): number {
    return this.words.get(inst.id) ?? 0;
  }

  /** The word of the destination with its marks; deferred, its type has become a register's: `(w & 0xFFFFFDF0) | 0x201`. */
  word(inst: Inst): number {
    const marks = this.of(inst);
    const word = destWord(inst) | marks;
    return (marks & MARK.DEFERRED) !== 0 && copyClass(inst) === "select" ? (word & ~0x20f) | 0x201 : word;
  }

  /** Sets bits of the destination's word; the values of its message, null when the bits were set or nothing is recorded. */
  set(block: BlockId, inst: Inst, bits: number): Marked | null {
    const before = this.of(inst);
    if ((before | bits) === before) return null;
    this.words.set(inst.id, before | bits);
    if (!this.remark.listening) return null;
    const key = `i${inst.id}`;
    const word = hex(this.word(inst));
    this.view.set(key, { inst: printInst(this.edit.func, inst), word, marks: names(before | bits) });
    return { inst, mark: hex(bits), block, operands: [[inst.id, 0]], node: this.view.node(key), also: { word } };
  }

  /** The mark has been applied, or its instruction is gone. */
  clear(inst: Inst): void {
    if (this.words.delete(inst.id)) this.view.remove(`i${inst.id}`);
  }
}

const hex = (n: number): string => `0x${n.toString(16)}`;

function names(bits: number): string {
  const found: string[] = [];
  if ((bits & MARK.PROPAGATED) !== 0) found.push("propagated");
  if ((bits & MARK.DEFERRED) !== 0) found.push("deferred cleanup");
  if ((bits & MARK.UNDER_PREDICATE) !== 0) found.push("under predicate");
  return found.join(", ");
}
