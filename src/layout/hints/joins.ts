/**
 * Chooses the straight edge into a join. A block falls through into the join of a branch from the left arm. If that edge were always the
 * straight one, each join would be one column further left than its branch, and a long program would descend like stairs. Once a join is a
 * few columns off, it is placed under the arm that continues below the branch instead.
 */
import type { FlowGraph } from "../flow-graph.ts";
import type { FlowOrder } from "../flow-order.ts";
import type { LoopForest } from "../loop-forest.ts";
import type { Hints } from "./hints.ts";

/** The maximal distance, in columns, of a join from the header of its loop. */
const FAR = 2;

export function joins(hints: Hints): Hints {
  const { graph, order, loops } = hints;
  return { ...hints, graph: { ...graph, main: straightWays(graph, order, loops) } };
}

/** `graph.main`, except that the straight edge into a join is one from a different arm if it would otherwise lead too far to the side. */
function straightWays(graph: FlowGraph, order: FlowOrder, loops: LoopForest): Uint8Array {
  const main = graph.main.slice();
  const column = new Int32Array(graph.count);
  for (const n of order.rpo) {
    const home = columnOfHome(n, loops, column);
    let falls = -1;
    let other = -1;
    let first = -1;
    for (let p = graph.predStart[n] ?? 0; p < (graph.predStart[n + 1] ?? 0); p++) {
      const edge = graph.pred[p] ?? 0;
      if (order.back[edge] === 1) continue;
      if (first < 0) first = edge;
      if (main[edge] === 2) falls = edge;
      else if (main[edge] === 1 && (other < 0 || columnBy(graph, main, column, edge) > columnBy(graph, main, column, other))) other = edge;
    }
    const straight = falls >= 0 ? falls : other >= 0 ? other : first;
    if (straight < 0) continue;
    column[n] = columnBy(graph, main, column, straight);
    if (falls < 0 || other < 0 || home - (column[n] ?? 0) < FAR) continue;
    const beside = columnBy(graph, main, column, other);
    if (beside <= (column[n] ?? 0)) continue;
    main[falls] = 1;
    main[other] = 2;
    column[n] = beside;
  }
  return main;
}

/** The column of the header of the loop that contains a node; for a header, of the loop around its own. */
function columnOfHome(n: number, loops: LoopForest, column: Int32Array): number {
  const own = loops.loopOf[n] ?? -1;
  const loop = own >= 0 && loops.header[own] === n ? (loops.parent[own] ?? -1) : own;
  return loop < 0 ? 0 : (column[loops.header[loop] ?? 0] ?? 0);
}

/** The column of a node placed by this edge: under the source, or one column to the side. */
function columnBy(graph: FlowGraph, main: Uint8Array, column: Int32Array, edge: number): number {
  const source = graph.from[edge] ?? 0;
  const at = column[source] ?? 0;
  if (main[edge] !== 0) return at;
  const middle = (graph.width[source] ?? 0) / 2;
  return (graph.port[edge] ?? 0) < middle ? at - 1 : at + 1;
}
