/** Where edges touch a block: one point in the middle of the top, one point per successor along the bottom. */

/** Offset from the block's left side at which every incoming edge ends. */
export function inPortX(width: number): number {
  return Math.round(width / 2);
}

/** Offset from the block's left side at which successor `slot` of `count` leaves; slots run from left to right. */
export function outPortX(width: number, slot: number, count: number): number {
  if (count === 1) return inPortX(width);
  return Math.round((width * (slot + 1)) / (count + 1));
}
