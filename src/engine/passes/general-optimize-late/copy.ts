/** What the walk examines: an unguarded copy of a whole register or an integer. */

import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";

export interface Place {
  readonly block: BlockId;
  readonly inst: Inst;
}

export interface Copy extends Place {
  readonly dest: Reg;
  readonly source: Operand;
}

/** Null for any other instruction. */
export function copyOf(block: BlockId, inst: Inst): Copy | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, source] = inst.ops;
  if (dest?.kind !== "reg" || isConstantReg(dest.reg) || source === undefined) return null;
  const isPlain = source.kind === "reg" && !source.neg && !source.abs && !source.not;
  return isPlain || source.kind === "imm" || source.kind === "imm64" ? { block, inst, dest: dest.reg, source } : null;
}
