/** Writes a random program: its text, its registers, and which of them may be read at the current place. */

import type { Prng } from "../../../base/prng.ts";
import { ProgramText } from "../../../base/program-text.ts";
import { type MergePlace, planMerge } from "./merges.ts";

/** Registers by the kind of their values. Floats are 32-bit registers that only float instructions touch. */
export type Bank = "int" | "long" | "float" | "pred";

const PREFIX: Readonly<Record<Bank, string>> = { int: "R", long: "RD", float: "R", pred: "P" };

export class Emitter extends ProgramText {
  readonly rng: Prng;
  /** Label of the block being written. */
  block = "";
  /** Registers that every path to the current place has defined; the first `pool` ones of each bank may be written anywhere. */
  readonly readable: Readonly<Record<Bank, string[]>> = { int: [], long: [], float: [], pred: [] };
  readonly pool: Readonly<Record<Bank, string[]>> = { int: [], long: [], float: [], pred: [] };
  /** Places for PHIs, to be filled in when all edges are known. */
  readonly merges: MergePlace[] = [];
  /** How often a block gets such a place. */
  mergeShare = 0;

  constructor(rng: Prng) {
    super();
    this.rng = rng;
  }

  fresh(bank: Bank): string {
    return this.name(PREFIX[bank]);
  }

  barrier(): string {
    return this.name("B");
  }

  override start(label: string): void {
    this.block = label;
    super.start(label);
    if (this.mergeShare > 0 && this.rng.chance(this.mergeShare)) this.openMerge();
  }

  private openMerge(): void {
    const bank = this.rng.pick(["int", "int", "int", "pred", "long"] as const);
    const { readable, pool } = this;
    const line = { text: "" };
    const place = planMerge(this.rng, line, this.block, {
      bank,
      readable: readable[bank],
      pool: pool[bank],
    });
    if (place === null) return;
    this.merges.push(place);
    this.lines.push(line);
  }

  /** Writes `body`, whose fresh registers are not readable after it. */
  scoped(body: () => void): void {
    const mark = this.mark();
    body();
    this.forget(mark);
  }

  /** The registers that are readable now, for `forget`. */
  mark(): readonly number[] {
    return BANKS.map((bank) => this.readable[bank].length);
  }

  /** Makes unreadable what became readable since the mark. */
  forget(mark: readonly number[]): void {
    BANKS.forEach((bank, i) => {
      this.readable[bank].length = mark[i] ?? 0;
    });
  }

  defined(bank: Bank, reg: string): void {
    if (!this.readable[bank].includes(reg)) this.readable[bank].push(reg);
  }

  addToPool(bank: Bank, reg: string): void {
    this.pool[bank].push(reg);
    this.defined(bank, reg);
  }

  /** A readable register, recent ones more often. */
  read(bank: Bank): string {
    const all = this.readable[bank];
    const at = this.rng.chance(0.5) ? all.length - 1 - this.rng.below(Math.min(4, all.length)) : this.rng.below(all.length);
    return all[at] ?? (bank === "pred" ? "PT" : "RZ");
  }

  /** A register to write: a pool register (so that registers have several definitions) or a fresh one. Call `defined` after the instruction. */
  target(bank: Bank, poolShare = 0.35): string {
    const pool = this.pool[bank];
    return pool.length > 0 && this.rng.chance(poolShare) ? this.rng.pick(pool) : this.fresh(bank);
  }

  /** Writes an instruction that defines a fresh register, readable from then on. */
  make(bank: Bank, text: (d: string) => string): string {
    return this.write(bank, this.fresh(bank), text);
  }

  /** The same for a `target`. */
  set(bank: Bank, text: (d: string) => string, poolShare?: number): string {
    return this.write(bank, this.target(bank, poolShare), text);
  }

  private write(bank: Bank, d: string, text: (d: string) => string): string {
    this.emit(text(d));
    this.defined(bank, d);
    return d;
  }

  /** A predicate source, negated half of the time. */
  condition(): string {
    const p = this.read("pred");
    return this.rng.chance(0.5) ? `!${p}` : p;
  }
}

export const BANKS: readonly Bank[] = ["int", "long", "float", "pred"];
