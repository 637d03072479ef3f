/** Reaching definitions as a textbook solves them: one bit per definition, a register's bits adjacent so that a kill clears a range. */

import { BitSet } from "../../base/bitset.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import { type FlowGraph, solve, union } from "./solve.ts";

interface Site {
  readonly block: BlockId;
  readonly guarded: boolean;
}

export interface ReachRows {
  /** Which definitions of a register reach a block's head, ascending: 0 is the value at entry, i the register's i-th site counted from 1. */
  incoming(reg: Reg, block: BlockId): readonly number[];
}

/** What a block does to one register's bits, which are [from, to). */
interface Effect {
  readonly from: number;
  readonly to: number;
  /** Earlier definitions end here. */
  readonly kills: boolean;
  /** Bits that leave the block: its last sure definition and the guarded ones after it. */
  readonly out: readonly number[];
}

/**
 * Sites of a register come in reverse post-order of their blocks, in block order within a block. Memory: blocks x definitions bits, for the definitions given.
 */
export function solveRows(
  graph: FlowGraph<BlockId>,
  registers: readonly { readonly reg: Reg; readonly sites: readonly Site[] }[],
): ReachRows {
  const base = new Map<Reg, readonly [from: number, to: number]>();
  const effects = new Map<BlockId, Effect[]>(graph.order.map((id) => [id, []]));
  let bits = 0;
  for (const { reg, sites } of registers) {
    const from = bits;
    bits += sites.length + 1;
    base.set(reg, [from, bits]);
    for (let s = 0; s < sites.length; ) {
      const { block } = sites[s] as Site;
      let out: number[] = [];
      let kills = false;
      for (; s < sites.length && (sites[s] as Site).block === block; s++) {
        if (!(sites[s] as Site).guarded) {
          kills = true;
          out = [];
        }
        out.push(from + 1 + s);
      }
      effects.get(block)?.push({ from, to: bits, kills, out });
    }
  }
  const atEntry = new BitSet(bits);
  for (const [from] of base.values()) atEntry.add(from);
  const solution = solve<BlockId, BitSet, BitSet>(graph, {
    direction: "forward",
    top: () => new BitSet(bits),
    start: (id) => (id === graph.order[0] ? atEntry.clone() : new BitSet(bits)),
    meet: union,
    transfer(id, reaching) {
      for (const { from, to, kills, out } of effects.get(id) ?? []) {
        if (kills) clearRange(reaching.words, from, to);
        for (const bit of out) reaching.add(bit);
      }
    },
  });
  let last: { readonly block: BlockId; readonly reaching: BitSet } | null = null;
  return {
    incoming(reg, block) {
      const [from, to] = base.get(reg) ?? [0, 0];
      if (last?.block !== block) last = { block, reaching: solution.before(block) };
      const found: number[] = [];
      for (let bit = from; bit < to; bit++) if (last.reaching.has(bit)) found.push(bit - from);
      return found;
    },
  };
}

function clearRange(words: Uint32Array, from: number, to: number): void {
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  const head = ~0 << (from & 31);
  const tail = ~0 >>> (31 - ((to - 1) & 31));
  if (first === last) {
    words[first] = (words[first] ?? 0) & ~(head & tail);
    return;
  }
  words[first] = (words[first] ?? 0) & ~head;
  words.fill(0, first + 1, last);
  words[last] = (words[last] ?? 0) & ~tail;
}
