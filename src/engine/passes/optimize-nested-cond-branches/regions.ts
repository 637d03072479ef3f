/**
 * Two nested regions become one (branch-and-switch, GPU-Specific Considerations): the inner block opens its own region inside that of the outer
 * one, and both end at the same place. Between the inner BSYNC and the outer one nothing runs, so that lanes that wait only for the outer one
 * reconverge where they did before.
 */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { alwaysRuns, barrierOf, effectOf, isUnconditional } from "../../ir/visit.ts";

interface Place {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
}

/** The inner region, which may go. */
export interface NestedRegion {
  readonly inner: Reg;
  readonly outer: Reg;
  readonly opens: Place;
  readonly closes: Place;
}

export type RegionObstacle =
  | { readonly reason: "no-outer-region" | "guarded-region" | "ends-apart" | "region-loop"; readonly inst: Inst }
  | { readonly reason: "barrier-elsewhere"; readonly inst: Inst; readonly barrier: Reg };

/** The BSSY of a block that opens a region. */
export const opensRegion = (block: Block): Inst | undefined => block.insts.find((inst) => inst.op === "BSSY");

/** The successor of a block that only ends a region; the block itself for any other. */
export function pastJoin(edit: Editor, id: BlockId): BlockId {
  const { insts, succs } = edit.block(id);
  const [sync, jump, more] = insts;
  const [to, second] = succs;
  const jumps = jump === undefined || (jump.op === "BRA" && isUnconditional(jump));
  return sync?.op === "BSYNC" && alwaysRuns(sync) && jumps && more === undefined && to !== undefined && second === undefined ? to : id;
}

/** The region that the inner block opens, when it may go together with the inner block's branch; why not, when it has to stay. */
export function nestedRegion(edit: Editor, outer: BlockId, inner: BlockId): NestedRegion | RegionObstacle | null {
  const { insts } = edit.block(inner);
  const at = insts.findIndex((inst) => inst.op === "BSSY");
  const inst = insts[at];
  const barrier = inst === undefined ? null : barrierOf(inst);
  if (inst === undefined || barrier === null) return null;
  const around = edit.block(outer).insts.findLast((each) => effectOf(each) === "sync" || effectOf(each) === "barrier");
  const enclosing = around?.op === "BSSY" ? barrierOf(around) : null;
  if (around === undefined || enclosing === null || enclosing === barrier) return { reason: "no-outer-region", inst };
  const closing: Place[] = [];
  for (const [own, open] of [
    [barrier, inst],
    [enclosing, around],
  ] as const) {
    const others = placesOf(edit, own).filter((place) => place.inst !== open);
    const [sync] = others;
    if (sync === undefined || others.length > 1 || sync.inst.op !== "BSYNC") return { reason: "barrier-elsewhere", inst, barrier: own };
    if (!alwaysRuns(open) || !alwaysRuns(sync.inst)) return { reason: "guarded-region", inst };
    closing.push(sync);
  }
  const [closes, last] = closing;
  if (closes === undefined || last === undefined || !endTogether(edit, closes, last)) return { reason: "ends-apart", inst };
  if (comesBack(edit, outer, inner, new Set([closes.block, last.block]))) return { reason: "region-loop", inst };
  return { inner: barrier, outer: enclosing, opens: { block: inner, at, inst }, closes };
}

function placesOf(edit: Editor, barrier: Reg): Place[] {
  return edit.func.layout.flatMap((block) =>
    edit.block(block).insts.flatMap((inst, at) => (barrierOf(inst) === barrier ? [{ block, at, inst }] : [])),
  );
}

/** The outer BSYNC is the next instruction, in the same block or at the head of the only one after it. */
function endTogether(edit: Editor, inner: Place, outer: Place): boolean {
  if (outer.block === inner.block) return outer.at === inner.at + 1;
  return outer.at === 0 && inner.at === 0 && pastJoin(edit, inner.block) === outer.block;
}

/** A path leads from the inner block to where one of the regions opens before they end. */
function comesBack(edit: Editor, outer: BlockId, inner: BlockId, ends: ReadonlySet<BlockId>): boolean {
  if (ends.has(outer) || ends.has(inner)) return true;
  const seen = new Set<BlockId>();
  const stack: BlockId[] = [...edit.block(inner).succs];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === outer || id === inner) return true;
    if (seen.has(id) || ends.has(id)) continue;
    seen.add(id);
    stack.push(...edit.block(id).succs);
  }
  return false;
}

/** Takes BSSY and BSYNC of the inner region out. */
export function removeRegion(edit: Editor, { opens, closes }: NestedRegion): void {
  for (const { block, inst } of [closes, opens]) edit.sweep(block, ({ id }: { readonly id: InstId }) => id === inst.id);
}
