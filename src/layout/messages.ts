/** What the page and the layout worker send each other. */
import type { LayoutRequest } from "./plan.ts";
import type { GraphInput, GraphLayout } from "./types.ts";

export interface DrawCall {
  readonly id: number;
  readonly input: GraphInput;
  readonly request: LayoutRequest;
}

/** No drawing is awaited: ELK may be warmed up. */
export interface WarmCall {
  readonly warm: true;
}

export type DrawAnswer =
  | { readonly id: number; readonly layout: GraphLayout; readonly message: null }
  | { readonly id: number; readonly layout: null; readonly message: string };
