/** Policy 'measured': a store whose words the next memory access of its block overwrites. */

import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, sameOperand, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { type State, sweepDoomed } from "./state.ts";

interface Overwrite {
  readonly block: Block;
  readonly first: Inst;
  readonly by: Inst;
}

export const overwritten = rule<State, Overwrite>()({
  line: "measured: the next memory access in its block overwrites a store's words: remove the first store",
  policy: "measured",
  found: "'{inst}' in {block} is removed: '{by:inst}' overwrites it before anything reads memory",
  missed: {
    policy: {
      counts: false,
      why: "only policy 'measured' removes stores",
      say: "'{inst}' in {block} is kept although '{by:inst}' overwrites it: only policy 'measured' removes stores",
    },
  },
  match({ policy }, { block, first, by }, miss) {
    if (!overwrites(first, by)) return null;
    const match = { inst: first, by, block, insts: [first, by] };
    return policy === "measured" ? match : miss("policy", match);
  },
  apply: ({ doomed }, { inst }) => doomed.add(inst.id),
});

/** Each lane overwrites what it stored itself; nothing in between could see it, not even another lane that may run in between without a race. */
export function removeOverwritten(state: State, block: Block): void {
  let last: Inst | null = null;
  for (const inst of block.insts) {
    const effect = effectOf(inst);
    if (effect === "pure") {
      if (last !== null && definesUseOf(inst, last)) last = null;
      continue;
    }
    const store = isPlainStore(inst) ? inst : null;
    if (last !== null && store !== null) overwritten.look(state, { block, first: last, by: store })?.request()?.commit();
    last = store;
  }
  sweepDoomed(state, block.id);
}

const definesUseOf = (inst: Inst, reader: Inst): boolean => defsOf(inst).some((r) => usesOf(reader).includes(r));

const isPlainStore = (inst: Inst): boolean => inst.op === "STG" && inst.guard === null && !isVolatileAccess(inst);

/** The same address, as no register of it was written in between, and the same width. */
function overwrites(first: Inst, second: Inst): boolean {
  const [a, b] = [first.ops[0], second.ops[0]];
  const alike = first.mods.length === second.mods.length && first.mods.every((mod, i) => mod === second.mods[i]);
  return alike && a?.kind === "mem" && b?.kind === "mem" && sameOperand(a, b);
}
