/** Where each instruction stands: kept as edits are made, and looked up again where an edit moved things by itself. */

import type { BlockId, InstId } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";

export interface Home {
  readonly inst: Inst;
  readonly block: BlockId;
  readonly at: number;
}

export class Homes {
  /** Block of each instruction; an entry counts only while the block has it. */
  private readonly blocks = new Map<InstId, BlockId>();
  /** Places of instructions in blocks that were asked about, as of a version of the function. */
  private readonly places = new Map<BlockId, { readonly version: number; readonly byId: ReadonlyMap<InstId, number> }>();

  constructor(fn: Func) {
    for (const id of fn.layout) this.set(getBlock(fn, id).insts, id);
  }

  set(insts: readonly Inst[], block: BlockId): void {
    for (const { id } of insts) this.blocks.set(id, block);
  }

  /** null: it was removed. */
  lookup(fn: Func, id: InstId): Home | null {
    const home = this.blocks.get(id);
    if (home !== undefined) {
      const found = this.within(fn, home, id);
      if (found !== null) return found;
    }
    // An edit of branches makes instructions of its own.
    for (const block of fn.layout) {
      const found = this.within(fn, block, id);
      if (found === null) continue;
      this.blocks.set(id, block);
      return found;
    }
    this.blocks.delete(id);
    return null;
  }

  private within(fn: Func, block: BlockId, id: InstId): Home | null {
    const insts = fn.blocks[block]?.insts;
    if (insts === undefined) return null;
    const { version } = fn;
    let places = this.places.get(block);
    if (places?.version !== version) {
      places = { version, byId: new Map(insts.map((inst, i) => [inst.id, i])) };
      this.places.set(block, places);
    }
    const at = places.byId.get(id) ?? -1;
    const inst = insts[at];
    return inst === undefined ? null : { inst, block, at };
  }
}
