/** Which engine draws a graph, decided from its shape before anything slow starts. */

import { type FlowGraph, flowGraph } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import { assignLayers } from "./linear/layers.ts";
import { loopForest } from "./loop-forest.ts";
import type { Engine, GraphInput } from "./types.ts";

export interface EngineLimits {
  /** Cards up to which ELK is asked. */
  readonly elkCards: number;
  /** Lines past `longLayers` layers into one block up to which ELK is asked: its time grows with them out of hand (262 blocks: 15 s). */
  readonly elkLongLines: number;
  readonly longLayers: number;
}

export const defaultEngineLimits: EngineLimits = { elkCards: 150, elkLongLines: 20, longLayers: 10 };

/** ELK for up to 150 cards, unless more than 20 lines longer than 10 layers lead into one block; else the linear engine. */
export function chooseEngine(input: GraphInput, limits: EngineLimits = defaultEngineLimits): Engine {
  if (input.nodes.length > limits.elkCards) return "linear";
  return mostLongLines(flowGraph(input), limits.longLayers) > limits.elkLongLines ? "linear" : "elk";
}

/** The most lines past so many layers that lead into one block. */
function mostLongLines(graph: FlowGraph, layers: number): number {
  const order = flowOrder(graph);
  const { of } = assignLayers(graph, order, loopForest(graph, order));
  const into = new Int32Array(graph.count);
  let most = 0;
  for (let e = 0; e < graph.edgeCount; e++) {
    const target = graph.to[e] ?? 0;
    if (Math.abs((of[target] ?? 0) - (of[graph.from[e] ?? 0] ?? 0)) <= layers) continue;
    into[target] = (into[target] ?? 0) + 1;
    most = Math.max(most, into[target] ?? 0);
  }
  return most;
}
