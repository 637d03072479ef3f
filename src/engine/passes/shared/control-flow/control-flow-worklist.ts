/** The function worklist (+504 data, +512 entries, +520 count): blocks by RPO number from 1, grown as markers are met. */

import type { BlockId } from "../../../ir/ids.ts";
import type { Func } from "../../../ir/types.ts";
import { getBlock } from "../../../ir/visit.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import { CONTROL_FLOW } from "./control-flow-rules.ts";

/** Structure `worklist`: row `w<i>` is entry i, a block's label, row `meta` the count. */
export type WorklistRow = string | { readonly count: number; readonly capacity: number };

/**
 * The reference puts a block at the running count, which is its number there; here the number comes from the depth-first search, and the entry with it.
 */
export class Worklist {
  count: number;
  private data: Int32Array;
  private readonly fn: Func;
  private readonly remark: Remarks;
  private readonly view: ShownTable<WorklistRow>;

  constructor(fn: Func, remark: Remarks) {
    this.fn = fn;
    this.remark = remark;
    this.count = countBefore(fn);
    // An earlier analysis has left the room that its last grow call requested.
    this.data = new Int32Array(this.count < 0 ? 0 : this.count + 2).fill(-1);
    this.view = remark.shown.worklist("worklist", "Function worklist (+504)");
  }

  /** An entry's row, in remarks. */
  node(number: number): string {
    return this.view.node(`w${number}`);
  }

  /** Empties the list; its content stays in memory until it is overwritten, since only the count says what is valid. */
  reset(): void {
    const had = this.count;
    this.count = 0;
    this.grow(1);
    if (!this.remark.listening) return;
    this.meta();
    this.remark.step(CONTROL_FLOW.worklist, had < 0 ? "fresh" : "kept", { before: had, node: this.view.node("meta") });
  }

  /** Puts a block at its number and counts it. */
  put(block: BlockId, number: number): void {
    // Room for two more entries than there are, as the grow call requests.
    this.grow(Math.max(this.count + 2, number + 1));
    this.data[number] = block;
    this.count++;
    if (!this.remark.listening) return;
    this.view.set(`w${number}`, getBlock(this.fn, block).label);
    this.meta();
  }

  /** Entries 0 to `count`. */
  entries(): Int32Array {
    return this.data.slice(0, this.count + 1);
  }

  get capacity(): number {
    return this.data.length;
  }

  private grow(needed: number): void {
    if (needed <= this.data.length) return;
    const before = this.data.length;
    const larger = new Int32Array(Math.max(needed, before * 2)).fill(-1);
    larger.set(this.data);
    this.data = larger;
    if (before === 0 || !this.remark.listening) return;
    this.meta();
    this.remark.step(CONTROL_FLOW.worklist, "grows", { before, after: larger.length, node: this.view.node("meta") });
  }

  private meta(): void {
    this.view.set("meta", { count: this.count, capacity: this.data.length });
  }
}

/** What an earlier analysis left in the count: the largest number of a block that is still there; -1 when none has one. */
function countBefore(fn: Func): number {
  let count = 0;
  for (const id of fn.layout) count = Math.max(count, fn.blocks[id]?.rpo ?? 0);
  return count === 0 ? -1 : count;
}
