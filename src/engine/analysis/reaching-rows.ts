/** The bit rows of reaching definitions: one row per block, one bit per definition, a register's bits adjacent so that a kill clears a range. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { Worklist } from "./worklist.ts";

interface Site {
  readonly block: BlockId;
  readonly guarded: boolean;
}

export interface ReachRows {
  /** Which definitions of a register reach a block's head, ascending: 0 is the value at entry, i the register's i-th site counted from 1. */
  incoming(reg: Reg, block: BlockId): readonly number[];
}

/** What a block does to one register's bits. */
interface Effect {
  /** Bits of the register: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Earlier definitions end here. */
  readonly kills: boolean;
  /** Bits that leave the block: its last sure definition and the guarded ones after it. */
  readonly out: readonly number[];
}

/**
 * Solves forward to a fixed point over the reverse post-order. Sites of a register come in that order, in block order within a block.
 * Memory: blocks x definitions bits, for the definitions given.
 */
export function solveRows(
  order: readonly BlockId[],
  number: Int32Array,
  preds: readonly (readonly BlockId[])[],
  registers: readonly { readonly reg: Reg; readonly sites: readonly Site[] }[],
): ReachRows {
  const base = new Map<Reg, readonly [from: number, to: number]>();
  const effects: Effect[][] = order.map(() => []);
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
      effects[(number[block] ?? 1) - 1]?.push({ from, to: bits, kills, out });
    }
  }
  const words = (bits + 31) >>> 5;
  const entry = new Uint32Array(words);
  for (const [from] of base.values()) entry[from >>> 5] = (entry[from >>> 5] ?? 0) | (1 << (from & 31));
  const out = new Uint32Array(words * order.length);

  const gather = (i: number, into: Uint32Array, first: number, last: number): void => {
    into.fill(0, first, last);
    if (i === 0) for (let w = first; w < last; w++) into[w] = entry[w] ?? 0;
    for (const p of preds[i] ?? []) {
      const row = ((number[p] ?? 1) - 1) * words;
      for (let w = first; w < last; w++) into[w] = (into[w] ?? 0) | (out[row + w] ?? 0);
    }
  };

  const places = order.map((_, i) => i);
  const succs: number[][] = order.map(() => []);
  for (const i of places) for (const p of preds[i] ?? []) succs[(number[p] ?? 1) - 1]?.push(i);
  const work = new Worklist(places, order.length);
  const now = new Uint32Array(words);
  work.solve((i) => {
    gather(i, now, 0, words);
    for (const effect of effects[i] ?? []) {
      if (effect.kills) clearRange(now, effect.from, effect.to);
      for (const bit of effect.out) now[bit >>> 5] = (now[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    const row = i * words;
    let grew = false;
    for (let w = 0; w < words; w++) {
      if (out[row + w] === now[w]) continue;
      grew = true;
      out[row + w] = now[w] ?? 0;
    }
    if (grew) work.addAll(succs[i] ?? []);
    return grew;
  });
  return {
    incoming(reg, block) {
      const range = base.get(reg);
      const at = (number[block] ?? 0) - 1;
      if (range === undefined || at < 0) return [];
      const [from, to] = range;
      gather(at, now, from >>> 5, (to + 31) >>> 5);
      const found: number[] = [];
      for (let bit = from; bit < to; bit++) if (((now[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0) found.push(bit - from);
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
