/** What to lay out and how, decided from the graph's shape before anything slow starts. */

import { collapseToLimit } from "./collapse.ts";
import { flowGraph } from "./flow-graph.ts";
import { flowOrder } from "./flow-order.ts";
import { assignLayers } from "./linear/layers.ts";
import { linearLayout } from "./linear.ts";
import { loopForest } from "./loop-forest.ts";
import type { CardMetrics } from "./measure.ts";
import { openRegions } from "./open-regions.ts";
import { plural } from "./plural.ts";
import type { Engine, GraphInput, GraphLayout, Simplified, SimplifyReason, Spacing } from "./types.ts";

export interface LayoutLimits {
  /** Nodes past which loops and straight lines are drawn as regions. */
  readonly collapseAbove: number;
  /** Nodes past which ELK is not asked. */
  readonly elkNodes: number;
  /** Sum of the layers all edges span past which ELK's time grows out of hand (a ladder of 300 blocks: 6 to 27 s). */
  readonly elkSpan: number;
}

export const defaultLayoutLimits: LayoutLimits = { collapseAbove: 800, elkNodes: 500, elkSpan: 20_000 };

export interface PlanRequest {
  readonly engine: Engine;
  readonly limits: LayoutLimits;
  readonly metrics: CardMetrics;
  readonly spacing: Spacing;
  /** Regions that are not to be drawn as one although the graph is large, by id. */
  readonly opened: ReadonlySet<string>;
  /** Also draw with the linear engine, because the answer is wanted at once. */
  readonly draw: boolean;
}

export interface LayoutPlan {
  /** What is drawn: the input, or what `simplified` made of it. */
  readonly graph: GraphInput;
  readonly engine: Engine;
  readonly simplified: Simplified | null;
  /** The linear engine's picture, if asked for or if it is the chosen engine. */
  readonly linear: GraphLayout | null;
}

export function planLayout(input: GraphInput, request: PlanRequest): LayoutPlan {
  const { limits } = request;
  const causes: SimplifyReason[] = [];
  let graph = input;
  let simplified: Simplified | null = null;
  if (input.nodes.length > limits.collapseAbove) {
    const closed = collapseToLimit(input, limits.collapseAbove, request.metrics);
    const small = openRegions(input, closed, request.opened, request.metrics);
    if (small.graph.nodes.length < input.nodes.length) {
      graph = small.graph;
      causes.push({ kind: "collapsed", blocks: input.nodes.length, limit: limits.collapseAbove, shown: graph.nodes.length });
      simplified = simplify(causes, graph, small.shownAs, small.stubs);
    }
  }
  let engine = request.engine;
  if (engine === "elk" && graph.nodes.length > limits.elkNodes) {
    engine = "linear";
    causes.push({ kind: "large", shown: graph.nodes.length, limit: limits.elkNodes });
    simplified = simplify(causes, graph, simplified?.shownAs ?? new Map(), simplified?.stubs ?? new Map());
  }
  if (engine === "elk") {
    const span = layerSpan(graph);
    if (span > limits.elkSpan) {
      engine = "linear";
      causes.push({ kind: "fast", span, limit: limits.elkSpan });
      simplified = simplify(causes, graph, simplified?.shownAs ?? new Map(), simplified?.stubs ?? new Map());
    }
  }
  const linear = request.draw || engine === "linear" ? { ...linearLayout(graph, request.spacing), simplified } : null;
  return { graph, engine, simplified, linear };
}

/** Layers crossed by all forward edges together: what a layered engine without joined lines has to handle. */
export function layerSpan(input: GraphInput): number {
  const graph = flowGraph(input);
  const order = flowOrder(graph);
  const layers = assignLayers(graph, order, loopForest(graph, order));
  let span = 0;
  for (let e = 0; e < graph.edgeCount; e++) span += Math.abs((layers.of[graph.to[e] ?? 0] ?? 0) - (layers.of[graph.from[e] ?? 0] ?? 0));
  return span;
}

/** `simplified` with one more cause, and its sentence made anew. */
export function withCause(simplified: Simplified | null, cause: SimplifyReason, graph: GraphInput): Simplified {
  return simplify([...(simplified?.causes ?? []), cause], graph, simplified?.shownAs ?? new Map(), simplified?.stubs ?? new Map());
}

function simplify(
  causes: readonly SimplifyReason[],
  graph: GraphInput,
  shownAs: Simplified["shownAs"],
  stubs: Simplified["stubs"],
): Simplified {
  return { reason: causes.map(sentence).join(" "), causes, graph, shownAs, stubs };
}

function sentence(cause: SimplifyReason): string {
  switch (cause.kind) {
    case "collapsed":
      return `${plural(cause.blocks, "block is", "blocks are")} more than ${cause.limit}: loops, branches and straight lines are drawn as regions (${plural(cause.shown, "card")}). Open one by its button, or by Enter.`;
    case "large":
      return `${plural(cause.shown, "card is", "cards are")} more than ${cause.limit}: drawn by the fast engine.`;
    case "fast":
      return `The edges span ${cause.span} layers, more than ${cause.limit}: drawn by the fast engine.`;
    case "timeout":
      return `The layout took more than ${Math.round(cause.afterMs / 100) / 10} s: drawn by the fast engine.`;
    case "failed":
      return `The layout engine failed (${cause.message}): drawn by the fast engine.`;
  }
}
