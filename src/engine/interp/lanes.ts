/** The lanes of a mask, and what instruction families do lane by lane on rows of registers and on predicates. */

import type { Exec, Frame, Machine } from "./machine.ts";

/** Lowest set bit's number; the mask is not empty. */
export function lowestLane(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

function listOf(mask: number): readonly number[] {
  const lanes: number[] = [];
  for (let m = mask; m !== 0; m &= m - 1) lanes.push(lowestLane(m));
  return lanes;
}

const ALL = listOf(-1);
/** The lists of the latest masks, by a hash of the mask: instruction after instruction runs with the same few. */
const masks = new Int32Array(256);
const lists = Array.from(masks, listOf);

/** The lanes of a mask, the lowest first. */
export function lanesOf(mask: number): readonly number[] {
  if (mask === -1) return ALL;
  const at = Math.imul(mask, 0x9e3779b1) >>> 24;
  if (masks[at] !== mask) {
    masks[at] = mask;
    lists[at] = listOf(mask);
  }
  return lists[at] as readonly number[];
}

/**
 * Runs `f` for each lane. V8 does not inline `f`: instructions that are frequent, as well as those that stop early or combine lanes, have their loop over
 * `lanesOf` instead.
 */
export function lanes(f: (l: number, r: Uint32Array, s: Frame, machine: Machine) => void): Exec {
  return (s, mask, machine) => {
    const { r } = s;
    for (const l of lanesOf(mask)) f(l, r, s, machine);
  };
}

/** Makes what computes the words of row `d` from those of rows `x`, `y` and `z`. */
export type Rows = (d: number, x: number, y: number, z: number) => Exec;

export function words(f: (x: number, y: number, z: number) => number): Rows {
  return (d, x, y, z) =>
    ({ r }, mask) => {
      for (const l of lanesOf(mask)) r[d + l] = f(r[x + l] as number, r[y + l] as number, r[z + l] as number);
    };
}

/** Writes a predicate for the lanes of `mask`: their bits of `value`. */
export function setPredicate(p: Int32Array, at: number, mask: number, value: number): void {
  p[at] = ((p[at] as number) & ~mask) | (value & mask);
}
