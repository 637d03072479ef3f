/** Accepts a form only if the opcode table does: for any listing, the result passes the verifier. */

import { orderMods } from "../../../../engine/ir/mods.ts";
import { operandProblem, slotsFor } from "../../../../engine/ir/shape.ts";
import type { Operand } from "../../../../engine/ir/types.ts";
import type { OriForm } from "./rows.ts";

export interface Accepted {
  readonly op: OriForm["op"];
  readonly mods: readonly string[];
  readonly ops: readonly Operand[];
}

/** Null when the operands or modifiers are not the opcode's. */
export function accept(form: OriForm | null): Accepted | null {
  if (form === null) return null;
  const ops: Operand[] = [];
  for (const operand of form.ops) {
    if (operand === null) return null;
    ops.push(operand);
  }
  const { mods, unknown, missing } = orderMods(form.op, form.mods);
  if (unknown.length > 0 || missing.length > 0) return null;
  const slots = slotsFor(form.op, ops.length);
  if (slots === null) return null;
  for (const [i, slot] of slots.entries()) {
    const operand = ops[i];
    if (operand === undefined || operandProblem(form.op, mods, slot, i, operand, ops[0]) !== null) return null;
  }
  return { op: form.op, mods, ops };
}
