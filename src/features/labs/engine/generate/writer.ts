/** Writes a small program whose statements read and write a pool of registers. */

import { type Line, ProgramText } from "../../../../base/program-text.ts";
import type { Random } from "../../../../engine/api/exec/generate.ts";

export class ProgramWriter extends ProgramText {
  readonly random: Random;
  /** Registers that statements read and write. */
  readonly pool: readonly string[];
  private counters = 0;

  constructor(random: Random, pool: number) {
    super();
    this.random = random;
    this.pool = Array.from({ length: pool }, (_, i) => `R${i + 2}`);
    this.start(this.label());
  }

  get size(): number {
    return this.blocks().length;
  }

  /** The lines of each block, its label first. */
  private blocks(): Line[][] {
    const blocks: Line[][] = [];
    for (const line of this.lines) {
      if (line.text.endsWith(":")) blocks.push([]);
      blocks.at(-1)?.push(line);
    }
    return blocks;
  }

  /** A register that counts a loop's rounds; nothing else writes it. */
  counter(): string {
    return `R${20 + this.counters++}`;
  }

  register(): string {
    return this.random.pick(this.pool);
  }

  /** Sets P0 by a comparison that may go either way. */
  compare(): void {
    const { random } = this;
    this.emit(
      `ISETP.${random.pick(["LT", "GE", "EQ", "NE"])} P0, ${this.register()}, ${random.chance(0.5) ? this.register() : random.below(9)}`,
    );
  }

  statement(): void {
    const { random } = this;
    const [d, a, b] = [this.register(), this.register(), this.register()];
    const other = random.pick(this.pool.filter((r) => r !== d));
    const forms = [
      `IADD ${d}, ${a}, ${b}`,
      `IADD ${d}, ${a}, ${1 + random.below(7)}`,
      `IMAD ${d}, ${a}, ${b}, ${this.register()}`,
      `MOV ${d}, ${other}`,
      `SHL ${d}, ${a}, ${1 + random.below(3)}`,
    ];
    this.emit(random.pick(forms));
  }

  /** Values for the pool, from the parameter and constants. */
  fillPool(): void {
    for (const [i, r] of this.pool.entries())
      this.emit(i === 0 ? `IADD ${r}, R0, ${1 + this.random.below(5)}` : `MOV ${r}, ${this.random.below(20)}`);
  }

  /** Puts the blocks after the entry in another order, with the branches that this needs. */
  shuffle(): void {
    const blocks = this.blocks();
    for (const [i, block] of blocks.entries()) {
      const next = blocks[i + 1]?.[0]?.text.slice(0, -1);
      if (next !== undefined && !/^ +(?:BRA|EXIT)\b/.test(block.at(-1)?.text ?? "")) block.push({ text: `    BRA ${next}` });
    }
    for (let i = blocks.length - 1; i > 1; i--) {
      const j = 1 + this.random.below(i);
      const [a, b] = [blocks[i], blocks[j]];
      if (a !== undefined && b !== undefined) [blocks[i], blocks[j]] = [b, a];
    }
    this.lines.splice(0, this.lines.length, ...blocks.flat());
  }

  /** Stores registers and ends the program: the last thing that is written. */
  finish(stored: readonly string[]): void {
    stored.forEach((r, i) => {
      this.emit(`STG [RD1${i === 0 ? "" : `+${4 * i}`}], ${r}`);
    });
    this.emit("EXIT");
  }

  /** Labels are numbered in the order of the text. */
  kernel(name: string): string {
    const names = new Map(this.blocks().map(([label], i) => [label?.text.slice(0, -1), `BB${i}`]));
    const text = this.text(`.kernel ${name}(n: R0, out: RD1)`).replace(/BB\d+/g, (label) => names.get(label) ?? label);
    return text.replace(/^@/gm, "    @");
  }
}
