/** What the sub-passes share in one round: each takes the parts that it names, and gives its result back. */

import type { ReachingDefs } from "../../../analysis/reaching-defs.ts";
import type { RejoinGuard } from "../../../analysis/rejoin-guard.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, InstId } from "../../../ir/ids.ts";
import type { Inst } from "../../../ir/types.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { CopyValues } from "./copy-values.ts";
import type { Removal } from "./dead-code.ts";
import type { EdgeFacts } from "./edge-facts.ts";
import type { OperandMarks } from "./marks.ts";
import type { CopyOptions } from "./options.ts";
import type { CopyRules } from "./rules.ts";
import type { Tally } from "./tally.ts";
import type { Worklist } from "./worklist.ts";

/** What lasts for the whole run of a phase. */
export interface Run {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly rules: CopyRules;
  readonly options: CopyOptions;
  readonly work: Worklist;
  readonly marks: OperandMarks;
  readonly tally: Tally;
  readonly facts: EdgeFacts;
  /** Whether an edge may be removed without lanes reconverging elsewhere, judged on the phase's input. */
  readonly rejoin: RejoinGuard;
  /** Copies that were propagated at least once: they count once against CopyPropBudget. */
  readonly propagated: Set<InstId>;
  readonly removal: Removal;
}

/** And what is known in one round. */
export interface Walk extends Run {
  /** Of the function at the start of the round. */
  readonly reach: ReachingDefs;
  readonly values: CopyValues;
  /** Known forms of instructions that are not written: all in mode 'predicates', else branches that wait for their decision. */
  readonly forms: Map<InstId, Inst>;
  /** Instructions to remove at the end of the round, by block. */
  readonly doomed: Map<BlockId, Set<InstId>>;
  /** PHIs with one value, to become copies at the end of the round. */
  readonly phis: Deferred[];
}

export interface Deferred {
  readonly block: BlockId;
  readonly phi: InstId;
}

/** An instruction is removed at the end of the round. */
export function doom(
  { doomed, marks, work, remark }: Pick<Walk, "doomed" | "marks" | "work" | "remark">,
  block: BlockId,
  inst: Inst,
): void {
  remark.postpone("doomed");
  let set = doomed.get(block);
  if (set === undefined) {
    set = new Set();
    doomed.set(block, set);
  }
  set.add(inst.id);
  marks.clear(inst);
  work.lose(inst);
  work.touch(inst);
}
