/** What a pass's code imports. */

import type * as api from "./api/api.ts";
import { defineAnalysis, definePass, PASS_API_VERSION } from "./api/module.ts";
import { sameUpToNames } from "./api/same-up-to-names.ts";

export { FORBIDDABLE } from "./api/fn-view.ts";
export { defineAnalysis, definePass, type OwnAnalysis, type OwnPass, type OwnTest, PASS_API_VERSION } from "./api/module.ts";
export { sameUpToNames } from "./api/same-up-to-names.ts";

/** All of `oriscope/pass` but `test`, which the loader of the file provides. */
export const PASS_MODULE = { definePass, defineAnalysis, sameUpToNames, PASS_API_VERSION } as const satisfies Omit<typeof api, "test">;
