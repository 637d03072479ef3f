/** What the three parts of branch folding share during one run. */

import type { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import type { PassContext } from "../pass.ts";
import type { LoopEntries } from "./loop-entries.ts";
import type { Observed } from "./observed.ts";
import type { TableNamers } from "./tables.ts";

export interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly minTail: number;
  readonly threshold: number;
  /** False in 'upstream LLVM 20' mode: no reserved-register gate and no priorities. */
  readonly nvidia: boolean;
  /** Why tails are not merged; null when they are. */
  readonly tailMergeOff: string | null;
  /** Where lanes reconverge, for the function as it came in. */
  readonly rejoin: RejoinGuard;
  /** Loops, for the function as it was when the merging of tails last began. */
  entries: LoopEntries;
  /** What the inspectors show; only for use while a trace is recorded. */
  readonly observed: Observed;
  /** Of the tables that some instruction named when the phase began. */
  readonly namers: TableNamers;
}

/** A branch to `target` without condition. */
export function jumpTo(edit: Editor, target: BlockId): Inst {
  return edit.make("BRA", [{ kind: "label", block: target }]);
}
