/** What the parts of AnalyzeControlFlow share. */

import type { Editor } from "../../../ir/edit.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import type { EdgeMap } from "../../../structures/edge-map.ts";
import type { Records } from "./control-flow-records.ts";
import type { Trackers } from "./control-flow-trackers.ts";
import type { Worklist } from "./control-flow-worklist.ts";

export interface Analysis {
  readonly edit: Editor;
  /** Hears all of it; silent in a brief run. */
  readonly remark: Remarks;
  readonly records: Records;
  readonly number: Int32Array;
  /** By block id: how many retreating edges it has. */
  readonly retreating: Uint32Array;
  readonly worklist: Worklist;
  /** The sweep's state from one instruction to the next, for display; null without a listener. */
  readonly trackers: Trackers | null;
  /** The record's successor lists (+128), for display; null without a listener. */
  readonly lists: SuccessorLists | null;
  readonly successors: EdgeMap;
  readonly backEdges: EdgeMap;
  readonly force: boolean;
}

/**
 * Rows `B`: how many entries the successor list (+128) of block B has so far; rows `B → C`: the entry's place in it, from 1. A block whose record was kept
 * has no row.
 */
export class SuccessorLists {
  private readonly table: ShownTable<number>;
  private readonly counts = new Map<BlockId, number>();
  private readonly edit: Editor;

  constructor(edit: Editor, remark: Remarks) {
    this.edit = edit;
    this.table = remark.shown.table("successor-lists", "Successor lists (+128): entries so far");
  }

  clear(block: BlockId): void {
    this.counts.set(block, 0);
    this.table.set(this.edit.block(block).label, 0);
  }

  /** Adds an edge; does nothing for a list that was not emptied. */
  add(from: BlockId, to: BlockId): void {
    const before = this.counts.get(from);
    if (before === undefined) return;
    const { label } = this.edit.block(from);
    this.counts.set(from, before + 1);
    this.table.set(label, before + 1);
    this.table.set(`${label} → ${this.edit.block(to).label}`, before + 1);
  }
}
