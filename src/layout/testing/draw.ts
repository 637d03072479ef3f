/** Drawings for tests: laid out by ELK in this process. */
import { nodeElk } from "../elk/node.ts";
import { elkLayout } from "../elk-layout.ts";
import { defaultCardMetrics } from "../measure.ts";
import { defaultLayoutLimits, drawGraph, type LayoutRequest } from "../plan.ts";
import { defaultSpacing, type GraphInput, type GraphLayout } from "../types.ts";

/** With every block and line: no regions, no tags. */
export const laidOut = (input: GraphInput): Promise<GraphLayout> => elkLayout(input, nodeElk);

export function requestFor(limits: Partial<LayoutRequest["limits"]> = {}): LayoutRequest {
  return { limits: { ...defaultLayoutLimits, ...limits }, metrics: defaultCardMetrics, spacing: defaultSpacing, opened: new Set() };
}

/** With long lines as tags; with `limits` also with regions. */
export function drawn(input: GraphInput, limits: Partial<LayoutRequest["limits"]> = WITHOUT_REGIONS): Promise<GraphLayout> {
  return drawGraph(input, requestFor(limits), nodeElk);
}

export const WITHOUT_REGIONS = { collapseAbove: Number.POSITIVE_INFINITY, placesAbove: Number.POSITIVE_INFINITY } as const;
