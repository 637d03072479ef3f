/** Whether one block can be reached from another by at least one edge: cuts between numbers answer most questions, a search the others. */

import type { BlockId } from "../ir/ids.ts";

/**
 * Blocks are given by their reverse post-order numbers, 0 to n - 1. Reaching a smaller number needs retreating edges across every cut between, so outside of loops the
 * answer is immediately no. Searches are cached, one bit per block.
 */
export class BlockReach {
  private readonly succs: readonly (readonly number[])[];
  /** closed[k]: how many of the cuts before places 1 to k no retreating edge crosses. */
  private readonly closed: Int32Array;
  /** 1 where some retreating edge starts at or after the place and ends at or before it. */
  private readonly covered: Uint8Array;
  private readonly found = new Map<number, Uint32Array>();

  constructor(order: readonly BlockId[], number: Int32Array, preds: readonly (readonly BlockId[])[]) {
    const n = order.length;
    const succs: number[][] = Array.from({ length: n }, () => []);
    const opens = new Int32Array(n + 1);
    for (let i = 0; i < n; i++) {
      for (const p of preds[i] ?? []) {
        const from = (number[p] ?? 1) - 1;
        succs[from]?.push(i);
        if (from < i) continue;
        // A back edge from `from` to `i` crosses the cuts before i + 1 to `from`, and covers the places i to `from`.
        opens[i] = (opens[i] ?? 0) + 1;
        opens[from + 1] = (opens[from + 1] ?? 0) - 1;
      }
    }
    this.succs = succs;
    this.closed = new Int32Array(n);
    this.covered = new Uint8Array(n);
    let depth = 0;
    for (let i = 0; i < n; i++) {
      // Edges that end at i do not cross the cut before it.
      const crossing = depth + Math.min(0, opens[i] ?? 0);
      depth += opens[i] ?? 0;
      if (i > 0) this.closed[i] = (this.closed[i - 1] ?? 0) + (crossing > 0 ? 0 : 1);
      if (depth > 0) this.covered[i] = 1;
    }
  }

  /** True when a path of at least one edge leads from one place to the other. */
  reaches(from: number, to: number): boolean {
    if (to === from && this.covered[from] !== 1) return false;
    if (to < from && (this.closed[from] ?? 0) > (this.closed[to] ?? 0)) return false;
    let bits = this.found.get(from);
    if (bits === undefined) {
      bits = this.search(from);
      this.found.set(from, bits);
    }
    return ((bits[to >>> 5] ?? 0) & (1 << (to & 31))) !== 0;
  }

  private search(from: number): Uint32Array {
    const bits = new Uint32Array((this.succs.length + 31) >>> 5);
    const work = [...(this.succs[from] ?? [])];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      const word = bits[at >>> 5] ?? 0;
      if ((word & (1 << (at & 31))) !== 0) continue;
      bits[at >>> 5] = word | (1 << (at & 31));
      for (const s of this.succs[at] ?? []) work.push(s);
    }
    return bits;
  }
}
