/** The place of each instruction: cached, and searched for again after an edit moved it. */

import type { BlockId, InstId } from "../../../../engine/ir/ids.ts";
import type { Func, Inst } from "../../../../engine/ir/types.ts";
import { getBlock } from "../../../../engine/ir/visit.ts";

export interface Home {
  readonly inst: Inst;
  readonly block: BlockId;
  readonly at: number;
}

export class Homes {
  /** The place at the last lookup; it counts only while the instruction is still in that block. */
  private readonly last = new Map<InstId, Home>();

  constructor(fn: Func) {
    for (const id of fn.layout) this.set(getBlock(fn, id).insts, id);
  }

  set(insts: readonly Inst[], block: BlockId): void {
    for (const [at, inst] of insts.entries()) this.last.set(inst.id, { inst, block, at });
  }

  /** null: it was removed. */
  lookup(fn: Func, id: InstId): Home | null {
    const last = this.last.get(id);
    if (last !== undefined) {
      const found = this.within(fn, last.block, last.at, id);
      if (found !== null) return found;
    }
    // An edit of branches may have created the instruction.
    for (const block of fn.layout) {
      const found = this.within(fn, block, 0, id);
      if (found !== null) return found;
    }
    this.last.delete(id);
    return null;
  }

  /** Searches from `from` outwards, since edits move an instruction by only a few places. */
  private within(fn: Func, block: BlockId, from: number, id: InstId): Home | null {
    const insts = fn.blocks[block]?.insts;
    if (insts === undefined) return null;
    for (let away = 0; away <= from || from + away < insts.length; away++) {
      const at = insts[from - away]?.id === id ? from - away : from + away;
      const inst = insts[at];
      if (inst?.id !== id) continue;
      const home = this.last.get(id);
      if (home?.inst === inst && home.block === block && home.at === at) return home;
      const found = { inst, block, at };
      this.last.set(id, found);
      return found;
    }
    return null;
  }
}
