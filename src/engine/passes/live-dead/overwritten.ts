/** Policy 'measured': a store to global memory goes when the next access to any memory, in the same block, stores over the same words. */

import type { BlockId, InstId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, sameOperand, usesOf } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import { RULES } from "./rules.ts";

/** Each lane stores over what it stored itself; nothing in between could see it, not even another lane that may run in between without a race. */
export function removeOverwritten(
  { edit, remark, policy }: Pick<PassContext, "edit" | "remark" | "policy">,
  blocks: readonly BlockId[],
): void {
  for (const id of blocks) {
    const doomed = new Set<InstId>();
    let last: Inst | null = null;
    for (const inst of edit.block(id).insts) {
      const effect = effectOf(inst);
      if (effect === "pure") {
        if (last !== null && defsOf(inst).some((r) => last !== null && usesOf(last).includes(r))) last = null;
        continue;
      }
      const store = isPlainStore(inst) ? inst : null;
      if (last !== null && store !== null && overwrites(last, store)) {
        const gone = last;
        const said = { inst: gone, by: store, block: id, insts: [gone, store] };
        if (policy === "measured") remark.found(RULES.overwritten, said, () => doomed.add(gone.id));
        else remark.missed(RULES.overwritten, "policy", said);
      }
      last = store;
    }
    if (doomed.size > 0) edit.sweep(id, (inst) => doomed.has(inst.id));
  }
}

const isPlainStore = (inst: Inst): boolean => inst.op === "STG" && inst.guard === null && !isVolatileAccess(inst);

/** The same address, as no register of it was written in between, and the same width. */
function overwrites(first: Inst, second: Inst): boolean {
  const [a, b] = [first.ops[0], second.ops[0]];
  const alike = first.mods.length === second.mods.length && first.mods.every((mod, i) => mod === second.mods[i]);
  return alike && a?.kind === "mem" && b?.kind === "mem" && sameOperand(a, b);
}
