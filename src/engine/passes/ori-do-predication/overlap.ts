/**
 * Policy 'measured': a triangle whose arm loads from global memory is predicated only where its load overlaps with something, a load that the head has in flight or
 * computations of the join; else the branch stays, whatever its length. Two arms overlap with each other.
 */

import type { Arms } from "../../analysis/arms.ts";
import type { Editor } from "../../ir/edit.ts";
import type { Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, isUnconditional, usesOf } from "../../ir/visit.ts";

/** Fewer computations of the join were never seen to be enough. */
const ENOUGH = 2;

export function overlaps(edit: Editor, { shape, head, join, taken, otherwise }: Arms): boolean {
  if (shape === "diamond") return true;
  const arm = edit.block(taken ?? otherwise ?? head).insts;
  if (!arm.some((inst) => inst.op === "LDG")) return true;
  return loadInFlight(edit.block(head).insts) || computes(edit.block(join).insts, arm);
}

/** A load of the head that no store, atomic or barrier follows, and that its branch does not wait for. */
function loadInFlight(insts: readonly Inst[]): boolean {
  const needed = new Set<Reg>();
  for (const inst of insts.toReversed()) {
    const effect = effectOf(inst);
    if (effect !== "pure" && effect !== "load" && effect !== "control" && effect !== "sync") return false;
    const waitedFor = isTerminator(inst) || defsOf(inst).some((r) => needed.has(r));
    if (inst.op === "LDG" && !waitedFor) return true;
    if (waitedFor) for (const r of usesOf(inst)) needed.add(r);
  }
  return false;
}

/** The block ends the thread, and computes something that waits neither for the arm nor for one of its loads. */
function computes(insts: readonly Inst[], arm: readonly Inst[]): boolean {
  const end = insts.at(-1);
  if (end === undefined || !isUnconditional(end) || (end.op !== "EXIT" && end.op !== "RET")) return false;
  const late = new Set<Reg>(arm.flatMap((inst) => [...defsOf(inst)]));
  let free = 0;
  for (const inst of insts) {
    const waits = effectOf(inst) !== "pure" || usesOf(inst).some((r) => late.has(r));
    if (waits) for (const r of defsOf(inst)) late.add(r);
    else if (inst.op !== "MOV" && inst.op !== "PMOV" && inst.op !== "PHI") free++;
  }
  return free >= ENOUGH;
}
