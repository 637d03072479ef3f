/** A GraphInput as index arrays: successors in port order, predecessors, sizes. Everything else works on this. */
import { mainSlot, outPortX } from "./ports.ts";
import type { EdgeKind, GraphInput } from "./types.ts";

/** Successors of a branch that is drawn together with what it becomes. */
const BRANCH = 3;

export interface FlowGraph {
  readonly count: number;
  readonly ids: readonly string[];
  readonly width: Float64Array;
  readonly height: Float64Array;
  /** Index of the entry node, or -1 if the graph is empty. */
  readonly entry: number;
  /** Edges, in input order; edges with an unknown end are left out and listed in `dropped`. */
  readonly edgeCount: number;
  readonly edgeIds: readonly string[];
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Position of the edge among its source's edges, by port and then input order: distinct even where ports repeat. */
  readonly slot: Int32Array;
  /** Edges out of node `n` in slot order: `succ[succStart[n]..succStart[n+1]]`. Likewise `pred`, in input order. */
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
  readonly dropped: readonly string[];
}

/**
 * Indexes `input`. A second node with an id already taken is ignored; a missing entry means the first node. The successors of a
 * branch in `turned` come in the opposite order.
 */
export function flowGraph(input: GraphInput, turned: ReadonlySet<number> = new Set()): FlowGraph {
  const index = new Map<string, number>();
  const ids: string[] = [];
  const widths: number[] = [];
  const heights: number[] = [];
  const tags: number[] = [];
  for (const node of input.nodes) {
    if (index.has(node.id)) continue;
    index.set(node.id, ids.length);
    ids.push(node.id);
    widths.push(Math.max(1, Math.ceil(node.width)));
    heights.push(Math.max(1, Math.ceil(node.height)));
    tags.push(node.kind === "stub" ? 1 : 0);
  }
  const count = ids.length;
  const beyond = new Int32Array(count).fill(-1);
  for (const node of input.nodes) if (node.leadsTo !== undefined) beyond[index.get(node.id) ?? 0] = index.get(node.leadsTo) ?? -1;
  const edgeIds: string[] = [];
  const froms: number[] = [];
  const tos: number[] = [];
  const ports: number[] = [];
  const kinds: EdgeKind[] = [];
  const dropped: string[] = [];
  for (const edge of input.edges) {
    const from = index.get(edge.from);
    const to = index.get(edge.to);
    if (from === undefined || to === undefined) {
      dropped.push(edge.id);
      continue;
    }
    edgeIds.push(edge.id);
    froms.push(from);
    tos.push(to);
    ports.push(edge.port);
    kinds.push(edge.kind);
  }
  const edgeCount = edgeIds.length;
  const from = Int32Array.from(froms);
  const to = Int32Array.from(tos);
  const { start: succStart, items: succ } = group(from, count);
  const { start: predStart, items: pred } = group(to, count);
  const slot = new Int32Array(edgeCount);
  const port = new Float64Array(edgeCount);
  const main = new Uint8Array(edgeCount);
  const branch = new Uint8Array(count);
  const falls = new Int32Array(count);
  for (let e = 0; e < edgeCount; e++) if (kinds[e] === "fall") falls[to[e] ?? 0] = (falls[to[e] ?? 0] ?? 0) + 1;
  /** Whether a block other than this edge's source falls into its target. */
  const taken = (e: number): boolean => (falls[to[e] ?? 0] ?? 0) > (kinds[e] === "fall" ? 1 : 0);
  for (let n = 0; n < count; n++) {
    const begin = succStart[n] ?? 0;
    const own = succ.subarray(begin, succStart[n + 1] ?? 0);
    own.sort((a, b) => (ports[a] ?? 0) - (ports[b] ?? 0) || a - b);
    if (own.length === 2 || (own.length === BRANCH && own.every((e) => kinds[e] !== "table"))) branch[n] = 1;
    if (branch[n] === 1 && turned.has(n)) own.reverse();
    let goesOn = mainSlot(Array.from(own, (e) => kinds[e] ?? "jump"));
    const ahead = own[goesOn];
    const arm = own[1 - goesOn];
    // Straight down is the arm of an if, not the join after it that the arm falls into.
    if (own.length === 2 && ahead !== undefined && arm !== undefined && taken(ahead) && !taken(arm) && (to[arm] ?? 0) > n) {
      goesOn = 1 - goesOn;
    }
    own.forEach((e, i) => {
      slot[e] = i;
      port[e] = outPortX(widths[n] ?? 0, i, own.length, goesOn);
      main[e] = i !== goesOn && own.length > 1 ? 0 : kinds[e] === "fall" ? 2 : 1;
    });
  }
  return {
    count,
    ids,
    width: Float64Array.from(widths),
    height: Float64Array.from(heights),
    entry: count === 0 ? -1 : (index.get(input.entry) ?? 0),
    edgeCount,
    edgeIds,
    from,
    to,
    slot,
    succStart,
    succ,
    predStart,
    pred,
    port,
    main,
    branch,
    tag: Uint8Array.from(tags),
    beyond,
    dropped,
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
