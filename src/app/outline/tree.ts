/** The graph as a list one can read: blocks in layout order, each inside its loops. */

import type { BlockView, UnionGraph } from "../../engine/api/types.ts";
import type { MomentState } from "../session/moment.ts";

export interface OutlineRow {
  readonly block: BlockView;
  /** Nesting: the number of loops around the block, counting from 0. */
  readonly depth: number;
  readonly header: boolean;
}

/** Rows in reverse post-order where blocks have numbers, else in layout order; loop bodies stay together under their header. */
export function outlineRows(moment: MomentState, loops: UnionGraph["loops"]): readonly OutlineRow[] {
  const innermost = new Map<number, UnionGraph["loops"][number]>();
  const sorted = [...loops].sort((a, b) => b.blocks.length - a.blocks.length);
  // Larger loops first, so that the last one written is the innermost.
  for (const loop of sorted) for (const block of loop.blocks) innermost.set(block, loop);
  const byHeader = new Map(loops.map((l) => [l.header, l]));
  const chainOf = (block: number): readonly number[] => {
    const chain: number[] = [];
    for (
      let loop = innermost.get(block);
      loop !== undefined && !chain.includes(loop.header);
      loop = loop.parent === null ? undefined : byHeader.get(loop.parent)
    ) {
      chain.unshift(loop.header);
    }
    return chain;
  };
  const place = new Map(moment.layout.map((id, i) => [id, i]));
  const rows = moment.layout.flatMap((id): (OutlineRow & { key: readonly number[] })[] => {
    const block = moment.blocks.get(id);
    if (block === undefined) return [];
    const chain = chainOf(id);
    const at = place.get(id) ?? 0;
    const key = [...chain.flatMap((h) => [place.get(h) ?? 0]), at];
    return [{ block, depth: chain.length, header: chain.at(-1) === id, key }];
  });
  // A loop's blocks sort behind its header, whatever lies between them in layout order.
  return rows.sort((a, b) => {
    for (let i = 0; i < Math.min(a.key.length, b.key.length); i++) {
      const by = (a.key[i] ?? 0) - (b.key[i] ?? 0);
      if (by !== 0) return by;
    }
    return a.key.length - b.key.length;
  });
}
