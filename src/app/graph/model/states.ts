/** Graphs of single states: what exists at one step, and what exists at either of two, with what became of it from the one to the other. */

import type { BlockView, UnionGraph } from "../../../engine/api/types.ts";
import { existingLoops } from "../../session/loop-nest.ts";
import type { MomentState } from "../../session/moment.ts";
import { pairKey } from "./graph-model.ts";

/** The part of a phase's graph that exists at a step. Sizes stay those of the phase, so that only a new or lost block moves cards. */
export function graphAt(union: UnionGraph, moment: MomentState): UnionGraph {
  const known = new Map(union.edges.map((e) => [pairKey(e.from, e.to), e]));
  const blocks = union.blocks.filter((b) => moment.blocks.has(b.id));
  const edges = blocks.flatMap((b) =>
    succsOf(moment, b.id).map(({ to, kind }, port) => {
      const edge = known.get(pairKey(b.id, to));
      return {
        from: b.id,
        to,
        kind,
        port,
        before: edge?.before ?? true,
        after: edge?.after ?? true,
        retreating: edge?.retreating ?? false,
      };
    }),
  );
  const loops = existingLoops(union.loops, (id) => moment.blocks.has(id));
  return { run: union.run, entry: moment.entry, blocks, edges, loops };
}

/** One graph of two states, of one phase or of two: `before` and `after` say where a block or an edge exists. */
export function graphOfTwo(base: MomentState, head: MomentState, loops: UnionGraph["loops"]): UnionGraph {
  // A removed block keeps its position: after the block that it followed.
  const gone = new Map<number | null, number[]>();
  let followed: number | null = null;
  for (const id of base.layout) {
    if (head.blocks.has(id)) followed = id;
    else gone.set(followed, [...(gone.get(followed) ?? []), id]);
  }
  const order = [...(gone.get(null) ?? []), ...head.layout.flatMap((id) => [id, ...(gone.get(id) ?? [])])];
  const size = (block: BlockView | undefined): { lines: number; columns: number } => ({
    lines: block?.insts.length ?? 0,
    columns: Math.max(0, ...(block?.insts.map((i) => i.text.length) ?? [])),
  });
  const blocks = order.map((id) => {
    const [old, now] = [base.blocks.get(id), head.blocks.get(id)];
    const [a, b] = [size(old), size(now)];
    return {
      id,
      label: now?.label ?? old?.label ?? `#${id}`,
      lines: Math.max(a.lines, b.lines),
      columns: Math.max(a.columns, b.columns),
      before: old !== undefined,
      after: now !== undefined,
    };
  });
  const runsBack = [base, head].map(retreatingIn);
  const edges = order.flatMap((from) => {
    const [was, is] = [succsOf(base, from), succsOf(head, from)];
    const all = [...is, ...was.filter(({ to }) => !is.some((s) => s.to === to))];
    return all.map(({ to, kind }, port) => ({
      from,
      to,
      kind,
      port,
      before: was.some((s) => s.to === to),
      after: is.some((s) => s.to === to),
      retreating: runsBack.some((back) => back.has(pairKey(from, to))),
    }));
  });
  const exists = (id: number): boolean => head.blocks.has(id) || base.blocks.has(id);
  return {
    run: head.run,
    entry: head.entry,
    blocks,
    edges,
    loops: existingLoops(loops, exists),
  };
}

/** The edges that lead to a lower number in reverse postorder: as the walk numbers them, for a state may have no numbers, or old ones. */
function retreatingIn(moment: MomentState): ReadonlySet<string> {
  const left = new Map<number, number>();
  const found = new Set<number>();
  const walk = (root: number): void => {
    const open: { readonly id: number; readonly ways: IterableIterator<{ readonly to: number }> }[] = [];
    const enter = (id: number): void => {
      found.add(id);
      open.push({ id, ways: succsOf(moment, id).values() });
    };
    if (!found.has(root)) enter(root);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const next = top.ways.next();
      if (next.done === true) {
        left.set(top.id, left.size);
        open.pop();
      } else if (!found.has(next.value.to)) enter(next.value.to);
    }
  };
  walk(moment.entry);
  for (const id of moment.blocks.keys()) walk(id);
  const back = new Set<string>();
  for (const from of moment.blocks.keys()) {
    for (const { to } of succsOf(moment, from)) if ((left.get(to) ?? 0) >= (left.get(from) ?? 0)) back.add(pairKey(from, to));
  }
  return back;
}

/** A block's successors, each once: a table may name one for many cases. */
function succsOf(moment: MomentState, id: number): { to: number; kind: BlockView["succKinds"][number] }[] {
  const block = moment.blocks.get(id);
  const seen = new Set<number>();
  const result: { to: number; kind: BlockView["succKinds"][number] }[] = [];
  block?.succs.forEach((to, i) => {
    if (seen.has(to) || !moment.blocks.has(to)) return;
    seen.add(to);
    result.push({ to, kind: block.succKinds[i] ?? "jump" });
  });
  return result;
}

const shapes = new WeakMap<BlockView, string>();

/** Two states with the same text have the same blocks and edges in the same order. */
export function shapeOf(moment: MomentState | null): string {
  if (moment === null) return "";
  let text = `${moment.run}:${moment.entry}`;
  for (const block of moment.blocks.values()) {
    let shape = shapes.get(block);
    if (shape === undefined) {
      shape = `;${block.id}>${block.succs.join()}/${block.succKinds.join()}`;
      shapes.set(block, shape);
    }
    text += shape;
  }
  return text;
}

export type Diff = "same" | "added" | "removed" | "changed";

/** What became of a block. */
export function diffOf(old: BlockView | undefined, now: BlockView | undefined): Diff {
  if (old === undefined) return now === undefined ? "same" : "added";
  if (now === undefined) return "removed";
  if (old === now) return "same";
  const same =
    old.insts.length === now.insts.length &&
    old.insts.every((inst, i) => inst.text === now.insts[i]?.text) &&
    old.succs.length === now.succs.length &&
    old.succs.every((to, i) => to === now.succs[i]);
  return same ? "same" : "changed";
}

export interface BlockDifference {
  readonly id: number;
  readonly label: string;
  readonly diff: Exclude<Diff, "same">;
}

/** The blocks that differ, in the order in which one graph of both has them. */
export function differencesOf(base: MomentState, head: MomentState): readonly BlockDifference[] {
  return graphOfTwo(base, head, []).blocks.flatMap(({ id, label }) => {
    const diff = diffOf(base.blocks.get(id), head.blocks.get(id));
    return diff === "same" ? [] : [{ id, label, diff }];
  });
}

/** How many blocks became what. */
export function diffCounts(base: MomentState, now: MomentState | null): Readonly<Record<Diff, number>> {
  const counts = { same: 0, added: 0, removed: 0, changed: 0 };
  for (const id of new Set([...base.blocks.keys(), ...(now?.blocks.keys() ?? [])]))
    counts[diffOf(base.blocks.get(id), now?.blocks.get(id))]++;
  return counts;
}

/** What became of an edge. */
export function edgeDiff(base: MomentState, head: MomentState, from: number, to: number): Diff {
  const was = base.blocks.get(from)?.succs.includes(to) ?? false;
  const is = head.blocks.get(from)?.succs.includes(to) ?? false;
  return was === is ? "same" : is ? "added" : "removed";
}
