/** Writes a small program block by block; labels are numbered in the order of the text at the end. */

import type { Random } from "../../engine/api/exec/generate.ts";

/** A label before it has its number. */
export type Label = number;

interface Block {
  readonly label: Label;
  readonly lines: string[];
}

export class ProgramWriter {
  readonly random: Random;
  /** Registers that statements read and write. */
  readonly pool: readonly string[];
  private readonly blocks: Block[] = [];
  private labels = 0;
  private counters = 0;

  constructor(random: Random, pool: number) {
    this.random = random;
    this.pool = Array.from({ length: pool }, (_, i) => `R${i + 2}`);
    this.open(this.label());
  }

  get size(): number {
    return this.blocks.length;
  }

  label(): Label {
    return this.labels++;
  }

  open(label: Label): void {
    this.blocks.push({ label, lines: [] });
  }

  emit(line: string): void {
    this.blocks.at(-1)?.lines.push(line);
  }

  /** A register that counts a loop's rounds; nothing else writes it. */
  counter(): string {
    return `R${20 + this.counters++}`;
  }

  branch(label: Label, guard: string | null = null): void {
    this.emit(`${guard === null ? "" : `@${guard} `}BRA <${label}>`);
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
  start(): void {
    for (const [i, r] of this.pool.entries())
      this.emit(i === 0 ? `IADD ${r}, R0, ${1 + this.random.below(5)}` : `MOV ${r}, ${this.random.below(20)}`);
  }

  /** Puts the blocks after the entry in another order, with the branches that this needs. */
  shuffle(): void {
    for (const [i, block] of this.blocks.entries()) {
      const next = this.blocks[i + 1];
      if (next !== undefined && !/^(?:BRA|EXIT)\b/.test(block.lines.at(-1) ?? "")) block.lines.push(`BRA <${next.label}>`);
    }
    for (let i = this.blocks.length - 1; i > 1; i--) {
      const j = 1 + this.random.below(i);
      const [a, b] = [this.blocks[i], this.blocks[j]];
      if (a !== undefined && b !== undefined) [this.blocks[i], this.blocks[j]] = [b, a];
    }
  }

  /** Stores registers and ends the program: the last thing that is written. */
  finish(stored: readonly string[]): void {
    stored.forEach((r, i) => {
      this.emit(`STG [RD1${i === 0 ? "" : `+${4 * i}`}], ${r}`);
    });
    this.emit("EXIT");
  }

  text(name: string): string {
    const names = new Map(this.blocks.map((block, i) => [block.label, `BB${i}`]));
    const body = this.blocks.flatMap(({ label, lines }) => [
      `${names.get(label)}:`,
      ...lines.map((line) => `    ${line.replace(/<(\d+)>/g, (_, to: string) => names.get(Number(to)) ?? to)}`),
    ]);
    return `.kernel ${name}(n: R0, out: RD1)\n${body.join("\n")}\n`;
  }
}
