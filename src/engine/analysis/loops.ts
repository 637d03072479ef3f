/** Retreating edges, natural loops and their nesting. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { cached } from "./cache.ts";
import { dominates, dominators } from "./dominators.ts";
import { reversePostOrder } from "./order.ts";

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
  const { order, number } = reversePostOrder(fn);
  const dom = dominators(fn);
  const retreating: [BlockId, BlockId][] = [];
  const irreducible: [BlockId, BlockId][] = [];
  const latches = new Map<BlockId, BlockId[]>();
  const natural = new Map<BlockId, boolean>();
  for (const id of order) {
    for (const succ of fn.blocks[id]?.succs ?? []) {
      if ((number[succ] ?? 0) > (number[id] ?? 0)) continue;
      retreating.push([id, succ]);
      const isNatural = dominates(dom, succ, id);
      if (!isNatural) irreducible.push([id, succ]);
      const known = latches.get(succ);
      if (known === undefined) latches.set(succ, [id]);
      else known.push(id);
      natural.set(succ, (natural.get(succ) ?? true) && isNatural);
    }
  }
  const size = fn.blocks.length;
  // Innermost loops first, by descending header number; a loop already found is stepped over as one node, from its outermost header.
  const innermost = new Int32Array(size).fill(-1);
  const parentOf = new Int32Array(size).fill(-1);
  const outer = new Int32Array(size).fill(-1);
  const outermost = (header: number): number => {
    let h = header;
    while ((outer[h] ?? -1) !== -1) h = outer[h] as number;
    // Path compression keeps deep nests linear.
    for (let walk = header; walk !== h; ) {
      const next = outer[walk] as number;
      outer[walk] = h;
      walk = next;
    }
    return h;
  };
  const headers = [...latches.keys()].sort((a, b) => (number[a] ?? 0) - (number[b] ?? 0));
  for (const header of headers.toReversed()) {
    if (natural.get(header) !== true) continue;
    innermost[header] = header;
    const work: number[] = [...(latches.get(header) ?? [])];
    while (work.length > 0) {
      const id = work.pop() as number;
      const found = innermost[id] ?? -1;
      if (found === -1) {
        innermost[id] = header;
        pushReachable(fn, number, id, work);
        continue;
      }
      const top = outermost(found);
      if (top === header) continue;
      outer[top] = header;
      parentOf[top] = header;
      pushReachable(fn, number, top, work);
    }
  }
  const depth = new Int32Array(size);
  const headerDepth = new Int32Array(size);
  for (const header of headers) {
    if (natural.get(header) !== true) continue;
    const parent = parentOf[header] ?? -1;
    headerDepth[header] = (parent === -1 ? 0 : (headerDepth[parent] ?? 0)) + 1;
  }
  for (const id of order) {
    const inner = innermost[id] ?? -1;
    if (inner !== -1) depth[id] = headerDepth[inner] ?? 0;
  }
  const { enter, loopsInside } = numberNest(headers, parentOf, size);
  // Blocks of natural loops, those of one loop and of all inside it side by side; those of a single loop in reverse post-order.
  const from = new Int32Array(headers.length + 1);
  const inLoops = order.filter((id) => (innermost[id] ?? -1) !== -1);
  const placeOf = (id: BlockId): number => enter[innermost[id] ?? 0] ?? 0;
  for (const id of inLoops) from[placeOf(id) + 1] = (from[placeOf(id) + 1] ?? 0) + 1;
  for (let i = 1; i < from.length; i++) from[i] = (from[i] ?? 0) + (from[i - 1] ?? 0);
  const filled = from.slice();
  const byNest = new Int32Array(inLoops.length);
  for (const id of inLoops) {
    const at = filled[placeOf(id)] ?? 0;
    byNest[at] = id;
    filled[placeOf(id)] = at + 1;
  }
  /** In time of what is listed, however many blocks and loops there are besides. */
  const blocksIn = (header: BlockId): BlockId[] => {
    const place = enter[header] ?? 0;
    const found = byNest.subarray(from[place], from[place + (loopsInside[header] ?? 0)]);
    return ([...found] as BlockId[]).sort((a, b) => (number[a] ?? 0) - (number[b] ?? 0));
  };
  const loops = headers.map((header): Loop => {
    const ends = latches.get(header) ?? [];
    const isNatural = natural.get(header) === true;
    const last = Math.max(...ends.map((l) => number[l] ?? 0));
    const parent = parentOf[header] ?? -1;
    let blocks: readonly BlockId[] | null = null;
    return {
      header,
      latches: ends,
      // Listed on first use: the lists of a deep nest together are quadratic in its size.
      get blocks() {
        const first = (number[header] ?? 1) - 1;
        // A natural loop may reach beyond the interval: an inner loop's body can be numbered after the outer loop's latch.
        blocks ??= isNatural ? blocksIn(header) : order.slice(first, last);
        return blocks;
      },
      size: isNatural
        ? (from[(enter[header] ?? 0) + (loopsInside[header] ?? 0)] ?? 0) - (from[enter[header] ?? 0] ?? 0)
        : last - (number[header] ?? 1) + 1,
      natural: isNatural,
      parent: parent === -1 ? null : (parent as BlockId),
      depth: headerDepth[header] ?? 0,
    };
  });
  return { loops, retreating, irreducible, depth, innermost };
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

/** The nest in preorder, so that a loop is inside another exactly when its number is in the other's range. Outer headers come before inner ones. */
function numberNest(
  headers: readonly BlockId[],
  parentOf: Int32Array,
  size: number,
): { readonly enter: Int32Array; readonly loopsInside: Int32Array } {
  const loopsInside = new Int32Array(size);
  for (const header of headers.toReversed()) {
    const own = (loopsInside[header] ?? 0) + 1;
    loopsInside[header] = own;
    const parent = parentOf[header] ?? -1;
    if (parent !== -1) loopsInside[parent] = (loopsInside[parent] ?? 0) + own;
  }
  const enter = new Int32Array(size);
  const free = new Int32Array(size);
  let top = 0;
  for (const header of headers) {
    const parent = parentOf[header] ?? -1;
    const at = parent === -1 ? top : (free[parent] ?? 0);
    if (parent === -1) top += loopsInside[header] ?? 0;
    else free[parent] = at + (loopsInside[header] ?? 0);
    enter[header] = at;
    free[header] = at + 1;
  }
  return { enter, loopsInside };
}

function pushReachable(fn: Func, number: Int32Array, id: number, work: number[]): void {
  for (const p of fn.blocks[id]?.preds ?? []) if ((number[p] ?? 0) > 0) work.push(p);
}
