/** The JSON that `align` prints. Others build on it: fields may be added, none may change or be removed. */

import type { AlignReport } from "../engine/align/report.ts";

/** `align --json` */
export interface AlignJson {
  readonly kernels: readonly AlignReport[];
}
