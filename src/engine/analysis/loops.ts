/** Retreating edges, natural loops and their nesting. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { cached } from "./cache.ts";
import { dominates, dominators } from "./dominators.ts";
import { type BlockOrder, reversePostOrder } from "./order.ts";

export interface Loop {
  readonly header: BlockId;
  /** Sources of the retreating edges into the header, in reverse post-order. */
  readonly latches: readonly BlockId[];
  /**
   * A natural loop: the blocks that reach a latch without passing the header, header included. Otherwise (the header does not dominate a latch) the
   * reverse post-order interval from header to furthest latch. In reverse post-order.
   */
  readonly blocks: readonly BlockId[];
  /** Number of `blocks`, without listing them. */
  readonly size: number;
  readonly natural: boolean;
  /** Header of the next enclosing natural loop; null at the top and for what is not natural. */
  readonly parent: BlockId | null;
  /** 1 for an outermost natural loop; 0 for what is not natural. */
  readonly depth: number;
}

export interface LoopInfo {
  /** In reverse post-order of their headers. */
  readonly loops: readonly Loop[];
  /** Edges [source, target] with rpo(target) <= rpo(source), in reverse post-order of the source. */
  readonly retreating: readonly (readonly [BlockId, BlockId])[];
  /** The retreating edges whose target does not dominate their source. */
  readonly irreducible: readonly (readonly [BlockId, BlockId])[];
  /** Natural-loop nesting depth by block id; 0 outside. */
  readonly depth: Int32Array;
  /** Header of the innermost natural loop by block id; -1 outside. */
  readonly innermost: Int32Array;
}

export const loopInfo: (fn: Func) => LoopInfo = cached("cfg", (fn) => {
  const rpo = reversePostOrder(fn);
  const { order, number } = rpo;
  const retreating: [BlockId, BlockId][] = [];
  for (const id of order)
    for (const succ of fn.blocks[id]?.succs ?? []) if ((number[succ] ?? 0) <= (number[id] ?? 0)) retreating.push([id, succ]);
  const dom = dominators(fn);
  const irreducible = retreating.filter(([latch, header]) => !dominates(dom, header, latch));
  const unnatural = new Set(irreducible.map(([, header]) => header));
  const latchesOf = latchesByHeader(fn, retreating);
  const headers = order.filter((id) => latchesOf[id] !== undefined);
  const nest = nestOf(
    fn,
    number,
    headers.filter((header) => !unnatural.has(header)),
    latchesOf,
  );
  const depth = depths(order, nest);
  const lists = listsOf(rpo, nest);
  const loops = headers.map((header): Loop => {
    const latches = latchesOf[header] ?? [];
    const natural = !unnatural.has(header);
    const first = (number[header] ?? 1) - 1;
    const last = Math.max(...latches.map((l) => number[l] ?? 0));
    const parent = nest.parent[header] ?? -1;
    let blocks: readonly BlockId[] | null = null;
    return {
      header,
      latches,
      // Listed on first use: the lists of a deep nest together are quadratic in its size.
      get blocks() {
        // A natural loop may reach beyond the interval: an inner loop's body can be numbered after the outer loop's latch.
        blocks ??= natural ? lists.blocksOf(header) : order.slice(first, last);
        return blocks;
      },
      size: natural ? lists.sizeOf(header) : last - first,
      natural,
      parent: parent === -1 ? null : (parent as BlockId),
      depth: natural ? (depth[header] ?? 0) : 0,
    };
  });
  return { loops, retreating, irreducible, depth, innermost: nest.innermost };
});

/** Blocks that are listed of all loops together. */
export const LISTED_BLOCKS = 300_000;

/** The loops whose blocks may be listed, smallest first: in a deep nest all lists together grow with the square of its depth. */
export function listedLoops(loops: readonly Loop[], most = LISTED_BLOCKS): ReadonlySet<Loop> {
  const listed = new Set<Loop>();
  let left = most;
  for (const loop of [...loops].sort((a, b) => a.size - b.size)) {
    left -= loop.size;
    if (left < 0) break;
    listed.add(loop);
  }
  return listed;
}

type Latches = readonly (readonly BlockId[] | undefined)[];

