/** What the sub-passes share in one round: each receives the parts that it names, and returns its result. */

import type { ReachingDefs } from "../../../analysis/reaching-defs.ts";
import type { RejoinGuard } from "../../../analysis/rejoin-guard.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, InstId } from "../../../ir/ids.ts";
import type { Inst } from "../../../ir/types.ts";
import type { Remarks, Rewrite, Staged } from "../../../remark/remarks.ts";
import type { Match } from "../../../remark/rule.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { CopyValues } from "./copy-values.ts";
import type { EdgeFacts } from "./edge-facts.ts";
import type { OperandMarks } from "./marks.ts";
import type { CopyOptions } from "./options.ts";
import type { ReachingRow } from "./rows.ts";
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
  /** The definitions that answered the last read of each register, for display; null if reads are not reported. */
  readonly reaching: ShownTable<ReachingRow> | null;
}

/** And what is known in one round. */
export interface Walk extends Run {
  /** Of the function at the start of the round. */
  readonly reach: ReachingDefs;
  readonly values: CopyValues;
  /** Known forms of instructions that are not written: all in mode 'predicates', else branches that wait for their decision. */
  readonly forms: Map<InstId, Inst>;
  /** Uses of one instruction that are replaced, and not written yet. */
  readonly uses: Staged;
  /** Instructions to remove at the end of the round, by block. */
  readonly doomed: Map<BlockId, Set<InstId>>;
  readonly removals: Staged;
  /** Removed as dead. */
  readonly gone: Set<InstId>;
  /** PHIs with one value, to become copies at the end of the round. */
  readonly phis: Deferred[];
}

/** An instruction of the block, in its known form. */
export interface Place {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
}

export interface Deferred {
  readonly block: BlockId;
  readonly phi: InstId;
}

/** Requests what a rule matches, while knob 464 lets it. */
export function requestFold({ remark, options }: Walk, by: CopyRules["fold" | "guard"], match: Match | null, inst: Inst): Rewrite | null {
  if (match === null) return null;
  return options.foldBudget?.take(by) === false ? remark.missed(by, "budget", { inst }) : match.request();
}

/** An instruction is removed at the end of the round. */
export function doom({ doomed, marks, work }: Pick<Walk, "doomed" | "marks" | "work">, block: BlockId, inst: Inst): void {
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
