/** The lanes of a mask. */

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
