/** What the parts of OriBranchOpt share: the function as it came in, the arrays over blocks, and how verdicts are said. */

import { type ReachingDefs, reachingDefs } from "../../analysis/reaching-defs.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Editor } from "../../ir/edit.ts";
import { cloneToStore } from "../../ir/edit-op.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Policy } from "../../pipeline/policy.ts";
import type { Facts } from "../../trace/event.ts";
import type { Recorder } from "../../trace/recorder.ts";
import { BlockTables } from "./block-tables.ts";

/** How many blocks went, by the machinery that took them. */
export interface Removed {
  cascade: number;
  rebuild: number;
}

export class BranchOptState {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly policy: Policy;
  /** The function before the phase's first edit: what its data-flow questions are asked of. Later states have fewer ways, never other definitions. */
  readonly before: Func;
  readonly tables: BlockTables;
  readonly rejoin: RejoinGuard;
  /** Blocks that some instruction names without being an edge to them, and where that instruction is. */
  readonly namers = new Map<BlockId, BlockId>();
  /** By empty block: the end of the chain it starts, and the last empty block before that. */
  readonly chains = new Map<BlockId, { readonly end: BlockId; readonly via: BlockId }>();
  readonly removed: Removed = { cascade: 0, rebuild: 0 };
  matches = 0;
  rewrites = 0;
  /** Refusals by condition, for the sentence of a phase that changed nothing. */
  readonly refusals = new Map<string, number>();
  private defs: ReachingDefs | null = null;

  constructor(edit: Editor, rec: Recorder, policy: Policy) {
    const { func } = edit;
    this.edit = edit;
    this.rec = rec;
    this.policy = policy;
    // No block is owned by the editor yet: these records are never written to.
    this.before = cloneToStore(func).func;
    this.tables = new BlockTables(func, rec);
    this.rejoin = new RejoinGuard(this.before, edit);
  }

  get reaching(): ReachingDefs {
    this.defs ??= reachingDefs(this.before);
    return this.defs;
  }

  block(id: BlockId): Block {
    return getBlock(this.edit.func, id);
  }

  label(id: BlockId): string {
    return this.block(id).label;
  }

  /** Counts a refusal and says it. `facts` and `template` are made only when something records. */
  refuse(
    line: number,
    condition: string,
    block: Block,
    inst: Inst | null,
    said: () => { readonly template: string; readonly facts: Facts },
  ): void {
    this.matches++;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (!this.rec.on) return;
    const { template, facts } = said();
    const focus = { blocks: [block.id], ...(inst === null ? {} : { insts: [inst.id] }) };
    this.rec.event("match", line, template, { verdict: "no", condition, block: block.label, ...facts }, focus);
  }

  accept(line: number, block: Block, inst: Inst | null, said: () => { readonly template: string; readonly facts: Facts }): void {
    this.matches++;
    if (!this.rec.on) return;
    const { template, facts } = said();
    const focus = { blocks: [block.id], ...(inst === null ? {} : { insts: [inst.id] }) };
    this.rec.event("match", line, template, { verdict: "yes", condition: null, block: block.label, ...facts }, focus);
  }
}
