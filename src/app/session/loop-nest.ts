/** Queries about the loops of a graph, each of which lists only the blocks that no inner loop contains. Outer loops come before the loops inside them. */

import type { UnionGraph } from "../../engine/api/types.ts";

export type Loop = UnionGraph["loops"][number];

/** Headers of the loops around a block, innermost first. */
export function headersAround(loops: readonly Loop[], block: number): readonly number[] {
  const parents = new Map(loops.map((l) => [l.header, l.parent]));
  const headers: number[] = [];
  for (let at = loops.find((l) => l.own.includes(block))?.header ?? null; at !== null; at = parents.get(at) ?? null) headers.push(at);
  return headers;
}

/** All blocks of each chosen loop that is not inside another chosen one: every block is listed at most once. */
export function outermost(loops: readonly Loop[], chosen: (loop: Loop) => boolean): ReadonlyMap<number, readonly number[]> {
  const within = new Map<number, number>();
  const blocks = new Map<number, number[]>();
  for (const loop of loops) {
    const top = (loop.parent === null ? undefined : within.get(loop.parent)) ?? (chosen(loop) ? loop.header : undefined);
    if (top === undefined) continue;
    within.set(loop.header, top);
    const list = blocks.get(top) ?? [];
    for (const block of loop.own) list.push(block);
    blocks.set(top, list);
  }
  return blocks;
}

/** The loops of those blocks that exist: one without its header dissolves into the loop around it. */
export function existingLoops(loops: readonly Loop[], exists: (block: number) => boolean): readonly Loop[] {
  const kept = new Map<number, { readonly header: number; readonly own: number[]; readonly parent: number | null }>();
  /** Header of the kept loop that each loop is, or is dissolved into. */
  const into = new Map<number, number | null>();
  for (const { header, own, parent } of loops) {
    const around = parent === null ? null : (into.get(parent) ?? null);
    if (exists(header)) kept.set(header, { header, own: [], parent: around });
    const here = exists(header) ? header : around;
    into.set(header, here);
    const list = here === null ? undefined : kept.get(here)?.own;
    for (const block of own) if (exists(block)) list?.push(block);
  }
  return [...kept.values()];
}
