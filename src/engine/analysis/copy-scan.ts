/** One walk over a block: uses replaced by what they see, operands marked, instructions folded, known guards dropped. */

import type { BlockId, InstId } from "../ir/ids.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, isTerminator } from "../ir/visit.ts";
import { applyLevel2, dropSelfCopy, isSelfCopy } from "./const-apply.ts";
import { conditionBecameKnown, decideTerminators } from "./copy-branches.ts";
import type { CopyBundle } from "./copy-bundle.ts";
import { enterFacts, leaveFacts } from "./copy-facts-state.ts";
import { propagateInto, propagateIntoPhi } from "./copy-uses.ts";
import { type CopyValues, copySource } from "./copy-values.ts";
import type { CopyWalk, WalkLines } from "./copy-walk.ts";
import { alwaysWrites } from "./reaching-defs.ts";

export interface ScanLines extends WalkLines {
  readonly block: number;
  readonly use: number;
  readonly refuse: number;
  readonly fold: number;
  readonly simplify: number;
  readonly guard: number;
  readonly phi: number;
}

export interface BlockScan {
  readonly bundle: CopyBundle;
  readonly values: CopyValues;
  readonly walk: CopyWalk;
  /** Known forms of instructions that are not written (commit mode 'predicates'). */
  readonly virtual: Map<InstId, Inst>;
  /** Instructions to take out at the end of the round, by block. */
  readonly doomed: Map<BlockId, Set<InstId>>;
  /** PHIs with one value, to become copies at the end of the round. */
  readonly phis: { readonly block: BlockId; readonly phi: InstId }[];
  readonly measured: boolean;
}

/** Walks one block. No instruction changes its place; what is to go is collected for `settleRound`. */
export function scanBlock(scan: BlockScan, id: BlockId): void {
  const { bundle, values, walk } = scan;
  const { edit, rec } = bundle.ctx;
  const { lines } = bundle.config;
  values.enter(id);
  walk.enter(id);
  enterFacts(scan, id);
  if (rec.on) rec.begin("visit", lines.block, "{block}", { block: edit.block(id).label }, { blocks: [id] });
  for (let at = 0; at < edit.block(id).insts.length; at++) {
    const old = edit.block(id).insts[at];
    if (old === undefined) break;
    let inst = old.op === "PHI" ? propagateIntoPhi(scan, id, old) : propagateInto(scan, id, old);
    inst = commit(scan, id, at, old, inst);
    if (bundle.config.copyProp && bundle.config.commit === "all") walk.visit(id, inst, at);
    if (bundle.config.fold) inst = applyLevel2(scan, id, at, inst);
    if (bundle.config.dce && bundle.config.commit === "all" && isSelfCopy(inst)) dropSelfCopy(scan, id, inst);
    if (scan.doomed.get(id)?.has(inst.id) === true) continue;
    values.pass(inst, at);
    // A branch that was decided took what stood behind it along.
    if (isTerminator(inst) && bundle.config.fold && bundle.config.commit === "all") {
      decideTerminators(scan, id);
      break;
    }
  }
  leaveFacts(scan, id);
  if (rec.on) rec.end();
}

function commit(scan: BlockScan, id: BlockId, at: number, old: Inst, inst: Inst): Inst {
  if (inst === old) return old;
  const { bundle } = scan;
  const { edit, rec } = bundle.ctx;
  // Terminators are written when they are decided, so that edges go for a stated reason.
  if (bundle.config.commit === "predicates" || (isTerminator(old) && conditionBecameKnown(old, inst))) {
    scan.virtual.set(old.id, inst);
    bundle.note(inst);
    return inst;
  }
  if (rec.on) rec.at(bundle.config.lines.use);
  edit.replace(id, at, inst);
  bundle.note(inst);
  const sole = !alwaysWrites(old) && alwaysWrites(inst);
  for (const r of defsOf(inst)) {
    if (copySource(inst) !== null) bundle.touch(r);
    if (sole) bundle.touchNext(r);
  }
  return inst;
}
