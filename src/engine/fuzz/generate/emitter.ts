/** Writes a random program as Ori text: labels, registers, and which registers may be read at the current place. */

import type { Prng } from "../../../base/prng.ts";
import { type MergePlace, planMerge } from "./merges.ts";

/** Registers by what they hold. Floats are 32-bit registers that only float instructions touch. */
export type Bank = "int" | "long" | "float" | "pred";

const PREFIX: Readonly<Record<Bank, string>> = { int: "R", long: "RD", float: "R", pred: "P" };

/** A line whose text may still change: PHIs of loop headers learn their second input late. */
export interface Line {
  text: string;
}

export class Emitter {
  readonly rng: Prng;
  readonly lines: Line[] = [];
  readonly tables: string[] = [];
  /** Label of the block being written. */
  block = "";
  /** Registers that every path to the current place has defined; the first `pool` ones of each bank may be written anywhere. */
  readonly readable: Readonly<Record<Bank, string[]>> = { int: [], long: [], float: [], pred: [] };
  readonly pool: Readonly<Record<Bank, string[]>> = { int: [], long: [], float: [], pred: [] };
  /** Places for PHIs, to be filled in when all edges are known. */
  readonly merges: MergePlace[] = [];
  /** How often a block gets such a place. */
  mergeShare = 0;
  private readonly next: Record<string, number> = { R: 0, RD: 0, P: 0, B: 0, L: 0, JT: 0 };

  constructor(rng: Prng) {
    this.rng = rng;
  }

  label(): string {
    return `BB${this.count("L")}`;
  }

  fresh(bank: Bank): string {
    return `${PREFIX[bank]}${this.count(PREFIX[bank])}`;
  }

  barrier(): string {
    return `B${this.count("B")}`;
  }

  table(entries: readonly string[], fallback: string): string {
    const name = `JT${this.count("JT")}`;
    this.tables.push(`.table ${name} base=0 default=${fallback} { ${entries.join(", ")} }`);
    return name;
  }

  private count(prefix: string): number {
    const n = this.next[prefix] ?? 0;
    this.next[prefix] = n + 1;
    return n;
  }

  /** Starts the next block in layout order. */
  start(label: string): void {
    this.block = label;
    this.lines.push({ text: `${label}:` });
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

  emit(text: string, guard: string | null = null): Line {
    const line = { text: guard === null ? `    ${text}` : `@${guard} ${text}` };
    this.lines.push(line);
    return line;
  }

  branch(target: string, guard: string | null = null): void {
    this.emit(`BRA ${target}`, guard);
  }

  /** Writes `body`, whose fresh registers are unknown after it. */
  scoped(body: () => void): void {
    const mark = this.mark();
    body();
    this.forget(mark);
  }

  /** What is readable now, for `forget`. */
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

  /** A predicate source, negated half of the time. */
  condition(): string {
    const p = this.read("pred");
    return this.rng.chance(0.5) ? `!${p}` : p;
  }
}

export const BANKS: readonly Bank[] = ["int", "long", "float", "pred"];
