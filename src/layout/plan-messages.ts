/** What the page and the layout worker say to each other. */
import type { LayoutPlan, PlanRequest } from "./plan.ts";
import type { GraphInput } from "./types.ts";

export interface PlanCall {
  readonly id: number;
  readonly input: GraphInput;
  readonly request: PlanRequest;
}

export type PlanAnswer =
  | { readonly id: number; readonly plan: LayoutPlan; readonly message: null }
  | { readonly id: number; readonly plan: null; readonly message: string };
