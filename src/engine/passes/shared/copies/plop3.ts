/** PLOP3 with known or repeated inputs: its truth table restricted to what can still vary. */

import { withForm } from "../../../ir/copies.ts";
import type { Reg } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Inst, Operand } from "../../../ir/types.ts";
import { constantMove } from "./constant.ts";
import type { Folded } from "./fold.ts";

/** A constant, a copy or a complement, when the table restricted to the inputs that vary is one; else null. a = 0xF0, b = 0xCC, c = 0xAA. */
export function reducePlop3(inst: Inst, dest: Operand & { kind: "reg" }): Folded | null {
  const table = inst.ops[4];
  const inputs = inst.ops.slice(1, 4);
  if (table?.kind !== "imm") return null;
  const varying: Reg[] = [];
  for (const input of inputs) {
    if (input.kind !== "reg") return null;
    if (!isConstantReg(input.reg) && !varying.includes(input.reg)) varying.push(input.reg);
  }
  const results: boolean[] = [];
  for (let assignment = 0; assignment < 1 << varying.length; assignment++) {
    let row = 0;
    for (const input of inputs) {
      if (input.kind !== "reg") return null;
      const raw = isConstantReg(input.reg) ? true : ((assignment >> varying.indexOf(input.reg)) & 1) === 1;
      row = row * 2 + (raw !== input.neg ? 1 : 0);
    }
    results.push(((table.value >> row) & 1) === 1);
  }
  const first = results[0] ?? false;
  if (results.every((r) => r === first)) {
    const move = constantMove(inst, dest, { kind: "pred", value: first }, "bits");
    return { line: "simplify", way: first ? "table-true" : "table-false", inst: move };
  }
  for (const [i, reg] of varying.entries()) {
    for (const neg of [false, true]) {
      if (!results.every((r, assignment) => r === ((((assignment >> i) & 1) === 1) !== neg))) continue;
      const source: Operand = { kind: "reg", reg, neg, abs: false, not: false };
      const copy = withForm(inst, "PMOV", [], [dest, source]);
      return { line: "simplify", way: neg ? "table-complement" : "table-input", inst: copy };
    }
  }
  return null;
}
