/** Registers below the largest index that a function does not name: for fresh ones when the counter has run out. */

import type { Reg } from "./ids.ts";
import { MAX_REG_INDEX, type RegClass, reg } from "./reg.ts";
import type { Func } from "./types.ts";
import { getBlock, visitRegs } from "./visit.ts";

/** Lists the names of the function once; an edit takes all its new registers from here. */
export class FreeRegs {
  private readonly named: ReadonlySet<Reg>;
  private readonly next: Partial<Record<RegClass, number>> = {};

  constructor(fn: Func) {
    const named = new Set<Reg>([...fn.params.map((p) => p.reg), ...fn.returns]);
    for (const id of fn.layout) for (const inst of getBlock(fn, id).insts) visitRegs(inst, (r) => named.add(r));
    this.named = named;
  }

  /** The lowest free one; each is given once. */
  take(cls: RegClass): Reg {
    for (let index = this.next[cls] ?? 0; index <= MAX_REG_INDEX; index++) {
      const r = reg(cls, index);
      if (this.named.has(r)) continue;
      this.next[cls] = index + 1;
      return r;
    }
    throw new Error(`internal: every ${cls} register is in use`);
  }
}
