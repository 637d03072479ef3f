/** The JSON that `lab check` and `grade` print. Others build on it: fields may be added, none may change or be removed. */

import type { LabCheck } from "../engine/check.ts";
import type { Grade } from "../engine/grade.ts";

/** `lab check --json` */
export type LabCheckJson = LabCheck;

/** `grade --json` */
export interface GradeJson {
  readonly lab: { readonly id: string; readonly version: number; readonly digest: string };
  readonly results: readonly Grade[];
}
