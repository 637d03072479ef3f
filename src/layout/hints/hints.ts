/**
 * Computes step by step what ELK does not know about a control-flow graph: the orientation of branches, the rows, the order from left to
 * right, and which edges are straight.
 */
import { type FlowGraph, flowGraph } from "../flow-graph.ts";
import { type FlowOrder, flowOrder } from "../flow-order.ts";
import { type LoopForest, loopForest } from "../loop-forest.ts";
import type { GraphInput, Spacing } from "../types.ts";
import { combs } from "./combs.ts";
import { joins } from "./joins.ts";
import { lanes } from "./lanes.ts";
import { rows } from "./rows.ts";
import { straightLines } from "./straight.ts";
import { trunks } from "./trunks.ts";
import { turns } from "./turns.ts";
import { underLoops } from "./under.ts";

export interface Hints {
  readonly input: GraphInput;
  /** The graph, with the successors of branches in their order from left to right. */
  readonly graph: FlowGraph;
  /** The back edges, and one left-to-right order of all cards and lines. */
  readonly order: FlowOrder;
  readonly loops: LoopForest;
  /** Card to row, 0 at the top. */
  readonly row: Int32Array;
  /** Loop to the lowest row of its cards. */
  readonly loopEnd: Int32Array;
  /** Per loop: 1 if a card is next to it, on its left. */
  readonly walled: Uint8Array;
  /** Card to the edge that comes straight down into it, or -1. */
  readonly straight: Int32Array;
  /** Maps the last card of a loop's body to the card below the loop that follows it: both are in one column, though no edge joins them. */
  readonly under: ReadonlyMap<number, { readonly card: number; readonly loop: number }>;
  /** Edge to its position from left to right, and to the line that it joins: itself if others join it, -1 if there is none. */
  readonly place: Float64Array;
  readonly trunk: Int32Array;
  /** Loop to the position from left to right of its back edges, and of its left side. */
  readonly lane: Float64Array;
  readonly wall: Float64Array;
}

/** One step: adds something to the hints. A drawing without the step shows what it contributes. */
export interface Step {
  readonly name: string;
  readonly run: (hints: Hints, spacing: Spacing) => Hints;
}

export const STEPS: readonly Step[] = [
  { name: "turns", run: turns },
  { name: "joins", run: joins },
  { name: "rows", run: rows },
  { name: "combs", run: combs },
  { name: "straight lines", run: straightLines },
  { name: "under loops", run: underLoops },
  { name: "trunks", run: trunks },
  { name: "lanes", run: lanes },
];

export function hintsFor(input: GraphInput, spacing: Spacing, steps: readonly Step[] = STEPS): Hints {
  return steps.reduce((hints, step) => step.run(hints, spacing), withoutHints(input));
}

/** A graph in the given order, every card in its own row. */
function withoutHints(input: GraphInput): Hints {
  const graph = flowGraph(input);
  const order = flowOrder(graph);
  const loops = loopForest(graph, order);
  return {
    input,
    graph,
    order,
    loops,
    row: order.number,
    loopEnd: new Int32Array(loops.count),
    walled: new Uint8Array(loops.count),
    straight: new Int32Array(graph.count).fill(-1),
    under: new Map(),
    place: Float64Array.from(order.edgeKey),
    trunk: new Int32Array(graph.edgeCount).fill(-1),
    lane: new Float64Array(loops.count),
    wall: new Float64Array(loops.count),
  };
}
