/** What became of each line of the source since the program was read: gone, elsewhere, or another instruction. */

import type { MomentState } from "./moment.ts";
import { type PlacedInst, sourceIndex } from "./source-lines.ts";

export interface LineFate {
  readonly fate: "deleted" | "moved" | "replaced";
  /** What became of it, in words. */
  readonly text: string;
}

/** By line; lines that are as they were are not in it. */
export function lineFates(input: MomentState, now: MomentState): ReadonlyMap<number, LineFate> {
  const fates = new Map<number, LineFate>();
  if (input.blocks === now.blocks) return fates;
  const { lines } = sourceIndex(now);
  for (const [line, before] of sourceIndex(input).lines) {
    const fate = fateOf(before, lines.get(line) ?? []);
    if (fate !== null) fates.set(line, fate);
  }
  return fates;
}

function fateOf(before: readonly PlacedInst[], now: readonly PlacedInst[]): LineFate | null {
  if (now.length === 0) return { fate: "deleted", text: "Deleted: nothing of this line is left in the program." };
  const text = (placed: readonly PlacedInst[]): string => placed.map((p) => p.inst.text).join("; ");
  const place = (placed: readonly PlacedInst[]): string => [...new Set(placed.map((p) => p.block.label))].join(", ");
  if (text(before) !== text(now))
    return { fate: "replaced", text: `Now: ${text(now)}${place(before) === place(now) ? "" : ` (in ${place(now)})`}` };
  return place(before) === place(now) ? null : { fate: "moved", text: `Moved from ${place(before)} to ${place(now)}.` };
}
