/** Immediate dominators by semidominators and nearest common ancestors: what large graphs with deep dominator trees fall back to. */

/**
 * `preds[i]` are the predecessors of node i; every node is reached from `root`. Returns immediate dominators, the root's being itself. n log n for n edges, where the iterative
 * scheme may take n times the depth of the tree.
 */
export function semiNca(preds: readonly (readonly number[])[], root: number): Int32Array {
  const n = preds.length;
  const { order, place, parent } = depthFirst(preds, root);
  // All arrays from here on are by place in the depth-first order.
  const semi = Int32Array.from({ length: n }, (_, i) => i);
  const best = Int32Array.from({ length: n }, (_, i) => i);
  const ancestor = Int32Array.from(parent);
  const idom = Int32Array.from(parent);
  const path: number[] = [];
  /** The place with the smallest semidominator on the way up to, and without, the places not yet done; compresses the way. */
  const evaluate = (v: number, limit: number): number => {
    if (v < limit) return v;
    for (let u = v; (ancestor[u] ?? 0) >= limit; u = ancestor[u] as number) path.push(u);
    for (let u = path.pop(); u !== undefined; u = path.pop()) {
      const above = ancestor[u] as number;
      if ((semi[best[above] as number] ?? 0) < (semi[best[u] as number] ?? 0)) best[u] = best[above] as number;
      ancestor[u] = ancestor[above] as number;
    }
    return best[v] as number;
  };
  for (let w = n - 1; w > 0; w--) {
    for (const p of preds[order[w] as number] ?? []) {
      const candidate = semi[evaluate(place[p] as number, w + 1)] as number;
      if (candidate < (semi[w] as number)) semi[w] = candidate;
    }
    if ((semi[w] as number) > (parent[w] as number)) semi[w] = parent[w] as number;
  }
  for (let w = 1; w < n; w++) {
    let d = idom[w] as number;
    while (d > (semi[w] as number)) d = idom[d] as number;
    idom[w] = d;
  }
  const result = new Int32Array(n);
  for (let w = 0; w < n; w++) result[order[w] as number] = order[idom[w] as number] as number;
  return result;
}

function depthFirst(preds: readonly (readonly number[])[], root: number): { order: Int32Array; place: Int32Array; parent: Int32Array } {
  const n = preds.length;
  const succs: number[][] = Array.from({ length: n }, () => []);
  preds.forEach((list, i) => {
    for (const p of list) succs[p]?.push(i);
  });
  const order = new Int32Array(n);
  const place = new Int32Array(n).fill(-1);
  const parent = new Int32Array(n);
  const stack: (readonly [node: number, parent: number])[] = [[root, 0]];
  let next = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [node, above] = top;
    if (place[node] !== -1) continue;
    place[node] = next;
    order[next] = node;
    parent[next] = above;
    const own = next++;
    for (const s of succs[node] ?? []) if (place[s] === -1) stack.push([s, own]);
  }
  return { order, place, parent };
}
