/**
 * Loops and how they nest, irreducible ones included. A loop is what its header reaches and what reaches the header back
 * without leaving the nodes that come after it in reverse postorder; the header is the first of them in that order.
 * The idea is Havlak's (Nesting of Reducible and Irreducible Loops, 1997): inner loops first, each folded into its header.
 */
import type { FlowGraph } from "./flow-graph.ts";
import type { FlowOrder } from "./flow-order.ts";

export interface LoopForest {
  readonly count: number;
  /** Loop to its header node. Outer loops come before the loops inside them. */
  readonly header: Int32Array;
  /** Loop to the loop around it, or -1. */
  readonly parent: Int32Array;
  /** Node to the innermost loop it belongs to (a header belongs to its own), or -1. */
  readonly loopOf: Int32Array;
  /** The loops inside loop `l`, itself included, are `l..last[l]`. */
  readonly last: Int32Array;
}

export function loopForest(graph: FlowGraph, order: FlowOrder): LoopForest {
  const { count, from, pred, predStart } = graph;
  const { number, found, left, back, rpo } = order;
  const fold = new Int32Array(count);
  for (let n = 0; n < count; n++) fold[n] = n;
  const outer = new Int32Array(count).fill(-1);
  const isHeader = new Uint8Array(count);
  const seen = new Int32Array(count).fill(-1);
  const sideEntries = new Map<number, number[]>();
  const tagsFor = new Map<number, number[]>();
  graph.beyond.forEach((target, n) => {
    if (target >= 0) tagsFor.set(target, [...(tagsFor.get(target) ?? []), n]);
  });

  for (let r = count - 1; r >= 0; r--) {
    const head = rpo[r] ?? 0;
    const work: number[] = [];
    for (let p = predStart[head] ?? 0; p < (predStart[head + 1] ?? 0); p++) {
      const edge = pred[p] ?? 0;
      if (back[edge] !== 1) continue;
      isHeader[head] = 1;
      const latch = find(fold, from[edge] ?? 0);
      if (latch === head || seen[latch] === head) continue;
      seen[latch] = head;
      work.push(latch);
    }
    if (isHeader[head] !== 1) continue;
    const sides: number[] = [];
    for (let w = 0; w < work.length; w++) {
      const member = work[w] ?? 0;
      const visit = (source: number): void => {
        const node = find(fold, source);
        if (node === head || node === member || seen[node] === head) return;
        const inside = (found[node] ?? 0) > (found[head] ?? 0) && (left[node] ?? 0) < (left[head] ?? 0);
        if (!inside || (number[node] ?? 0) < r) {
          sides.push(source);
          return;
        }
        seen[node] = head;
        work.push(node);
      };
      for (let p = predStart[member] ?? 0; p < (predStart[member + 1] ?? 0); p++) {
        const edge = pred[p] ?? 0;
        if (back[edge] !== 1) visit(from[edge] ?? 0);
      }
      for (const tag of tagsFor.get(member) ?? []) visit(tag);
      for (const source of sideEntries.get(member) ?? []) visit(source);
      sideEntries.delete(member);
    }
    for (const member of work) {
      fold[member] = head;
      outer[member] = head;
    }
    if (sides.length > 0) sideEntries.set(head, sides);
  }
  const result = forest(count, rpo, isHeader, outer);
  keepTagsInside(graph, result.loopOf);
  return result;
}

/** The tag at the end of an edge out of a loop is placed among the loop's blocks, where the edge leaves, not after the loop. */
function keepTagsInside({ count, from, pred, predStart, tag }: FlowGraph, loopOf: Int32Array): void {
  for (let n = 0; n < count; n++) {
    const at = predStart[n] ?? 0;
    if (tag[n] === 1 && (predStart[n + 1] ?? 0) === at + 1) loopOf[n] = loopOf[from[pred[at] ?? 0] ?? 0] ?? -1;
  }
}

/** Numbers the loops in preorder of their nesting, so that a loop's insides are one range. */
function forest(count: number, rpo: Int32Array, isHeader: Uint8Array, outer: Int32Array): LoopForest {
  const children = new Map<number, number[]>();
  const roots: number[] = [];
  for (const node of rpo) {
    if (isHeader[node] !== 1) continue;
    const around = outer[node] ?? -1;
    if (around < 0) roots.push(node);
    else {
      const list = children.get(around);
      if (list === undefined) children.set(around, [node]);
      else list.push(node);
    }
  }
  const headers: number[] = [];
  const loopAt = new Int32Array(count).fill(-1);
  const stack = roots.reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    loopAt[node] = headers.length;
    headers.push(node);
    const inner = children.get(node) ?? [];
    for (let i = inner.length - 1; i >= 0; i--) stack.push(inner[i] ?? 0);
  }
  const loops = headers.length;
  const parent = new Int32Array(loops).fill(-1);
  const last = new Int32Array(loops);
  for (let l = loops - 1; l >= 0; l--) {
    last[l] = Math.max(last[l] ?? 0, l);
    const around = outer[headers[l] ?? 0] ?? -1;
    if (around < 0) continue;
    const up = loopAt[around] ?? 0;
    parent[l] = up;
    last[up] = Math.max(last[up] ?? 0, last[l] ?? 0);
  }
  const loopOf = new Int32Array(count).fill(-1);
  for (let n = 0; n < count; n++) {
    const around = outer[n] ?? -1;
    loopOf[n] = isHeader[n] === 1 ? (loopAt[n] ?? -1) : around < 0 ? -1 : (loopAt[around] ?? -1);
  }
  return { count: loops, header: Int32Array.from(headers), parent, loopOf, last };
}

/** True if node `n` is in loop `loop` or in a loop inside it. */
export function loopContains(forest: LoopForest, loop: number, n: number): boolean {
  const own = forest.loopOf[n] ?? -1;
  return own >= loop && own <= (forest.last[loop] ?? -1);
}

/** The outermost loop that `source` is in and `target` is not, or -1. */
export function outermostLeft(forest: LoopForest, source: number, target: number): number {
  let result = -1;
  for (let l = forest.loopOf[source] ?? -1; l >= 0 && !loopContains(forest, l, target); l = forest.parent[l] ?? -1) result = l;
  return result;
}

function find(fold: Int32Array, start: number): number {
  let node = start;
  for (let up = fold[node] ?? 0; up !== node; up = fold[node] ?? 0) {
    fold[node] = fold[up] ?? 0;
    node = fold[node] ?? 0;
  }
  return node;
}
