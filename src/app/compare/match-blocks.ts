/** Matches the blocks of two programs by label: each run numbers its blocks from 0. */

import type { BlockView } from "../../engine/api/types.ts";
import type { MomentState } from "../session/moment.ts";

/** Renumbers `head`: a block has the number of `base`'s block of the same label, or an unused one. */
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
