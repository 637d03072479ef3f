/** What the questions about own passes answer, in addition to what the engine's own types have. */

import type { OwnBlock } from "../../../engine/api/types.ts";

export interface OwnCompared {
  readonly blocks: readonly OwnBlock[];
  /** It threw, was ended, or gave no answer that can be used; line 0: not known. */
  readonly problem: { readonly message: string; readonly line: number } | null;
}
