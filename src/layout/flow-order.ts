/** One depth-first walk that finds back edges, reverse postorder, and a left-to-right order. */
import type { FlowGraph } from "./flow-graph.ts";

export interface FlowOrder {
  /** Nodes in an order in which every edge that is not a back edge leads from an earlier to a later one. */
  readonly rpo: Int32Array;
  /** Node to its index in `rpo`. */
  readonly number: Int32Array;
  /** Node to the time it was found and the time it was left: `a` is an ancestor of `b` if its interval encloses b's. */
  readonly found: Int32Array;
  readonly left: Int32Array;
  /** Node to the one from which the walk found it, or -1. */
  readonly above: Int32Array;
  /** Per edge: 1 if its target was still open when the edge was walked, that is, it closes a cycle. */
  readonly back: Uint8Array;
  /** Per node: 1 if the entry reaches it. */
  readonly reachable: Uint8Array;
  /**
   * Left-to-right rank of nodes and edges in one order, distinct: what a node inserted on the edge would get. Lists the
   * first successor first, and all that is reached through it before the second. Unreachable parts come last.
   */
  readonly nodeKey: Int32Array;
  readonly edgeKey: Int32Array;
}

/**
 * Walks from the entry, then from every node not reached (first those without predecessors), taking successors from the
 * last to the first, so that the reverse of the order in which nodes are left lists the first successor first.
 */
export function flowOrder(graph: FlowGraph): FlowOrder {
  const { count, edgeCount, entry, succ, succStart, predStart, to } = graph;
  const found = new Int32Array(count).fill(-1);
  const left = new Int32Array(count).fill(-1);
  const above = new Int32Array(count).fill(-1);
  const back = new Uint8Array(edgeCount);
  const reachable = new Uint8Array(count);
  const nodeKey = new Int32Array(count);
  const edgeKey = new Int32Array(edgeCount);
  const post: number[] = [];
  let clock = 0;
  let rank = 0;

  const walk = (root: number): void => {
    /** Nodes `n` and edges `~e` in the order in which they are left. */
    const done: number[] = [];
    /** The nodes from the root to the current one, the edge by which each was found, and the end of its edges that are still to be walked. */
    const open: { readonly node: number; readonly via: number; end: number }[] = [];
    const enter = (node: number, via: number): void => {
      above[node] = open.at(-1)?.node ?? -1;
      found[node] = clock++;
      open.push({ node, via, end: succStart[node + 1] ?? 0 });
    };
    enter(root, -1);
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { node, via } = top;
      const beyond = graph.beyond[node] ?? -1;
      if (beyond >= 0 && found[beyond] === -1) {
        // The line that is not drawn: what it leads to is found by it all the same.
        enter(beyond, -1);
      } else if (top.end > (succStart[node] ?? 0)) {
        const edge = succ[--top.end] ?? 0;
        const target = to[edge] ?? 0;
        if (found[target] === -1) {
          enter(target, edge);
          continue;
        }
        if (left[target] === -1) back[edge] = 1;
        done.push(~edge);
      } else {
        open.pop();
        left[node] = clock++;
        post.push(node);
        done.push(node);
        if (via >= 0) done.push(~via);
      }
    }
    // What is left last ranks first, after all of the earlier walks.
    for (const item of done.reverse()) {
      if (item >= 0) nodeKey[item] = rank++;
      else edgeKey[~item] = rank++;
    }
  };

  if (entry >= 0) walk(entry);
  for (const n of post) reachable[n] = 1;
  for (let n = 0; n < count; n++) if (found[n] === -1 && predStart[n] === predStart[n + 1]) walk(n);
  for (let n = 0; n < count; n++) if (found[n] === -1) walk(n);

  const rpo = Int32Array.from(post.reverse());
  const number = new Int32Array(count);
  rpo.forEach((n, i) => {
    number[n] = i;
  });
  return { rpo, number, found, left, above, back, reachable, nodeKey, edgeKey };
}

/** The last block that the walk found both through, or -1. */
export function parting({ found, left, above }: FlowOrder, a: number, b: number): number {
  let n = a;
  while (n >= 0 && !((found[n] ?? 0) <= (found[b] ?? 0) && (left[n] ?? 0) >= (left[b] ?? 0))) n = above[n] ?? -1;
  return n;
}
