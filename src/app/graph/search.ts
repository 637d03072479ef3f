/** Finding blocks by label or by the text of their instructions. */

import type { MomentState } from "../session/moment.ts";

export interface SearchMatch {
  readonly block: number;
  /** The instruction that matched, or null: the label did. */
  readonly inst: number | null;
}

/** Matches in layout order, labels before instructions within a block. Words are all to be found, in any order, in one line. */
export function searchGraph(moment: MomentState, query: string): readonly SearchMatch[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== "");
  if (words.length === 0) return [];
  const matches: SearchMatch[] = [];
  for (const id of moment.layout) {
    const block = moment.blocks.get(id);
    if (block === undefined) continue;
    const label = block.label.toLowerCase();
    if (words.every((w) => label.includes(w))) matches.push({ block: id, inst: null });
    for (const inst of block.insts) {
      const text = inst.text.toLowerCase();
      if (words.every((w) => text.includes(w))) matches.push({ block: id, inst: inst.id });
    }
  }
  return matches;
}
