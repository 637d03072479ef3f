/** Triangles and diamonds: a condition whose successors join after at most one block each. */

import type { Editor } from "../ir/edit.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Guard, Inst, Operand } from "../ir/types.ts";
import { phiInput, phisOf } from "../ir/visit.ts";
import type { Missed } from "../remark/rules.ts";
import { analyzeEnding } from "./block-ending.ts";
import type { NamedBlocks } from "./named-blocks.ts";

export interface Arms {
  readonly head: BlockId;
  readonly branch: Inst;
  /** The guard under which the taken path runs. */
  readonly guard: Guard;
  /** The block between head and join on the taken path and on the other one; null: the edge leads to the join directly. */
  readonly taken: BlockId | null;
  readonly otherwise: BlockId | null;
  readonly join: BlockId;
  readonly shape: "triangle" | "diamond";
}

/** Why a conditional block heads no triangle or diamond, for the families that need one, to use in a line with the frame '{block} stays …: {why}'. */
export const NO_SHAPE = {
  condition: { say: "its condition is not one predicate" },
  "one-target": { code: "shape", say: "both its edges go to one block" },
  shape: { say: "its successors do not join after one block each" },
} as const satisfies Readonly<Record<string, Missed>>;

/** The same, where the shape is right and a block between head and join is not. */
export const NO_ARM = {
  "arm-entered-elsewhere": { say: "{arm:block} can be entered from elsewhere too" },
  "arm-has-phi": { say: "{arm:block} begins with a PHI" },
  "region-end": { say: "a BSSY names {arm:block} as its region's end" },
  "table-entry": { say: "a table names {arm:block} that nothing jumps through on the way to it" },
} as const satisfies Readonly<Record<string, Missed>>;

export type NoArms =
  | { readonly reason: keyof typeof NO_SHAPE; readonly arm: null }
  | { readonly reason: keyof typeof NO_ARM; readonly arm: BlockId };

/** The arms of a block; null when it does not end with a condition at all. */
export function armsOf(edit: Editor, head: BlockId, named: NamedBlocks): Arms | NoArms | null {
  const ending = analyzeEnding(edit.block(head), edit.next(head));
  if (ending.kind !== "cond" || ending.otherwise === null) return null;
  const { branch, taken, otherwise } = ending;
  if (!ending.reversible || branch.guard === null) return { reason: "condition", arm: null };
  if (taken === otherwise) return { reason: "one-target", arm: null };
  const afterTaken = armTarget(edit, head, taken);
  const afterOther = armTarget(edit, head, otherwise);
  const base = { head, branch, guard: branch.guard };
  let arms: Arms | null = null;
  if (afterOther === taken && otherwise !== taken) arms = { ...base, taken: null, otherwise, join: taken, shape: "triangle" };
  else if (afterTaken === otherwise) arms = { ...base, taken, otherwise: null, join: otherwise, shape: "triangle" };
  else if (afterTaken !== null && afterTaken === afterOther) arms = { ...base, taken, otherwise, join: afterTaken, shape: "diamond" };
  if (arms === null) return { reason: "shape", arm: null };
  for (const arm of [arms.taken, arms.otherwise]) {
    if (arm === null) continue;
    const block = edit.block(arm);
    if (block.preds.length !== 1) return { reason: "arm-entered-elsewhere", arm };
    if (block.insts[0]?.op === "PHI") return { reason: "arm-has-phi", arm };
    const reason = named.reason(arm);
    if (reason !== null) return { reason, arm };
  }
  return arms;
}

/** The only successor of a block; null when it branches, or is the head itself. */
function armTarget(edit: Editor, head: BlockId, id: BlockId): BlockId | null {
  if (id === head) return null;
  const ending = analyzeEnding(edit.block(id), edit.next(id));
  return (ending.kind === "none" || ending.kind === "jump") && ending.target !== id ? ending.target : null;
}

/** A PHI of the join with its values on the two edges. */
export interface JoinPhi {
  readonly phi: Inst;
  readonly taken: Operand;
  readonly otherwise: Operand;
}

/** The join's PHIs; null when one has no input for an edge (the function is malformed). */
export function joinPhis(edit: Editor, arms: Arms): JoinPhi[] | null {
  const found: JoinPhi[] = [];
  for (const phi of phisOf(edit.block(arms.join))) {
    const taken = phiInput(phi, arms.taken ?? arms.head);
    const otherwise = phiInput(phi, arms.otherwise ?? arms.head);
    if (taken === null || otherwise === null) return null;
    found.push({ phi, taken, otherwise });
  }
  return found;
}
