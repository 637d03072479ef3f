/** Triangles and diamonds whose arms have become empty: the head goes to the join directly. */

import { type Arms, joinPhis } from "../../analysis/arms.ts";
import { phiOp, withOps } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { Operand } from "../../ir/types.ts";
import { sameOperand } from "../../ir/visit.ts";

/**
 * Makes the head go to the join directly and deletes the arms, whose instructions the caller has moved. `values`: by PHI id, what the join's PHIs take from
 * the head; a PHI that is not in it gets the value that both edges agree on.
 */
export function closeArms(edit: Editor, arms: Arms, values: ReadonlyMap<number, Operand>): void {
  const phis = joinPhis(edit, arms) ?? [];
  const chosen = new Map(phis.map(({ phi, taken }) => [phi.id as number, values.get(phi.id) ?? taken]));
  // The head may already have an edge to the join: its inputs change in place.
  for (const { phi, taken, otherwise } of phis) {
    const value = chosen.get(phi.id);
    if (arms.shape !== "triangle" || value === undefined || (sameOperand(taken, otherwise) && sameOperand(value, taken))) continue;
    const at = edit.block(arms.join).insts.findIndex((inst) => inst.id === phi.id);
    const now = edit.block(arms.join).insts[at];
    if (now === undefined) continue;
    const ops = now.ops.map((operand) => (operand.kind === "phi" && operand.pred === arms.head ? phiOp(operand.pred, value) : operand));
    edit.replace(arms.join, at, withOps(now, ops));
  }
  edit.setTerminators(arms.head, [edit.make("BRA", [{ kind: "label", block: arms.join }])], (_succ, phi) => chosen.get(phi.id) ?? null);
  for (const arm of [arms.taken, arms.otherwise]) if (arm !== null) edit.removeBlock(arm);
  if (edit.next(arms.head) === arms.join) edit.setTerminators(arms.head, []);
}
