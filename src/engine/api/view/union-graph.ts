/** The graph of a phase: every block and edge that exists at some step of it, so that one layout serves all steps. */

import { loopInfo } from "../../analysis/loops.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { printInst } from "../../text/printer.ts";
import type { Trace } from "../../trace/trace.ts";
import type { UnionGraph } from "../types.ts";
import { instView, succKinds } from "./func-view.ts";

interface Size {
  now: number;
  lines: number;
  columns: number;
}

type UnionEdge = UnionGraph["edges"][number];

/** `trace` null: the phase changed nothing in between that is not in `before` or `after`. */
export function unionGraph(run: number, before: Func, after: Func, trace: Trace | null): UnionGraph {
  const union = new UnionBuilder(before);
  if (trace !== null) union.replay(trace);
  union.addState(after);
  const order = union.order();
  const label = (id: BlockId): string => after.blocks[id]?.label ?? before.blocks[id]?.label ?? trace?.label(id) ?? `#${id}`;
  return {
    run,
    entry: after.layout[0] ?? before.layout[0] ?? -1,
    blocks: order.map((id) => {
      const size = union.sizes.get(id);
      const exists = (fn: Func): boolean => fn.blocks[id] !== undefined;
      return { id, label: label(id), lines: size?.lines ?? 0, columns: size?.columns ?? 0, before: exists(before), after: exists(after) };
    }),
    edges: unionEdges(union, order, before, after),
    loops: unionLoops(order, before, after),
  };
}

class UnionBuilder {
  /** What follows each block, and (null) what comes first: a new block is inserted after the block that it followed when it appeared. */
  private readonly next = new Map<BlockId | null, BlockId | null>([[null, null]]);
  readonly sizes = new Map<BlockId, Size>();
  /** Targets by source, in the order of first appearance. */
  readonly succs = new Map<BlockId, Set<BlockId>>();

  constructor(before: Func) {
    this.addState(before);
  }

  /** Every block. */
  order(): readonly BlockId[] {
    const order: BlockId[] = [];
    for (let id = this.next.get(null) ?? null; id !== null; id = this.next.get(id) ?? null) order.push(id);
    return order;
  }

  addState(fn: Func): void {
    for (const [i, id] of fn.layout.entries()) {
      this.place(id, fn.layout[i - 1]);
      this.addBlock(fn, id);
    }
  }

  /** Walks the journal; only what the phase made in between is of interest. */
  replay(trace: Trace): void {
    const layout = [...trace.input.layout];
    const { naming } = trace;
    for (let entry = 0; entry < trace.journal.length; entry++) {
      const op = trace.journal.editAt(entry);
      if (op === null) continue;
      switch (op.op) {
        case "block-add":
          this.place(op.block.id, layout[op.at - 1]);
          layout.splice(op.at, 0, op.block.id);
          this.grow(op.block.id, 0, op.block.insts, naming);
          this.addEdges(op.block.id, op.block.succs);
          break;
        case "block-remove":
          layout.splice(op.at, 1);
          break;
        case "layout":
          layout.splice(op.from, 1);
          layout.splice(op.to, 0, op.block);
          break;
        case "insts":
          this.grow(op.block, op.removed.length, op.inserted, naming);
          break;
        case "move":
          this.grow(op.from, 1, [], naming);
          this.grow(op.to, 0, [op.inst], naming);
          break;
        case "succs":
          this.addEdges(op.block, op.after);
          break;
        default:
      }
    }
  }

  private place(id: BlockId, previous: BlockId | undefined): void {
    if (this.next.has(id)) return;
    const after = previous !== undefined && this.next.has(previous) ? previous : null;
    this.next.set(id, this.next.get(after) ?? null);
    this.next.set(after, id);
  }

  private addBlock(fn: Func, id: BlockId): void {
    const block = fn.blocks[id];
    if (block === undefined) return;
    const size = this.size(id);
    size.now = block.insts.length;
    size.lines = Math.max(size.lines, size.now);
    for (const inst of block.insts) size.columns = Math.max(size.columns, instView(fn, inst).text.length);
    this.addEdges(id, block.succs);
  }

  private grow(id: BlockId, removed: number, inserted: readonly Inst[], naming: Func): void {
    const size = this.size(id);
    size.now += inserted.length - removed;
    size.lines = Math.max(size.lines, size.now);
    for (const inst of inserted) size.columns = Math.max(size.columns, printInst(naming, inst).length);
  }

  private size(id: BlockId): Size {
    let size = this.sizes.get(id);
    if (size === undefined) {
      size = { now: 0, lines: 0, columns: 0 };
      this.sizes.set(id, size);
    }
    return size;
  }

  private addEdges(from: BlockId, to: readonly BlockId[]): void {
    const known = this.succs.get(from);
    if (known === undefined) this.succs.set(from, new Set(to));
    else for (const id of to) known.add(id);
  }
}

function unionEdges(union: UnionBuilder, order: readonly BlockId[], before: Func, after: Func): UnionEdge[] {
  const edges: UnionEdge[] = [];
  const retreatsBefore = edgeSet(loopInfo(before).retreating);
  const retreatsAfter = edgeSet(loopInfo(after).retreating);
  for (const from of order) {
    const wasAt = before.blocks[from]?.succs ?? [];
    const isAt = after.blocks[from]?.succs ?? [];
    for (const to of union.succs.get(from) ?? []) {
      const was = wasAt.indexOf(to);
      const is = isAt.indexOf(to);
      // The port is where the edge leaves in the state that has it; the end of the phase wins.
      const fn = is >= 0 ? after : before;
      const port = is >= 0 ? is : was;
      const block = port < 0 ? undefined : fn.blocks[from];
      const kind = block === undefined ? "jump" : (succKinds(fn, block)[port] ?? "jump");
      const key = `${from} ${to}`;
      const retreating = retreatsBefore.has(key) || retreatsAfter.has(key);
      edges.push({ from, to, kind, port: Math.max(port, 0), before: was >= 0, after: is >= 0, retreating });
    }
  }
  return edges;
}

const edgeSet = (edges: readonly (readonly [BlockId, BlockId])[]): Set<string> => new Set(edges.map(([from, to]) => `${from} ${to}`));

/** The natural loops of the phase's input; those of its result are added where the input has none with that header. */
function unionLoops(blocks: readonly BlockId[], before: Func, after: Func): UnionGraph["loops"] {
  const [was, is] = [loopInfo(before), loopInfo(after)];
  const loops = new Map<number, { header: number; own: number[]; parent: number | null }>();
  const fresh = new Set<number>();
  for (const info of [was, is]) {
    for (const { header, natural, parent } of info.loops) {
      if (!natural || loops.has(header)) continue;
      if (info !== was) fresh.add(header);
      loops.set(header, { header, own: [], parent });
    }
  }
  for (const id of blocks) {
    const [then, now] = [was.innermost[id] ?? -1, is.innermost[id] ?? -1];
    loops.get(fresh.has(now) || then === -1 ? now : then)?.own.push(id);
  }
  return [...loops.values()];
}
