/** Numbers by register: a table, since a function's registers are numbered closely; a map for those outside of it. */

import type { Reg } from "./ids.ts";
import type { Func } from "./types.ts";

/** Entries for each instruction that a table may have; a text may name R16777215. */
const ENTRIES_PER_INSTRUCTION = 64;

export class RegNumbers {
  private readonly table: Int32Array;
  private others: Map<Reg, number> | null = null;

  /** `fn`: whose registers; or numbers to begin with. */
  constructor(from: Pick<Func, "nextReg" | "nextInst"> | RegNumbers) {
    if (from instanceof RegNumbers) {
      this.table = from.table.slice();
      this.others = from.others === null ? null : new Map(from.others);
      return;
    }
    let most = 0;
    for (let i = 0; i < from.nextReg.length; i++) most = Math.max(most, from.nextReg[i] ?? 0);
    // A register is its index and three bits of class.
    this.table = new Int32Array(Math.min(8 * most, ENTRIES_PER_INSTRUCTION * (from.nextInst + 1))).fill(-1);
  }

  /** -1: it has none. */
  get(r: Reg): number {
    const n = this.table[r];
    return n === undefined ? (this.others?.get(r) ?? -1) : n;
  }

  has(r: Reg): boolean {
    return this.get(r) >= 0;
  }

  set(r: Reg, n: number): void {
    if (r < this.table.length) this.table[r] = n;
    else {
      this.others ??= new Map();
      this.others.set(r, n);
    }
  }
}

/** Small numbers by register that are cleared all at once: what a walk knows about the current block. */
export class BlockNumbers {
  private readonly numbers: RegNumbers;
  /** Numbers below this were noted before. */
  private base = 0;
  private most = 0;

  constructor(fn: Pick<Func, "nextReg" | "nextInst">) {
    this.numbers = new RegNumbers(fn);
  }

  clear(): void {
    this.base = this.most;
  }

  /** -1: it has none. */
  get(r: Reg): number {
    const n = this.numbers.get(r) - this.base;
    return n < 0 ? -1 : n;
  }

  /** `n`: 0 or more. */
  set(r: Reg, n: number): void {
    const noted = this.base + n;
    if (noted >= this.most) this.most = noted + 1;
    this.numbers.set(r, noted);
  }
}
