/** Keeps the loops of a reducible graph with one entry: what the reference's argument for tail merging leaves out. */

import { loopInfo } from "../../analysis/loops.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";

/**
 * Natural loops as computed at the start and updated after merges. A block inside a loop and one outside that share a tail before its header make the tail an
 * entry: the header stays the only other one, unless the outer block was the only edge to it.
 */
export class LoopEntries {
  private readonly edit: Editor;
  private readonly innermost: Int32Array;
  private readonly parents = new Map<BlockId, BlockId | null>();
  /** A block whose loops are those of the tail. */
  private readonly tails = new Map<BlockId, BlockId>();

  constructor(edit: Editor) {
    this.edit = edit;
    const { loops, innermost } = loopInfo(edit.func);
    this.innermost = innermost;
    for (const loop of loops) if (loop.natural) this.parents.set(loop.header, loop.parent);
  }

  /** Header of the loop that a shared tail of the two blocks would give a second entry; null: none. */
  secondEntry(keep: BlockId, give: BlockId): BlockId | null {
    const others = this.edit.block(give).succs;
    for (const header of this.edit.block(keep).succs) {
      if (!this.parents.has(header) || !others.includes(header) || this.inside(keep, header) === this.inside(give, header)) continue;
      let entries = 0;
      for (const p of this.edit.block(header).preds) if (!this.inside(p, header)) entries++;
      if (entries > 1) return header;
    }
    return null;
  }

  /** `tail` is now shared by the two. It is in every loop that one of them was in and that it leads to. */
  merged(tail: BlockId, keep: BlockId, give: BlockId): void {
    const headers = this.edit.block(tail).succs.filter((s) => this.parents.has(s));
    const from = headers.some((h) => this.inside(give, h) && !this.inside(keep, h)) ? give : keep;
    if (from !== tail) this.tails.set(tail, from);
  }

  private inside(block: BlockId, header: BlockId): boolean {
    const origin = this.originOf(block);
    const first = this.innermost[origin] ?? -1;
    for (let at: BlockId | null = first < 0 ? null : (first as BlockId); at !== null; at = this.parents.get(at) ?? null) {
      if (at === header) return true;
    }
    return false;
  }

  private originOf(block: BlockId): BlockId {
    let at = block;
    for (let next = this.tails.get(at); next !== undefined; next = this.tails.get(at)) at = next;
    return at;
  }
}
