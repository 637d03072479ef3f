/** The graph as a readable list: blocks in layout order, each inside its loops. */

import type { BlockView } from "../../engine/api/types.ts";
import { existingLoops, type Loop } from "../session/loop-nest.ts";
import type { MomentState } from "../session/moment.ts";

export interface OutlineRow {
  readonly block: BlockView;
  /** Nesting: the number of loops around the block, counting from 0. */
  readonly depth: number;
  readonly header: boolean;
}

/** A block, or a loop by its header, among those directly in the same loop. */
interface Item {
  readonly id: number;
  readonly loop: boolean;
  readonly place: number;
}

/** Rows in layout order; loop bodies stay together under their header, even if other blocks are between them in the layout. */
export function outlineRows(moment: MomentState, loops: readonly Loop[]): readonly OutlineRow[] {
  const there = existingLoops(loops, (block) => moment.blocks.has(block));
  const loopOf = new Map<number, number>();
  for (const { header, own } of there) for (const block of own) loopOf.set(block, header);
  const place = new Map(moment.layout.map((id, i) => [id, i]));
  /** By the header of the loop; null: in none. */
  const inside = new Map<number | null, Item[]>([[null, []], ...there.map(({ header }): [number, Item[]] => [header, []])]);
  for (const { header, parent } of there) inside.get(parent)?.push({ id: header, loop: true, place: place.get(header) ?? 0 });
  for (const [i, id] of moment.layout.entries()) {
    const loop = loopOf.get(id) ?? null;
    inside.get(loop)?.push({ id, loop: false, place: loop === id ? -1 : i });
  }
  const rows: OutlineRow[] = [];
  const enter = (loop: number | null): { readonly items: Iterator<Item>; readonly loop: number | null } => ({
    items: (inside.get(loop) ?? []).sort((a, b) => a.place - b.place)[Symbol.iterator](),
    loop,
  });
  const open = [enter(null)];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { value: item, done } = top.items.next();
    if (done === true) open.pop();
    else if (item.loop) open.push(enter(item.id));
    else {
      const block = moment.blocks.get(item.id);
      if (block !== undefined) rows.push({ block, depth: open.length - 1, header: top.loop === item.id });
    }
  }
  return rows;
}
