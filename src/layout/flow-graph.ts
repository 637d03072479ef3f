/** A GraphInput as index arrays: successors in port order, predecessors, sizes. Everything else works on this. */
import { mainSlot, outPortX } from "./ports.ts";
import type { GraphEdge, GraphInput, GraphNode } from "./types.ts";

/** Successors of a branch that is drawn together with what it becomes. */
const BRANCH = 3;

export interface FlowGraph {
  readonly count: number;
  readonly ids: readonly string[];
  readonly width: Float64Array;
  readonly height: Float64Array;
  /** Index of the entry node, or -1 if the graph is empty. */
  readonly entry: number;
  /** Edges, in input order, except for edges with an unknown end. */
  readonly edgeCount: number;
  readonly edgeIds: readonly string[];
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Edges out of node `n`, by port and then input order: `succ[succStart[n]..succStart[n+1]]`. Likewise `pred`, in input order. */
  readonly succStart: Int32Array;
  readonly succ: Int32Array;
  readonly predStart: Int32Array;
  readonly pred: Int32Array;
  /** Edge to the offset from its source's left side at which it leaves. */
  readonly port: Float64Array;
  /** Per edge: 2 if its source falls through by it, 1 if it is its source's main edge otherwise, else 0. */
  readonly main: Uint8Array;
  /** Per node: 1 if its successors may be drawn the other way around: a branch, with what it becomes if both are drawn. */
  readonly branch: Uint8Array;
  /** Per node: 1 if it is a tag that replaces the rest of an edge's line. */
  readonly tag: Uint8Array;
  /** Node to the one that its line leads to, though that part is not drawn, or -1. */
  readonly beyond: Int32Array;
}

/**
 * Indexes `input`. A second node with an id already taken is ignored; a missing entry means the first node. The successors of a
 * branch in `turned` come in the opposite order.
 */
export function flowGraph(input: GraphInput, turned: ReadonlySet<number> = new Set()): FlowGraph {
  const index = new Map<string, number>();
  const nodes: GraphNode[] = [];
  for (const node of input.nodes) {
    if (index.has(node.id)) continue;
    index.set(node.id, nodes.length);
    nodes.push(node);
  }
  const edges = input.edges.filter((e) => index.has(e.from) && index.has(e.to));
  const count = nodes.length;
  const width = Float64Array.from(nodes, (node) => Math.max(1, Math.ceil(node.width)));
  const from = Int32Array.from(edges, (e) => index.get(e.from) ?? 0);
  const to = Int32Array.from(edges, (e) => index.get(e.to) ?? 0);
  const { start: succStart, items: succ } = group(from, count);
  const { start: predStart, items: pred } = group(to, count);
  const port = new Float64Array(edges.length);
  const main = new Uint8Array(edges.length);
  const branch = new Uint8Array(count);
  const straightDown = chooseStraightDown(edges, to, count);
  for (let n = 0; n < count; n++) {
    const own = outOf({ succ, succStart }, n);
    own.sort((a, b) => (edges[a]?.port ?? 0) - (edges[b]?.port ?? 0) || a - b);
    if (own.length === 2 || (own.length === BRANCH && own.every((e) => edges[e]?.kind !== "table"))) branch[n] = 1;
    if (branch[n] === 1 && turned.has(n)) own.reverse();
    const down = straightDown(n, own);
    own.forEach((e, i) => {
      port[e] = outPortX(width[n] ?? 0, i, own.length, down);
      main[e] = i !== down && own.length > 1 ? 0 : edges[e]?.kind === "fall" ? 2 : 1;
    });
  }
  return {
    count,
    ids: nodes.map((node) => node.id),
    width,
    height: Float64Array.from(nodes, (node) => Math.max(1, Math.ceil(node.height))),
    entry: count === 0 ? -1 : (index.get(input.entry) ?? 0),
    edgeCount: edges.length,
    edgeIds: edges.map((e) => e.id),
    from,
    to,
    succStart,
    succ,
    predStart,
    pred,
    port,
    main,
    branch,
    tag: Uint8Array.from(nodes, ({ kind }) => (kind === "stub" ? 1 : 0)),
    beyond: Int32Array.from(nodes, ({ leadsTo }) => (leadsTo === undefined ? -1 : (index.get(leadsTo) ?? -1))),
  };
}

/** The result finds which of a node's edges, from left to right, leaves straight down: its position, or -1. */
function chooseStraightDown(edges: readonly GraphEdge[], to: Int32Array, count: number): (n: number, own: Int32Array) => number {
  const falls = new Int32Array(count);
  for (let e = 0; e < edges.length; e++) if (edges[e]?.kind === "fall") falls[to[e] ?? 0] = (falls[to[e] ?? 0] ?? 0) + 1;
  /** Whether a block other than this edge's source falls into its target. */
  const taken = (e: number): boolean => (falls[to[e] ?? 0] ?? 0) > (edges[e]?.kind === "fall" ? 1 : 0);
  return (n, own) => {
    const main = mainSlot(Array.from(own, (e) => edges[e]?.kind ?? "jump"));
    const ahead = own[main];
    const arm = own[1 - main];
    if (own.length !== 2 || ahead === undefined || arm === undefined) return main;
    // Straight down is the arm of an if, not the join after it that the arm falls into.
    return taken(ahead) && !taken(arm) && (to[arm] ?? 0) > n ? 1 - main : main;
  };
}

/** The edges out of a node, from left to right. */
export function outOf({ succ, succStart }: Pick<FlowGraph, "succ" | "succStart">, n: number): Int32Array {
  return succ.subarray(succStart[n], succStart[n + 1]);
}

/** Groups items 0..keys.length by key, keeping their order: the usual counting sort into one array with offsets. */
export function group(keys: Int32Array, buckets: number): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(buckets + 1);
  for (const key of keys) start[key + 1] = (start[key + 1] ?? 0) + 1;
  for (let b = 0; b < buckets; b++) start[b + 1] = (start[b + 1] ?? 0) + (start[b] ?? 0);
  const next = start.slice();
  const items = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? 0;
    const at = next[key] ?? 0;
    items[at] = i;
    next[key] = at + 1;
  }
  return { start, items };
}
