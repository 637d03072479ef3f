/** The local variables of the sweep, as in the reference's listing, only for display: they contain nothing that the records do not. */

import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";

/** Structure `sweep-trackers`: a row for each variable. */
export type TrackerRow = string | boolean | number;

/**
 * The listing clears `in_block` and sets `in_latch_pred`, and hands both to a function at each marker whose inside it does not show. Here that function notes the
 * number of the block that falls into this one, then sets `in_block` and clears `in_latch_pred`.
 */
export class Trackers {
  private readonly table: ShownTable<TrackerRow>;
  private inBlock = false;
  private inLatchPred = false;
  /** Number of the block swept last. */
  private last = 0;

  constructor(remark: Remarks) {
    this.table = remark.shown.table("sweep-trackers", "Variables of the sweep");
    this.table.set("in_block", false);
    this.table.set("in_latch_pred", false);
    this.table.set("early_exit_seen", false);
  }

  /** Case 97: a block begins. */
  marker(label: string, rpo: number): void {
    this.table.set("cur_header", label);
    this.table.set("predecessor RPO", this.inBlock ? this.last : 0);
    this.last = rpo;
    this.setBlock(true);
    this.setLatch(false);
  }

  /** Cases 29, 93 and 95. `keeps`: control may continue in the block (sub_747EE0); `numbered`: the target already has a number. */
  branch(keeps: boolean, numbered: boolean): void {
    if (keeps) return;
    this.setBlock(false);
    if (numbered) this.setLatch(true);
  }

  /** Cases 72 and 94: nothing falls out of the block. */
  leave(): void {
    this.setBlock(false);
  }

  earlyExit(): void {
    this.table.set("early_exit_seen", true);
  }

  private setBlock(value: boolean): void {
    if (this.inBlock !== value) this.table.set("in_block", value);
    this.inBlock = value;
  }

  private setLatch(value: boolean): void {
    if (this.inLatchPred !== value) this.table.set("in_latch_pred", value);
    this.inLatchPred = value;
  }
}
