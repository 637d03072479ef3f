/** The dominator tree as indented rows, each with its block's place in the scope tree's numbering. Pure. */

export interface DominatorRow {
  readonly block: number;
  readonly label: string;
  readonly depth: number;
  /** Place in dominator preorder as the phase reported it; null before. */
  readonly index: number | null;
  /** It waits in the scope tree now. */
  readonly waits: boolean;
}

/** Rows in preorder, children by their places. `leaves`: 256-bit leaves of the scope tree by key, as eight words. */
export function dominatorRows(
  idom: readonly (readonly [block: number, idom: number | null])[],
  labels: ReadonlyMap<number, string>,
  places: ReadonlyMap<string, number>,
  leaves: ReadonlyMap<number, readonly number[]>,
): readonly DominatorRow[] {
  const below = new Map<number | null, number[]>();
  for (const [block, above] of idom) {
    if (!labels.has(block)) continue;
    below.set(above, [...(below.get(above) ?? []), block]);
  }
  const placeOf = (block: number): number => places.get(labels.get(block) ?? "") ?? Number.MAX_SAFE_INTEGER;
  const rows: DominatorRow[] = [];
  const work = (below.get(null) ?? []).map((block) => ({ block, depth: 0 })).reverse();
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const { block, depth } = at;
    const label = labels.get(block) ?? "";
    const index = places.get(label) ?? null;
    rows.push({ block, label, depth, index, waits: index !== null && holds(leaves, index) });
    // The last one pushed is the next one taken.
    const children = [...(below.get(block) ?? [])].sort((a, b) => placeOf(b) - placeOf(a));
    for (const child of children) work.push({ block: child, depth: depth + 1 });
  }
  return rows;
}

function holds(leaves: ReadonlyMap<number, readonly number[]>, index: number): boolean {
  const word = leaves.get(index >> 8)?.[(index & 255) >> 5] ?? 0;
  return ((word >>> (index & 31)) & 1) === 1;
}

/** How an index is put together from the bit, the word of 64 bits and the key of the node that hold it. */
export function indexFormula(index: number): string {
  const bit = index & 63;
  const word = (index >> 6) & 3;
  const key = index >> 8;
  return `index ${index} = bit ${bit} | word ${word} << 6 | key ${key} << 8`;
}
