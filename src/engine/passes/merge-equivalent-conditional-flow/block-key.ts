/** A text that two blocks share exactly when they do the same and go to the same places. */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { branchTarget, fallsThrough } from "../../ir/visit.ts";

/** A jump at the end and a fall-through to the same block count as the same. */
export function blockKey(edit: Editor, id: BlockId): string {
  const { insts } = edit.block(id);
  const last = insts[insts.length - 1];
  const jump = last !== undefined && last.guard === null && last.ops.length === 1 ? branchTarget(last) : null;
  const body = jump === null ? insts : insts.slice(0, -1);
  const next = jump ?? (fallsThrough(edit.block(id)) ? edit.next(id) : null);
  return `${body.map(instKey).join(";")}>${next ?? ""}`;
}

function instKey(inst: Inst): string {
  const guard = inst.guard === null ? "" : `@${inst.guard.neg ? "!" : ""}${inst.guard.reg}`;
  return `${guard}${inst.op}.${inst.mods.join(".")} ${inst.ops.map(operandKey).join(",")}`;
}

function operandKey(operand: Operand): string {
  switch (operand.kind) {
    case "reg":
      return `r${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}${operand.not ? "~" : ""}${operand.reg}`;
    case "imm":
    case "imm64":
      return `i${operand.value}`;
    case "f32":
      return `f${operand.bits}`;
    case "f64":
      return `d${operand.hi}:${operand.lo}`;
    case "cbank":
      return `c${operand.bank}:${operand.base ?? ""}:${operand.offset}:${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}`;
    case "mem":
      return `m${operand.base ?? ""}:${operand.index ?? ""}:${operand.offset}`;
    case "sreg":
      return `s${operand.name}`;
    case "label":
      return `l${operand.block}`;
    case "table":
      return `t${operand.name}`;
    case "vec":
    case "list":
      return `v${operand.kind}${operand.regs.join(":")}`;
    case "text":
      return `x${JSON.stringify(operand.text)}`;
    case "sym":
      return `y${operand.name}:${operand.offset}`;
    case "phi":
      return `p${operand.pred}:${operandKey(operand.value)}`;
  }
}
