/** The canonical order of leaves: constants last, then ascending value number. */

import { regIndex } from "../../ir/reg.ts";
import type { Operand } from "../../ir/types.ts";
import { isConstantOperand } from "./operators.ts";
import type { Leaf } from "./trees.ts";

/** The 24-bit value number of an operand: its register index; null for a constant. */
export function valueNumber(operand: Operand): number | null {
  return operand.kind === "reg" && !isConstantOperand(operand) ? regIndex(operand.reg) : null;
}

/** Leaves in canonical order; equal ones keep theirs. */
export function sorted(leaves: readonly Leaf[]): Leaf[] {
  return leaves.toSorted((a, b) => compare(a.operand, b.operand));
}

export function isSorted(leaves: readonly Leaf[]): boolean {
  return leaves.every((leaf, i) => {
    const before = leaves[i - 1];
    return before === undefined || compare(before.operand, leaf.operand) <= 0;
  });
}

function compare(a: Operand, b: Operand): number {
  const [x, y] = [sortKey(a), sortKey(b)];
  for (let i = 0; i < x.length; i++) {
    const d = (x[i] ?? 0) - (y[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

/** Constant or not, kind, number, and the rest that distinguishes operands with one number. */
function sortKey(operand: Operand): readonly number[] {
  const sign = operand.kind === "reg" || operand.kind === "cbank" ? (operand.neg ? 1 : 0) : 0;
  switch (operand.kind) {
    case "reg":
      return [isConstantOperand(operand) ? 1 : 0, 0, regIndex(operand.reg), operand.reg & 7, sign, operand.not ? 1 : 0];
    case "cbank":
      return [1, 1, operand.bank, operand.offset, operand.base ?? -1, sign];
    case "imm":
      return [1, 3, operand.value];
    case "imm64":
      return [1, 4, Number(operand.value)];
    default:
      return [1, 2];
  }
}
