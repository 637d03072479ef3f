/** The three arrays that erasing works on: pred_count, rpo_number and rpo_to_bix, shown as one observed table. */

import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { NO_STRUCTURE, type Recorder, type StructureId } from "../../trace/recorder.ts";

/**
 * Source: branch-and-switch, `erase_block`. Structure `cfg-context`, a table: cell `b<id>` is `{block, pred_count, rpo_number}`, cell `rpo<n>` the label of
 * rpo_to_bix[n], `counter` the next slot that an erased block takes.
 */
export class BlockTables {
  predCount = new Int32Array(0);
  rpoNumber = new Int32Array(0);
  rpoToBix = new Int32Array(0);
  counter = 0;
  private readonly fn: Func;
  private readonly rec: Recorder;
  private readonly structure: StructureId;
  private readonly labels: string[] = [];

  constructor(fn: Func, rec: Recorder) {
    this.fn = fn;
    this.rec = rec;
    this.structure = rec.on ? rec.structure("table", "cfg-context", "pred_count, rpo_number, rpo_to_bix") : NO_STRUCTURE;
  }

  /** Fills the arrays: predecessors counted, the entry once more than it has, and the worklist's numbers. */
  fill(worklist: Int32Array): void {
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
    if (!this.rec.on) return;
    for (const id of this.fn.layout) this.show(id);
    for (let rpo = 1; rpo < worklist.length; rpo++) this.showSlot(rpo);
    this.rec.cell(this.structure, "counter", this.counter);
  }

  preds(id: BlockId): number {
    return this.predCount[id] ?? 0;
  }

  set(id: BlockId, count: number): void {
    this.predCount[id] = count;
    if (this.rec.on) this.show(id);
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
    if (!this.rec.on) return;
    this.show(id);
    this.showSlot(slot);
    this.rec.cell(this.structure, "counter", this.counter);
  }

  private countOf(id: BlockId): number {
    return getBlock(this.fn, id).preds.length + (this.fn.layout[0] === id ? 1 : 0);
  }

  private show(id: BlockId): void {
    const cell = { block: this.labels[id] ?? "", pred_count: this.predCount[id] ?? 0, rpo_number: this.rpoNumber[id] ?? 0 };
    this.rec.cell(this.structure, `b${id}`, cell);
  }

  private showSlot(rpo: number): void {
    const bix = this.rpoToBix[rpo] ?? -1;
    if (rpo > 0) this.rec.cell(this.structure, `rpo${rpo}`, this.labels[bix] ?? "");
  }
}
