/** The three arrays that erasing works on: pred_count, rpo_number and rpo_to_bix, shown as one observed table. */

import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type EdgeMap, EMPTY_SLOT } from "../../structures/edge-map.ts";
import type { CfgContextRow, EraseWalkRow } from "./rows.ts";

/** Source: branch-and-switch, `erase_block`. */
export class BlockTables {
  predCount = new Int32Array(0);
  rpoNumber = new Int32Array(0);
  rpoToBix = new Int32Array(0);
  counter = 0;
  private readonly fn: Func;
  private readonly remark: Remarks;
  private readonly view: ShownTable<CfgContextRow>;
  private readonly walks: ShownTable<EraseWalkRow>;
  /** The successor map (+648) as the rebuild left it: edges that were removed since are in it still. */
  private successors: EdgeMap | null = null;
  private readonly labels: string[] = [];

  constructor(fn: Func, remark: Remarks) {
    this.fn = fn;
    this.remark = remark;
    this.view = remark.shown.table("cfg-context", "pred_count, rpo_number, rpo_to_bix");
    this.walks = remark.shown.table("erase-walk", "Walks of erase through the successor map (+648), as the rebuild left it");
  }

  /** A block's row, in remarks. */
  node(id: BlockId): string {
    return this.view.node(`b${id}`);
  }

  /** The row of an entry of rpo_to_bix. */
  slotNode(rpo: number): string {
    return this.view.node(`rpo${rpo}`);
  }

  /** Fills the arrays: predecessors counted, the entry once more than it has, and the worklist's numbers. */
  fill(worklist: Int32Array, successors: EdgeMap | null = null): void {
    this.successors = successors;
    const size = this.fn.blocks.length;
    this.predCount = new Int32Array(size);
    this.rpoNumber = new Int32Array(size);
    this.rpoToBix = worklist.slice();
    this.counter = worklist.length - 1;
    for (const id of this.fn.layout) {
      this.labels[id] = getBlock(this.fn, id).label;
      this.predCount[id] = this.countOf(id);
    }
    for (let rpo = 1; rpo < worklist.length; rpo++) this.rpoNumber[worklist[rpo] as number] = rpo;
    if (!this.remark.listening) return;
    for (const id of this.fn.layout) this.show(id);
    for (let rpo = 1; rpo < worklist.length; rpo++) this.showSlot(rpo);
    this.view.set("counter", this.counter);
  }

  preds(id: BlockId): number {
    return this.predCount[id] ?? 0;
  }

  set(id: BlockId, count: number): void {
    this.predCount[id] = count;
    if (this.remark.listening) this.show(id);
  }

  /** `erase_block`'s look-up of the block's successors, at the step that erases it. */
  showWalk(id: BlockId): void {
    const { successors } = this;
    if (successors === null || !this.remark.listening) return;
    const { bucket, chain, slots } = successors.walk(id);
    const label = (block: number): string => (block === EMPTY_SLOT ? "0xFFFFFFFF" : (this.labels[block] ?? ""));
    this.walks.set(label(id), { bucket: `${bucket} of ${successors.blocks.capacity}`, chain: chain.map(label), slots: slots.map(label) });
  }

  /** Takes the count from the graph: after a rewrite has moved edges. */
  recount(id: BlockId): void {
    if (this.fn.blocks[id] === undefined) return;
    const count = this.countOf(id);
    if (count !== this.predCount[id]) this.set(id, count);
  }

  /** Gives an erased block the slot of the counter. */
  takeSlot(id: BlockId): void {
    const slot = this.counter--;
    this.rpoNumber[id] = slot;
    this.rpoToBix[slot] = id;
    if (!this.remark.listening) return;
    this.show(id);
    this.showSlot(slot);
    this.view.set("counter", this.counter);
  }

  private countOf(id: BlockId): number {
    return getBlock(this.fn, id).preds.length + (this.fn.layout[0] === id ? 1 : 0);
  }

  private show(id: BlockId): void {
    this.view.set(`b${id}`, { block: this.labels[id] ?? "", pred_count: this.predCount[id] ?? 0, rpo_number: this.rpoNumber[id] ?? 0 });
  }

  private showSlot(rpo: number): void {
    const bix = this.rpoToBix[rpo] ?? -1;
    if (rpo > 0) this.view.set(`rpo${rpo}`, this.labels[bix] ?? "");
  }
}
