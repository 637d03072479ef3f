/** What the three parts of branch folding share during one run. */

import type { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import type { Recorder } from "../../trace/recorder.ts";
import type { LoopEntries } from "./loop-entries.ts";
import type { Observed } from "./observed.ts";

export interface State {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly minTail: number;
  readonly threshold: number;
  /** False in 'upstream LLVM 20' mode: no reserved-register gate and no priorities. */
  readonly nvidia: boolean;
  /** Why tails are not merged; null when they are. */
  readonly tailMergeOff: string | null;
  readonly hoist: boolean;
  /** Where lanes meet again, for the function as it came in. */
  readonly rejoin: RejoinGuard;
  /** Loops, for the function as it was when the merging of tails last began. */
  entries: LoopEntries;
  /** What the inspectors show; only for use while recording. */
  readonly observed: Observed;
  matches: number;
  rewrites: number;
  merges: number;
  hoisted: number;
  /** Conditions that refused a candidate, with how often: what the phase says when nothing changed. */
  readonly refusals: Map<string, number>;
}

export function refuse(state: State, condition: string): void {
  state.refusals.set(condition, (state.refusals.get(condition) ?? 0) + 1);
}

export function labelOf(state: State, id: BlockId): string {
  return state.edit.block(id).label;
}

/** The blocks that a BSSY names as its region's end: they keep their place and their name. */
export function regionEnds(state: State): Set<BlockId> {
  const ends = new Set<BlockId>();
  for (const id of state.edit.func.layout) {
    for (const inst of state.edit.block(id).insts) {
      const label = inst.op === "BSSY" ? inst.ops[inst.ops.length - 1] : undefined;
      if (label?.kind === "label") ends.add(label.block);
    }
  }
  return ends;
}

/** A branch to `target` without condition. */
export function jumpTo(state: State, target: BlockId): Inst {
  return state.edit.make("BRA", [{ kind: "label", block: target }]);
}
