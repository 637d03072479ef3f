/** The JSON that `conditions`, `bisect` and `need` print. Others build on it: fields may be added, none may change or be removed. */

import type { BisectReport, ConditionRow, NeedReport } from "../engine/types.ts";

/** `conditions --json`: an array of these. */
export type ConditionJson = ConditionRow;

/** `bisect --json` */
export type BisectJson = BisectReport;

/** `need --json` */
export type NeedJson = NeedReport;
