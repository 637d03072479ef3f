/** What the parts of the phase share: the run, and one round of its analyses. */

import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { NamedBlocks } from "../../analysis/named-blocks.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { PassContext } from "../pass.ts";
import { runStages, STAGES, type Stages } from "./liveness-stages.ts";
import { conditionOf } from "./pair.ts";
import type { EligibilityRow, TruthTableRow } from "./rows.ts";

export interface State extends Pick<PassContext, "edit" | "remark" | "knobs"> {
  /** Policy 'notes': the excluded opcodes and the locks of the reference count as well. */
  readonly strict: boolean;
  readonly named: NamedBlocks;
  /** Of the function as it came in: combining takes blocks and edges away and adds none, so what was apart or together stays so. */
  readonly rejoin: RejoinGuard;
  readonly truthTable: ShownTable<TruthTableRow>;
  readonly eligibility: ShownTable<EligibilityRow>;
  /** The rows of the eligibility table. */
  readonly eligible: Set<string>;
}

/** The sets describe the function as it was at the start of the round, also while the round changes it: combining never makes a register live where it was not. */
export interface Round {
  readonly live: Liveness;
  readonly stages: Stages;
}

export function stateOf({ edit, remark, knobs, policy }: PassContext): State {
  return {
    edit,
    remark,
    knobs,
    strict: policy === "notes",
    named: new NamedBlocks(edit),
    rejoin: new RejoinGuard(edit),
    truthTable: remark.shown.table("truth-table", "Truth table of the last combination"),
    eligibility: remark.shown.table("eligibility", "Eligibility of the inner block's instructions (sub_A07940)"),
    eligible: new Set(),
  };
}

/** Liveness, and the first two stages over the blocks that may be an inner block. */
export function prepare({ edit, remark }: State): Round {
  const candidates = new Set<BlockId>();
  for (const id of edit.func.layout) if (edit.block(id).preds.length === 1 && conditionOf(edit, id) !== null) candidates.add(id);
  remark.step(STAGES.liveness, { blocks: edit.func.layout.length });
  return { live: liveness(edit.func), stages: runStages(edit.func, candidates, remark) };
}
