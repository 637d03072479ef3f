/** The options that `-O3 --target sm_90` alone means: plain values, so that the page can have them without the engine. */

import type { Policy } from "../config/policy.ts";
import type { PlanOptions } from "./plan.ts";

export const DEFAULT_LEVEL = 3;
export const DEFAULT_POLICY: Policy = "notes";

export const DEFAULT_OPTIONS: Omit<PlanOptions, "own"> & { readonly policy: Policy } = {
  target: null,
  level: DEFAULT_LEVEL,
  policy: DEFAULT_POLICY,
  knobs: [],
  noPhases: [],
  namedPhases: [],
  phases: null,
  until: null,
};
