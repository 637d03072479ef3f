/**
 * Where edges touch a block: all enter at one point, the middle of the top. The edge to the successor that the block continues with
 * leaves in the middle as well, so that a run of blocks is in one line; the others leave next to it, in their order.
 */
import type { EdgeKind } from "./types.ts";

/** Where the outermost of the other successors leave, as a fraction of the width. */
const SIDE = 0.2;
/** With more successors than this, as in a table, all leave at equal distances. */
const MOST = 5;

/** Offset from the block's left side at which every incoming edge ends. */
export function inPortX(width: number): number {
  return Math.round(width / 2);
}

/** Offset from the block's left side at which successor `slot` of `count` leaves; `main` is the one it continues with, or -1. */
export function outPortX(width: number, slot: number, count: number, main: number): number {
  if (count === 1 || slot === main) return inPortX(width);
  if (main < 0 || count > MOST) return Math.round((width * (slot + 1)) / (count + 1));
  if (slot < main) return Math.round(width * (SIDE + ((0.5 - SIDE) * slot) / main));
  return width - Math.round(width * (SIDE + ((0.5 - SIDE) * (count - 1 - slot)) / (count - 1 - main)));
}

/** Which of a block's successors, given by their kinds, it continues with: -1 if there is no main one. */
export function mainSlot(kinds: readonly EdgeKind[]): number {
  if (kinds.length > MOST) return -1;
  const fall = kinds.indexOf("fall");
  return fall >= 0 ? fall : kinds.indexOf("else");
}
