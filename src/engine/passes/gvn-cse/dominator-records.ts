/** Mode 2: what a block's immediate dominator records about leaders above it (T1 to T3), looked up once for the block, after its instructions. */

import type { BlockId } from "../../ir/ids.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { Numbering } from "./numbering.ts";
import type { DominatorRow } from "./rows.ts";

/** The line of the sentinel. */
export const RECORDS = {
  record: line(
    "    mode 2, at the sentinel: the record of the block's immediate dominator // T1: there is none; T2: it is empty; T3: marked 1, where the pre-pass has run",
    {
      kind: "match",
      step: { leads: "the record of {above:block} has leaders, so {block} may use those above it" },
      missed: {
        "no-dominator": { code: "T1", counts: false, say: "no block dominates {block}, so its values are looked for in itself only" },
        "empty-slot": {
          code: "T2",
          counts: false,
          say: "the record of {above:block} is empty, so the values of {block} are looked for in itself only",
        },
        "dominator-marked": {
          code: "T3",
          counts: false,
          say: "{above:block} is marked 1, because no candidate right below it has a leader above: {block} uses no leader of a different block",
        },
      },
    },
  ),
};

const LEADERS = ["none", "above it", "its own"] as const;

export class DominatorRecords {
  private readonly numbering: Numbering;
  private readonly remark: Remarks;
  /** Marks of the EBB pre-pass; null when it did not run. */
  private readonly marks: Uint8Array | null;
  /** By block: 2 when it has a leader, 1 when only a block above it has one. */
  private readonly full: Uint8Array;
  private readonly view: ShownTable<DominatorRow>;

  constructor(numbering: Numbering, remark: Remarks, marks: Uint8Array | null) {
    this.numbering = numbering;
    this.remark = remark;
    this.marks = marks;
    this.full = new Uint8Array(numbering.fn.blocks.length);
    this.view = remark.shown.table("dominator-records", "Records of dominators, which T1 to T3 read");
  }

  /** Whether the block may use leaders of the blocks above it. */
  ask(block: BlockId): boolean {
    const above = this.above(block);
    this.put(block, false);
    if (above === null) return this.remark.fails(RECORDS.record, "no-dominator", { block });
    const about = { block, above, blocks: [above], node: this.view.node(this.label(above)) };
    if (this.full[above] === 0) return this.remark.fails(RECORDS.record, "empty-slot", about);
    if (this.marks?.[above] === 1) return this.remark.fails(RECORDS.record, "dominator-marked", about);
    this.remark.step(RECORDS.record, "leads", about);
    return true;
  }

  /** The block's own record, which the blocks that it dominates read: written when it is first examined, and at its first leader. */
  put(block: BlockId, leads: boolean): void {
    if (this.full[block] === 2) return;
    const above = this.above(block);
    const full = leads ? 2 : above !== null && this.full[above] !== 0 ? 1 : 0;
    this.full[block] = full;
    this.view.set(this.label(block), () => ({
      dominator: above === null ? "" : this.label(above),
      leaders: LEADERS[full],
      mark: this.marks?.[block] ?? 0,
    }));
  }

  private above(block: BlockId): BlockId | null {
    const above = this.numbering.walk.tree.idom[block] ?? -1;
    return above < 0 ? null : (above as BlockId);
  }

  private label(block: BlockId): string {
    return this.numbering.fn.blocks[block]?.label ?? "";
  }
}
