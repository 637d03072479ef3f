/** HoistCommonCode: identical heads of both successors move into the block that alone leads to them. */

import { analyzeEnding } from "../../analysis/block-ending.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, sameInst, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { LINE } from "./pseudocode.ts";
import { labelOf, refuse, type State } from "./state.ts";

/** True when something moved. */
export function hoistCommonCode(state: State): boolean {
  let changed = false;
  for (const id of state.edit.func.layout.slice()) changed = hoistFrom(state, id) || changed;
  return changed;
}

function hoistFrom(state: State, id: BlockId): boolean {
  const { edit, rec } = state;
  const block = edit.block(id);
  const [left, right] = block.succs;
  if (left === undefined || right === undefined || block.succs.length !== 2) return false;
  const a = edit.block(left).insts;
  const b = edit.block(right).insts;
  const [x, y] = [a[0], b[0]];
  if (x === undefined || y === undefined || !sameInst(x, y) || isTerminator(x)) return false;
  const ending = analyzeEnding(block, edit.next(id));
  const names = { block: block.label, left: labelOf(state, left), right: labelOf(state, right) };
  const focus = { blocks: [id, left, right], insts: [x.id, y.id] };
  state.matches++;
  const no = (condition: string, why: string): false => {
    refuse(state, condition);
    if (rec.on) {
      rec.event(
        "match",
        LINE.hoist,
        "{left} and {right} begin alike, but nothing moves into {block}: {why}",
        { ...names, why, verdict: "no", condition },
        focus,
      );
    }
    return false;
  };
  if (ending.kind !== "cond") return no("analyzable-branch", "its branch cannot be analysed");
  for (const succ of [left, right]) {
    if (edit.block(succ).preds.length > 1) return no("single-predecessor", `${labelOf(state, succ)} can be entered from elsewhere too`);
  }
  let length = 0;
  let stop: { readonly condition: string; readonly why: string } | null = null;
  while (stop === null && length < a.length && length < b.length) {
    const [p, q] = [a[length] as Inst, b[length] as Inst];
    if (!sameInst(p, q) || isTerminator(p)) break;
    stop = whyNotHoist(p, ending.branch);
    if (stop === null) length++;
  }
  if (length === 0) return stop === null ? false : no(stop.condition, `'${printInst(edit.func, x)}': ${stop.why}`);
  if (rec.on) {
    rec.begin(
      "rewrite",
      LINE.hoistOne,
      "{left} and {right} begin with the same {length} {length:instruction: it moves|instructions: they move} into {block}, before its branch",
      { ...names, length, verdict: "yes" },
      { ...focus, insts: a.slice(0, length).map((inst) => inst.id) },
    );
  }
  for (let i = 0; i < length; i++) {
    edit.move(left, 0, id, terminatorsOf(edit.block(id)).at);
  }
  edit.sweep(right, (_inst, at) => at < length);
  state.rewrites++;
  state.hoisted += length;
  if (rec.on) {
    rec.end();
    if (stop !== null) no(stop.condition, `the next pair stays, ${stop.why}`);
  }
  return true;
}

function whyNotHoist(inst: Inst, branch: Inst): { readonly condition: string; readonly why: string } | null {
  if (effectOf(inst) === "sync") return { condition: "convergence", why: "it changes which lanes are waited for" };
  const shared = notShareable(inst);
  if (shared !== null) return { condition: "convergence", why: shared };
  const tested = new Set(usesOf(branch));
  const clash = defsOf(inst).find((r) => tested.has(r));
  return clash === undefined ? null : { condition: "defines-condition", why: `it writes ${regName(clash)}, which the branch tests` };
}
