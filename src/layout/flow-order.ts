/** One depth-first walk that settles what both engines need: back edges, reverse postorder, and a left-to-right order. */
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
  const { count, edgeCount, succ, succStart, to } = graph;
  const state = new Uint8Array(count);
  const found = new Int32Array(count);
  const left = new Int32Array(count);
  const above = new Int32Array(count).fill(-1);
  const back = new Uint8Array(edgeCount);
  const reachable = new Uint8Array(count);
  const nodeKey = new Int32Array(count);
  const edgeKey = new Int32Array(edgeCount);
  const post = new Int32Array(count);
  let posted = 0;
  let clock = 0;
  let stamp = 0;

  const stack = new Int32Array(count);
  const via = new Int32Array(count);
  const cursor = new Int32Array(count);

  const walk = (root: number): void => {
    const firstStamp = stamp;
    const firstPost = posted;
    const stamped: number[] = [];
    let depth = 0;
    const open = (node: number, edge: number): void => {
      above[node] = depth > 0 ? (stack[depth - 1] ?? -1) : -1;
      stack[depth] = node;
      via[depth] = edge;
      cursor[depth] = succStart[node + 1] ?? 0;
      depth++;
      state[node] = 1;
      found[node] = clock++;
    };
    open(root, -1);
    while (depth > 0) {
      const node = stack[depth - 1] ?? 0;
      const next = (cursor[depth - 1] ?? 0) - 1;
      const beyond = graph.beyond[node] ?? -1;
      if (beyond >= 0 && state[beyond] === 0) {
        // The line that is not drawn: what it leads to is found by it all the same.
        open(beyond, -1);
        continue;
      }
      if (next >= (succStart[node] ?? 0)) {
        cursor[depth - 1] = next;
        const edge = succ[next] ?? 0;
        const target = to[edge] ?? 0;
        if (state[target] === 0) {
          open(target, edge);
          continue;
        }
        if (state[target] === 1) back[edge] = 1;
        edgeKey[edge] = stamp++;
        stamped.push(edge);
        continue;
      }
      depth--;
      state[node] = 2;
      left[node] = clock++;
      post[posted++] = node;
      nodeKey[node] = stamp++;
      const edge = via[depth] ?? -1;
      if (edge >= 0) {
        edgeKey[edge] = stamp++;
        stamped.push(edge);
      }
    }
    // Reverse the stamps of this walk in place: later walks stay to the right of it.
    const sum = firstStamp + stamp - 1;
    for (const edge of stamped) edgeKey[edge] = sum - (edgeKey[edge] ?? 0);
    for (let i = firstPost; i < posted; i++) {
      const node = post[i] ?? 0;
      nodeKey[node] = sum - (nodeKey[node] ?? 0);
    }
  };

  if (graph.entry >= 0) {
    walk(graph.entry);
    for (let i = 0; i < posted; i++) reachable[post[i] ?? 0] = 1;
    for (let n = 0; n < count; n++) {
      if (state[n] === 0 && graph.predStart[n] === graph.predStart[n + 1]) walk(n);
    }
    for (let n = 0; n < count; n++) if (state[n] === 0) walk(n);
  }

  const rpo = post.reverse();
  const number = new Int32Array(count);
  for (let i = 0; i < count; i++) number[rpo[i] ?? 0] = i;
  return { rpo, number, found, left, above, back, reachable, nodeKey, edgeKey };
}

/** The last block that the walk found both through, or -1. */
export function parting({ found, left, above }: FlowOrder, a: number, b: number): number {
  let n = a;
  while (n >= 0 && !((found[n] ?? 0) <= (found[b] ?? 0) && (left[n] ?? 0) >= (left[b] ?? 0))) n = above[n] ?? -1;
  return n;
}
