/** Evidence for a change in the program itself: the last edge into a block, the readers of a register, the instruction that computed a value. */

import { dominates, dominators } from "../../analysis/dominators.ts";
import { liveness } from "../../analysis/liveness.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { parseReg, regName } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, getBlock, surelyDefines, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { succChange } from "../../trace/edit-event.ts";
import type { Trace } from "../../trace/trace.ts";

/** A fact that a rewrite rests on. */
export interface Reason {
  readonly sentence: string;
  /** The step that shows it; null: it is so in the program, or in the rewrite itself. */
  readonly step: number | null;
}

/** Why a block may be deleted at a step. */
export function whyUnreached(trace: Trace, step: number, block: BlockId): Reason {
  const label = trace.label(block);
  const lost = lostEdge(trace, step, block);
  if (lost !== null) return { sentence: `no edge leads to ${label} any more: its last one, ${lost.said}`, step: lost.step };
  const preds = trace.funcAt(step - 1).blocks[block]?.preds ?? [];
  if (preds.length === 0) return { sentence: `no edge led to ${label} when the phase began`, step: null };
  const names = preds.map((id) => trace.label(id)).join(", ");
  for (const pred of preds) {
    const above = lostEdge(trace, step, pred);
    if (above === null) continue;
    const sentence = `${label} cannot be reached: the last edge to its predecessor ${trace.label(pred)}, ${above.said}`;
    return { sentence, step: above.step };
  }
  return { sentence: `${label} cannot be reached: no path leads from the entry to its predecessors (${names})`, step: null };
}

/** The last edge that led to a block, and what happened to it. */
function lostEdge(trace: Trace, step: number, block: BlockId): { readonly said: string; readonly step: number } | null {
  for (let s = step; s >= 0; s--) {
    const op = trace.editOf(s);
    if (op?.op !== "succs" || !succChange(op).removed.includes(block)) continue;
    const { added } = succChange(op);
    const became = added.length === 0 ? "was removed" : `was redirected to ${added.map((to) => trace.label(to)).join(" and ")}`;
    return { said: `from ${trace.label(op.block)}, ${became} at step ${s + 1}`, step: s };
  }
  return null;
}

/** Why a jump table may be deleted. */
export const whyUnnamed = (table: string): Reason => ({ sentence: `no instruction names the table ${table} any more`, step: null });

/** Why an instruction may be deleted: nothing reads its results after it. Null where it has none, or they are read. */
export function whyDead(trace: Trace, step: number, inst: Inst): Reason | null {
  const results = defsOf(inst);
  // A barrier is not read for its value.
  if (results.length === 0 || results.some((r) => regName(r).startsWith("B"))) return null;
  const fn = trace.funcAt(step - 1);
  const readers = readersOf(fn, results).filter(({ id }) => id !== inst.id);
  const names = results.map((r) => regName(r)).join(" and ");
  const [reader] = readers;
  if (reader !== undefined) {
    const text = printInst(trace.naming, reader);
    const deleted = deletedLater(trace, step);
    if (readers.every(({ id }) => deleted.has(id)))
      return { sentence: `the only readers of ${names} are deleted, too, such as '${text}'`, step: deleted.get(reader.id) ?? null };
    return isDead(fn, inst, results) ? { sentence: `${names} is written again on every path before it is read`, step: null } : null;
  }
  for (let s = step - 1; s >= 0; s--) {
    const op = trace.editOf(s);
    if (op?.op !== "insts" && op?.op !== "block-remove") continue;
    const lost = op.op === "insts" ? op.removed : op.block.insts;
    const last = lost.findLast((old) => old.id !== inst.id && usesOf(old).some((r) => results.includes(r)));
    if (last === undefined) continue;
    const kept = op.op === "insts" && op.inserted.some(({ id }) => id === last.id);
    const text = printInst(trace.naming, last);
    return {
      sentence: `nothing reads ${names} any more: its last reader, '${text}', was ${kept ? "changed" : "deleted"} at step ${s + 1}`,
      step: s,
    };
  }
  return { sentence: `no instruction read ${names} when the phase began`, step: null };
}

/** The instruction whose value a leader's register contains, at the state before a step. */
export function whySame(trace: Trace, step: number, inst: Inst, leader: string): Reason | null {
  const reg = parseReg(leader);
  if (reg === null) return null;
  const fn = trace.funcAt(step - 1);
  const at = placeOf(fn, inst.id);
  const defs = fn.layout.flatMap((id) =>
    getBlock(fn, id).insts.flatMap((one, index) => (one.id !== inst.id && defsOf(one).includes(reg) ? [{ one, block: id, index }] : [])),
  );
  const [def] = defs;
  if (at === null || def === undefined || defs.length > 1) return null;
  const text = printInst(trace.naming, def.one);
  if (def.block === at.block)
    return def.index < at.index ? { sentence: `'${text}', earlier in the same block, has computed the value`, step: null } : null;
  const [above, here] = [trace.label(def.block), trace.label(at.block)];
  return dominates(dominators(fn), def.block, at.block)
    ? { sentence: `'${text}' in ${above} has computed the value, and every path to ${here} leads through ${above}`, step: null }
    : null;
}

/** Whether no path leads from an instruction to a reader of its results. */
function isDead(fn: Func, inst: Inst, results: readonly Reg[]): boolean {
  const at = placeOf(fn, inst.id);
  if (at === null) return false;
  return results.every((reg) => {
    for (const next of getBlock(fn, at.block).insts.slice(at.index + 1)) {
      if (usesOf(next).includes(reg)) return false;
      if (surelyDefines(next, reg)) return true;
    }
    return !liveness(fn).isLiveOut(at.block, reg);
  });
}

function readersOf(fn: Func, regs: readonly Reg[]): Inst[] {
  return fn.layout.flatMap((id) => getBlock(fn, id).insts.filter((inst) => usesOf(inst).some((r) => regs.includes(r))));
}

function placeOf(fn: Func, id: number): { readonly block: BlockId; readonly index: number } | null {
  for (const block of fn.layout) {
    const index = getBlock(fn, block).insts.findIndex((inst) => inst.id === id);
    if (index >= 0) return { block, index };
  }
  return null;
}

/** Instructions that later steps of the phase delete, with the steps. */
function deletedLater(trace: Trace, step: number): ReadonlyMap<number, number> {
  const deleted = new Map<number, number>();
  for (let s = step; s < trace.steps; s++) {
    const op = trace.editOf(s);
    if (op?.op !== "insts") continue;
    for (const { id } of op.removed) if (!op.inserted.some((inst) => inst.id === id)) deleted.set(id, s);
    for (const { id } of op.inserted) deleted.delete(id);
  }
  return deleted;
}
