/** HoistCommonCode: identical heads of both successors move into the block that alone leads to them. */

import { analyzeEnding } from "../../analysis/block-ending.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, sameInst, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { RULES } from "./rules.ts";
import type { State } from "./state.ts";

/** True when something moved. */
export function hoistCommonCode(state: State): boolean {
  let changed = false;
  for (const id of state.edit.func.layout.slice()) changed = hoistFrom(state, id) || changed;
  return changed;
}

function hoistFrom(state: State, id: BlockId): boolean {
  const { edit, remark } = state;
  const block = edit.block(id);
  const [left, right] = block.succs;
  if (left === undefined || right === undefined || block.succs.length !== 2) return false;
  const a = edit.block(left).insts;
  const b = edit.block(right).insts;
  const [x, y] = [a[0], b[0]];
  if (x === undefined || y === undefined || !sameInst(x, y) || isTerminator(x)) return false;
  state.matches++;
  const ending = analyzeEnding(block, edit.next(id));
  const ways = { left, right, block, blocks: [left, right] };
  const heads = { ...ways, insts: [x, y] };
  if (ending.kind !== "cond") return remark.missed(RULES.hoist, "analyzable-branch", heads) !== null;
  const { branch } = ending;
  const entered = [left, right].find((succ) => edit.block(succ).preds.length > 1) ?? null;
  if (!remark.holds(RULES.hoist, "single-predecessor", entered === null, { ...heads, entered })) return false;
  const effect = seenApart(x);
  if (!remark.holds(RULES.hoist, "head-sees-lanes", effect === null, { ...heads, head: x, effect: effect ?? "" })) return false;
  const tested = definesTested(x, branch);
  if (!remark.holds(RULES.hoist, "head-defines-condition", tested === null, { ...heads, head: x, written: tested })) return false;
  let length = 1;
  let next: Inst | null = null;
  for (; length < a.length && length < b.length; length++) {
    const [p, q] = [a[length] as Inst, b[length] as Inst];
    if (!sameInst(p, q) || isTerminator(p)) break;
    if (seenApart(p) === null && definesTested(p, branch) === null) continue;
    next = p;
    break;
  }
  const moved = a.slice(0, length);
  const done = remark.found(RULES.hoistOne, { ...ways, length, insts: moved }, () => {
    for (let i = 0; i < length; i++) edit.move(left, 0, id, terminatorsOf(edit.block(id)).at);
    edit.sweep(right, (_inst, at) => at < length);
    state.hoisted += length;
    return true;
  });
  if (done === null) return false;
  if (next !== null) {
    const seen = seenApart(next);
    if (seen !== null) remark.missed(RULES.hoist, "next-sees-lanes", { ...heads, effect: seen });
    else remark.missed(RULES.hoist, "next-defines-condition", { ...heads, written: definesTested(next, branch) });
  }
  return true;
}

/** Why lanes of both ways may not run the instruction together; null when they may. */
const seenApart = (inst: Inst): string | null => (effectOf(inst) === "sync" ? "it changes which lanes are waited for" : notShareable(inst));

/** A register that the instruction writes and the branch tests. */
function definesTested(inst: Inst, branch: Inst): Reg | null {
  const tested = usesOf(branch);
  return defsOf(inst).find((r) => tested.includes(r)) ?? null;
}
