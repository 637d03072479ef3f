/** What only policy 'measured' does: words that a store leaves in memory, and values that every predecessor of a join contains. */

import { moveOf } from "../../analysis/commoning.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { is64, isPredicateReg, isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, terminatorsOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import type { Facts } from "../../trace/event.ts";
import type { Cse } from "./cse.ts";

export interface First {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly key: number;
}

/** Each predecessor copies the value into one fresh register, from which the instruction is replaced. */
export const join = rule<Cse, First>()({
  line: "policy 'measured': all predecessors of a join contain the value: copy it into one register at their ends",
  policy: "measured",
  found: "every predecessor path of {block} computes '{inst}'",
  done: "every predecessor path of {block} computes '{inst}', so the results are copied together",
  because: "every predecessor of {block} has computed '{inst}' already",
  match({ edit, numbering, deferred, scope, exits }, { block, inst, key }) {
    const preds = numbering.fn.blocks[block]?.preds ?? [];
    const dest = defsOf(inst)[0];
    if (deferred === null || scope !== "dominator" || preds.length < 2 || dest === undefined) return null;
    if (inst.guard !== null || isUniformReg(dest) || inst.op === "MOV" || inst.op === "PMOV") return null;
    const sources: [BlockId, Reg][] = [];
    for (const pred of preds) {
      const source = exits.get(pred)?.get(key);
      if (source === undefined) return null;
      sources.push([pred, source]);
    }
    const also = (): Facts => ({ preds: preds.map((p) => edit.block(p).label) });
    // The MOVs that it makes.
    const amount = sources.length + 1;
    return { block, inst, focus: { blocks: preds }, also, dest, sources, amount };
  },
  apply(cse, { block, inst, dest, sources }) {
    const { edit } = cse;
    const shared = edit.freshReg(isPredicateReg(dest) ? "P" : is64(dest) ? "RD" : "R");
    for (const [pred, source] of sources)
      edit.insert(pred, terminatorsOf(edit.block(pred)).at, moveOf(edit.make("MOV", []), shared, source));
    edit.replace(block, cse.at, moveOf(inst, dest, shared));
  },
});

/** A store leaves its value in memory: a load of the same address finds the stored register. */
export function forward(cse: Cse, id: BlockId, inst: Inst): void {
  const { numbering, table, leaders, env } = cse;
  const key = numbering.forwarded[inst.id] ?? -1;
  const value = inst.ops[1];
  if (key < 0 || value?.kind !== "reg") return;
  const found = table.insert(key, leaders.length);
  cse.record(id, inst, value.reg, env.read(value.reg), found.isNew ? -1 : found.value);
  if (!found.isNew) table.replace(found.node, leaders.length - 1);
}

/** Values that registers contain at a block's end, for the joins below it. */
export function recordExit({ numbering, env, exits }: Cse, id: BlockId): void {
  const block = numbering.fn.blocks[id];
  if (block === undefined || !block.succs.some((s) => (numbering.fn.blocks[s]?.preds.length ?? 0) > 1)) return;
  const held = new Map<number, Reg>();
  for (const inst of block.insts) {
    const key = numbering.key[inst.id] ?? -1;
    const reg = defsOf(inst)[0];
    if (key >= 0 && reg !== undefined && inst.guard === null && env.read(reg) === numbering.version[inst.id]) held.set(key, reg);
  }
  exits.set(id, held);
}
