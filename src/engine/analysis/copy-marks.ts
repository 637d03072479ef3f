/** Level 1 of constant handling: which operands are marked 0x100, 0x200 and 0x400, by the tests of `sub_8F2E50` (general-optimize, The Eligibility Check). */

import type { Editor } from "../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { isUniformReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { usesOf } from "../ir/visit.ts";
import { FOLD_BOUNDARY, type Target } from "../pipeline/targets.ts";
import { printInst } from "../text/printer.ts";
import { NO_STRUCTURE, type Recorder, type StructureId } from "../trace/recorder.ts";
import { copySource } from "./copy-values.ts";

/** Bits of the destination operand's word. Bit 10 is 'under predicate' on a predicated copy and a constraint on a select: the notes use it twice. */
export const MARK = { PROPAGATED: 0x100, DEFERRED: 0x200, UNDER_PREDICATE: 0x400 } as const;
/** Constraint bits of a select's word. */
export const CONSTRAINT = { WIDE: 0x400, SIGN: 0x800, BANK_RELATIVE: 0x1000 } as const;
export const CONSTRAINT_BITS = 0x1c00;
const MODIFIER_BITS = 0x70;

/** What the notes know by number: 97 anchor, 18 predicated copy or set-predicate, 124 conditional select, 52 block boundary. */
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

/** Operand types 2 and 3 of the notes; literals count with them. */
function isUniformOrLiteral(operand: Operand): boolean {
  if (operand.kind === "reg") return isUniformReg(operand.reg) || usesNoRegister(operand.reg);
  return operand.kind === "imm" || operand.kind === "imm64" || operand.kind === "f32" || operand.kind === "f64" || operand.kind === "cbank";
}

const usesNoRegister = (r: Reg): boolean => r >> 3 === 0x1000000;

/** Why an instruction is not eligible; null: it is. */
export type Ineligible =
  | "already-marked"
  | "modifier-bits"
  | "constraint-bits"
  | "register-constraint"
  | "operand-type"
  | "already-under-predicate";

export interface MarkContext {
  readonly target: Target;
  /** The tier in +1379: 0 aggressive, 1 to 7 conservative. */
  readonly tier: number;
  /** Fold-blocking constraint of a register, by `sub_91D150`: 0 none. */
  readonly constraint: (r: Reg) => number;
}

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

/** The tests of `sub_8F2E50` for classes 18 and 124. */
export function ineligible(inst: Inst, marks: number, ctx: MarkContext): Ineligible | null {
  const word = destWord(inst) | marks;
  if (copyClass(inst) === "predicated") {
    if (((word >> 2) & 0xf) === 10) return "operand-type";
    if ((marks & MARK.UNDER_PREDICATE) !== 0) return "already-under-predicate";
    return usesOf(inst).some((r) => ctx.constraint(r) !== 0) ? "register-constraint" : null;
  }
  if ((marks & MARK.PROPAGATED) !== 0) return "already-marked";
  if ((word & MODIFIER_BITS) !== 0) return "modifier-bits";
  if (ctx.target.packedVersion > FOLD_BOUNDARY && (word & CONSTRAINT_BITS) !== 0) return "constraint-bits";
  return null;
}

/** The marks of all operands, observed as `operand-marks`; a mark stays until it is applied. */
export class OperandMarks {
  private readonly edit: Editor;
  private readonly rec: Recorder;
  private readonly structure: StructureId;
  private readonly words = new Map<InstId, number>();

  constructor(edit: Editor, rec: Recorder) {
    this.edit = edit;
    this.rec = rec;
    this.structure = rec.on ? rec.structure("table", "operand-marks", "Marked operands, until applied") : NO_STRUCTURE;
  }

  of(inst: Inst): number {
    return this.words.get(inst.id) ?? 0;
  }

  get size(): number {
    return this.words.size;
  }

  /** Sets bits of the destination's word. `why` is the rest of the sentence. */
  set(block: BlockId, inst: Inst, bits: number, line: number, why: string): void {
    const before = this.of(inst);
    if ((before | bits) === before) return;
    this.words.set(inst.id, before | bits);
    if (!this.rec.on) return;
    const text = printInst(this.edit.func, inst);
    const word = destWord(inst) | before | bits;
    this.rec.cell(this.structure, `i${inst.id}`, { inst: text, word: hex(word), marks: names(before | bits) });
    this.rec.event(
      "operand-mark",
      line,
      "the result of '{inst}' is marked {mark}: {why}",
      { inst: text, mark: hex(bits), word: hex(word), why },
      { blocks: [block], insts: [inst.id], operands: [[inst.id, 0]], nodes: [`operand-marks/i${inst.id}`] },
    );
  }

  /** The mark has been applied, or its instruction is gone. */
  clear(inst: Inst): void {
    if (!this.words.delete(inst.id) || !this.rec.on) return;
    this.rec.cell(this.structure, `i${inst.id}`, undefined);
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
