/** What the rules of OriBranchOpt share: the function as it came in, and the arrays over blocks. */

import { type Liveness, liveness } from "../../analysis/liveness.ts";
import { type ReachingDefs, reachingDefs } from "../../analysis/reaching-defs.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Policy } from "../../config/policy.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { BlockTables } from "./block-tables.ts";

/** How two refusals for the same cause are counted together. */
export const ELSEWHERE = "lanes would reconverge elsewhere";

export class BranchOptState {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly policy: Policy;
  /** The function before the phase's first edit: what its data-flow questions are about. Later states have fewer paths, never other definitions. */
  readonly before: Func;
  readonly tables: BlockTables;
  readonly rejoin: RejoinGuard;
  /** Blocks that some instruction names without being an edge to them, and where that instruction is. */
  readonly namers = new Map<BlockId, BlockId>();
  /** By empty block: the end of the chain it starts, and the last empty block before that. */
  readonly chains = new Map<BlockId, { readonly end: BlockId; readonly via: BlockId }>();
  private defs: ReachingDefs | null = null;

  constructor(edit: Editor, remark: Remarks, policy: Policy) {
    const { func } = edit;
    this.edit = edit;
    this.remark = remark;
    this.policy = policy;
    this.before = edit.snapshot();
    this.tables = new BlockTables(func, remark);
    this.rejoin = new RejoinGuard(edit, this.before);
  }

  get reaching(): ReachingDefs {
    this.defs ??= reachingDefs(this.before);
    return this.defs;
  }

  get live(): Liveness {
    return liveness(this.before);
  }

  block(id: BlockId): Block {
    return getBlock(this.edit.func, id);
  }
}
