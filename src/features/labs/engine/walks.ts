/** Which numberings are reverse post-orders: any depth-first walk from the entry gives a right one. */

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Walks that are tried when a numbering is compared with the nearest right one. */
const MOST_WALKS = 200;
/** Steps of the search for a walk. */
const MOST_STEPS = 100_000;
/** Blocks above which only our own order is known. */
export const MOST_BLOCKS = 40;

/** Whether some depth-first walk finishes the blocks in the order that the numbers say, last number first. Null: too large to tell. */
export function isReversePostOrder(graph: Graph, entry: string, numbers: ReadonlyMap<string, number>): boolean | null {
  const reached = reachable(graph, entry, new Set());
  if (reached.size > MOST_BLOCKS) return null;
  const order = [...numbers].sort((a, b) => b[1] - a[1]).map(([label]) => label);
  if (order.length !== reached.size || order.some((label) => !reached.has(label)) || new Set(order).size !== order.length) return false;
  let steps = 0;
  /** Blocks that are finished or on the path, and how many are finished. */
  const visit = (block: string, seen: Set<string>, finished: number): { readonly seen: Set<string>; readonly finished: number } | null => {
    if (++steps > MOST_STEPS) throw new RangeError("too many walks");
    const inside = new Set(seen).add(block);
    const open = (graph.get(block) ?? []).filter((next) => !inside.has(next));
    if (open.length === 0) return order[finished] === block ? { seen: inside, finished: finished + 1 } : null;
    for (const next of new Set(open)) {
      // All that is reachable from a child finishes before anything else, the child last.
      const below = reachable(graph, next, inside);
      const slice = order.slice(finished, finished + below.size);
      if (slice.at(-1) !== next || slice.some((label) => !below.has(label))) continue;
      const child = visit(next, inside, finished);
      if (child === null) continue;
      const rest = again(block, child.seen, child.finished);
      if (rest !== null) return rest;
    }
    return null;
  };
  /** The block's further children, then itself. */
  const again = (block: string, seen: Set<string>, finished: number): { readonly seen: Set<string>; readonly finished: number } | null => {
    const without = new Set(seen);
    without.delete(block);
    return visit(block, without, finished);
  };
  try {
    return visit(entry, new Set(), 0)?.finished === order.length;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function reachable(graph: Graph, from: string, without: ReadonlySet<string>): Set<string> {
  const found = new Set([from]);
  const stack = [from];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const next of graph.get(at) ?? []) {
      if (found.has(next) || without.has(next)) continue;
      found.add(next);
      stack.push(next);
    }
  }
  return found;
}

/** Right orders, first block first: ours to begin with, then those of other choices of children, up to a limit. */
export function someOrders(graph: Graph, entry: string): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  // The bits of each number say which child is first at each branch.
  const branches = [...graph].filter(([, succs]) => succs.length > 1).length;
  const walks = Math.min(MOST_WALKS, 2 ** Math.min(branches, 20));
  for (let bits = 0; bits < walks; bits++) {
    const order = walk(graph, entry, bits);
    found.set(order.join(" "), order);
  }
  return [...found.values()];
}

function walk(graph: Graph, entry: string, bits: number): readonly string[] {
  const seen = new Set([entry]);
  const finished: string[] = [];
  let branch = 0;
  const turned = new Map<string, boolean>();
  const childrenOf = (label: string): readonly string[] => {
    const succs = graph.get(label) ?? [];
    if (succs.length < 2) return succs;
    let turn = turned.get(label);
    if (turn === undefined) {
      turn = ((bits >> (branch++ % 20)) & 1) === 1;
      turned.set(label, turn);
    }
    return turn ? [...succs].reverse() : succs;
  };
  const path = [entry];
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const next = childrenOf(at).find((label) => !seen.has(label));
    if (next === undefined) {
      finished.push(at);
      path.pop();
    } else {
      seen.add(next);
      path.push(next);
    }
  }
  return finished.reverse();
}