/** By block; undefined: no header. */
function latchesByHeader(fn: Func, retreating: LoopInfo["retreating"]): Latches {
  const latches = new Array<BlockId[] | undefined>(fn.blocks.length).fill(undefined);
  for (const [latch, header] of retreating) {
    const known = latches[header];
    if (known === undefined) latches[header] = [latch];
    else known.push(latch);
  }
  return latches;
}

/** The natural loops by their headers, outer ones before inner ones. */
interface Nest {
  readonly headers: readonly BlockId[];
  /** By block: the header of the innermost loop around it; -1: none. A header is in its own loop. */
  readonly innermost: Int32Array;
  /** By header: that of the next enclosing loop; -1: none. */
  readonly parent: Int32Array;
}

/** Innermost loops first, each backwards from its latches; a loop already found is stepped over as one node, from its outermost header. */
function nestOf(fn: Func, number: Int32Array, headers: readonly BlockId[], latchesOf: Latches): Nest {
  const innermost = new Int32Array(fn.blocks.length).fill(-1);
  const parent = new Int32Array(fn.blocks.length).fill(-1);
  const outer = parent.slice();
  for (const header of headers.toReversed()) {
    innermost[header] = header;
    const work: number[] = [...(latchesOf[header] ?? [])];
    while (work.length > 0) {
      const id = work.pop() as number;
      const found = innermost[id] ?? -1;
      const top = found === -1 ? id : outermost(outer, found);
      if (top === header) continue;
      if (found === -1) innermost[id] = header;
      else parent[top] = outer[top] = header;
      for (const p of fn.blocks[top]?.preds ?? []) if ((number[p] ?? 0) > 0) work.push(p);
    }
  }
  return { headers, innermost, parent };
}

/** Follows `outer` to its end; the path is compressed, which keeps deep nests linear. */
function outermost(outer: Int32Array, from: number): number {
  let end = from;
  while ((outer[end] ?? -1) !== -1) end = outer[end] as number;
  for (let walk = from; walk !== end; ) {
    const next = outer[walk] as number;
    outer[walk] = end;
    walk = next;
  }
  return end;
}

/** By block. A header comes before all other blocks of its loop. */
function depths(order: readonly BlockId[], { innermost, parent }: Nest): Int32Array {
  const depth = new Int32Array(innermost.length);
  for (const id of order) {
    const inner = innermost[id] ?? -1;
    const around = parent[id] ?? -1;
    if (inner === id) depth[id] = 1 + (around === -1 ? 0 : (depth[around] ?? 0));
    else if (inner !== -1) depth[id] = depth[inner] ?? 0;
  }
  return depth;
}

/** The blocks of each loop. Its own and those of the loops inside it are adjacent, so the time is linear in the lists. */
function listsOf({ order, number }: BlockOrder, { headers, innermost, parent }: Nest) {
  const own = new Int32Array(innermost.length);
  for (const id of order) add(own, innermost[id] ?? -1, 1);
  const sizes = own.slice();
  for (const header of headers.toReversed()) add(sizes, parent[header] ?? -1, sizes[header] ?? 0);
  const starts = new Int32Array(innermost.length);
  /** Where the next loop inside a loop begins. */
  const free = new Int32Array(innermost.length);
  let total = 0;
  for (const header of headers) {
    const around = parent[header] ?? -1;
    const start = around === -1 ? total : (free[around] ?? 0);
    if (around === -1) total += sizes[header] ?? 0;
    add(free, around, sizes[header] ?? 0);
    starts[header] = start;
    free[header] = start + (own[header] ?? 0);
  }
  const listed = new Int32Array(total);
  const next = starts.slice();
  for (const id of order) {
    const inner = innermost[id] ?? -1;
    if (inner !== -1) listed[next[inner] ?? 0] = id;
    add(next, inner, 1);
  }
  return {
    sizeOf: (header: BlockId): number => sizes[header] ?? 0,
    blocksOf(header: BlockId): readonly BlockId[] {
      const start = starts[header] ?? 0;
      const found = [...listed.subarray(start, start + (sizes[header] ?? 0))] as BlockId[];
      return found.sort((a, b) => (number[a] ?? 0) - (number[b] ?? 0));
    },
  };
}

function add(to: Int32Array, at: number, count: number): void {
  if (at >= 0) to[at] = (to[at] ?? 0) + count;
}
