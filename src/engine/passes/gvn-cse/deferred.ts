/** The deferred list of the full modes: rewrites that the drain has decided wait until the scope tree is empty, then the list is flushed. */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { DeferredRow } from "./rows.ts";
import { RULES } from "./rules.ts";

/** Does a rewrite at a place of its block; true when the instruction was taken out. */
export type Write = (at: number) => boolean;

interface Waiting {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly write: Write;
}

export class DeferredMoves {
  private readonly edit: Editor;
  private readonly remark: Remarks;
  private readonly waiting: Waiting[] = [];
  private readonly view: ShownTable<DeferredRow>;

  constructor(edit: Editor, remark: Remarks) {
    this.edit = edit;
    this.remark = remark;
    this.view = remark.shown.worklist<DeferredRow>("deferred-moves", "Deferred MOVs");
  }

  /** Instructions of a block must come in its order, and the blocks one after the other. */
  add(block: BlockId, inst: Inst, write: Write): void {
    this.waiting.push({ block, inst, write });
    this.view.set(inst.id, () => ({ inst: inst.id, block: this.edit.block(block).label }));
    this.remark.step(RULES.deferred, { inst, block, node: this.view.node(inst.id) });
  }

  flush(): void {
    const { edit, remark, waiting } = this;
    const count = waiting.length;
    if (count === 0) return;
    remark.span(RULES.flush, { count }, () => {
      let at = 0;
      let last: BlockId | null = null;
      for (const { block, inst, write } of waiting) {
        if (block !== last) at = 0;
        last = block;
        const { insts } = edit.block(block);
        while (at < insts.length && insts[at]?.id !== inst.id) at++;
        if (!write(at)) at++;
        this.view.remove(inst.id);
      }
    });
    this.waiting.length = 0;
  }
}
