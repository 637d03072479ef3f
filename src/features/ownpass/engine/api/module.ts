/** What `oriscope/pass` gives at run time: definitions are data, and a test is remembered by the file that makes it. */

import type { AnalysisDefinition, OwnAnalysis, OwnPass, PassDefinition, TestOptions } from "./api.ts";

export type { OwnAnalysis, OwnPass } from "./api.ts";

/** Of the types in `api.ts`: grows when something is added, and the first part when something changes. */
export const PASS_API_VERSION = "1.1";

export interface OwnTest {
  readonly name: string;
  /** Ori text. */
  readonly program: string;
  readonly options: TestOptions;
}

/** A pass, for `export default`. */
export function definePass(definition: PassDefinition): OwnPass {
  return { ...definition, kind: "pass" };
}

/** An analysis, for `export default`. */
export function defineAnalysis(definition: AnalysisDefinition): OwnAnalysis {
  return { ...definition, kind: "analysis" };
}
