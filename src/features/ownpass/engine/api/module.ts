/** What `oriscope/pass` provides at run time: definitions are data. */

import type { AnalysisDefinition, OwnAnalysis, OwnPass, PassDefinition, TestOptions } from "./api.ts";

export type { OwnAnalysis, OwnPass } from "./api.ts";

/** The version of the types in `api.ts`: the second part grows when something is added, the first when something changes. */
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
