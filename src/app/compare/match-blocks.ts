/** Blocks of two programs that are the same one: by label, because numbers are given anew in each run. */

import type { BlockView } from "../../engine/api/types.ts";
import type { MomentState } from "../session/moment.ts";

/** `head` with the numbers that `base` has for blocks of the same label; what only `head` has gets numbers of its own. */
export function inNumbersOf(base: MomentState, head: MomentState): MomentState {
  const known = new Map([...base.blocks.values()].map((block) => [block.label, block.id]));
  let free = 1 + Math.max(-1, ...base.blocks.keys(), ...head.blocks.keys());
  const numbers = new Map<number, number>();
  for (const { id, label } of head.blocks.values()) {
    const same = known.get(label);
    known.delete(label);
    numbers.set(id, same ?? free++);
  }
  if ([...numbers].every(([from, to]) => from === to)) return head;
  const to = (id: number): number => numbers.get(id) ?? id;
  const renumbered = (block: BlockView): BlockView => ({
    ...block,
    id: to(block.id),
    succs: block.succs.map(to),
    preds: block.preds.map(to),
  });
  return {
    ...head,
    entry: to(head.entry),
    blocks: new Map([...head.blocks.values()].map((block) => [to(block.id), renumbered(block)])),
    layout: head.layout.map(to),
    tables: head.tables.map((table) => ({
      ...table,
      default: table.default === null ? null : to(table.default),
      entries: table.entries.map(to),
    })),
  };
}
