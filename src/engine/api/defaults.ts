/** The default options of a run. */

import { DEFAULT_OPTIONS } from "../pipeline/defaults.ts";
import type { PipelineOptions } from "./types.ts";

export const DEFAULT_PIPELINE: PipelineOptions = { ...DEFAULT_OPTIONS, verify: false, check: 0, fuel: null, interventions: [] };
