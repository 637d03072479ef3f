/** What to lay out and how, decided from the graph's shape before anything slow starts. */

import { chooseEngine, defaultEngineLimits, type EngineLimits } from "./choose-engine.ts";
import { collapseToLimit } from "./collapse.ts";
import { linearLayout } from "./linear.ts";
import type { CardMetrics } from "./measure.ts";
import { openRegions } from "./open-regions.ts";
import { plural } from "./plural.ts";
import type { Engine, GraphInput, GraphLayout, Simplified, SimplifyReason, Spacing } from "./types.ts";

export interface LayoutLimits extends EngineLimits {
  /** Nodes past which loops and straight lines are drawn as regions. */
  readonly collapseAbove: number;
}

export const defaultLayoutLimits: LayoutLimits = { collapseAbove: 800, ...defaultEngineLimits };

export interface PlanRequest {
  readonly engine: Engine;
  readonly limits: LayoutLimits;
  readonly metrics: CardMetrics;
  readonly spacing: Spacing;
  /** Regions that are not to be drawn as one although the graph is large, by id. */
  readonly opened: ReadonlySet<string>;
}

export interface LayoutPlan {
  /** What is drawn: the input, or what `simplified` made of it. */
  readonly graph: GraphInput;
  readonly engine: Engine;
  readonly simplified: Simplified | null;
  /** The linear engine's picture, if it is the chosen engine. */
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
  const engine = request.engine === "linear" ? "linear" : chooseEngine(graph, limits);
  const linear = engine === "linear" ? { ...linearLayout(graph, request.spacing), simplified } : null;
  return { graph, engine, simplified, linear };
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
    case "timeout":
      return `The layout took more than ${Math.round(cause.afterMs / 100) / 10} s: drawn by the fast engine.`;
    case "failed":
      return `The layout engine failed (${cause.message}): drawn by the fast engine.`;
  }
}
