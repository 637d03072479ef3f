/** Programs of a given size, generated from a seed: nested conditions, loops and short straight pieces that end and touch no memory out of range. */

import { mulberry32 } from "../../../base/prng.ts";
import { ProgramText } from "../../../base/program-text.ts";

/** Constructs nest no deeper. */
const MAX_DEPTH = 5;

/** What one construct adds: a condition with two arms, one with two exits, or a loop, each with the block after it. */
const CONSTRUCT_BLOCKS = 3;

/** Ori text of one kernel with `blocks` basic blocks, or up to two fewer: constructs bring three each. */
export function generateKernel(name: string, blocks: number, seed: number): string {
  const kernel = new Kernel(mulberry32(seed));
  kernel.begin();
  kernel.region(blocks - 1, 0);
  kernel.end();
  return kernel.text.text(`// Generated: ${kernel.blocks} blocks, seed ${seed}.\n.kernel ${name}(n: R0, a: RD1, out: RD2)`);
}

/** A kernel while it is written. */
class Kernel {
  readonly text = new ProgramText();
  blocks = 1;
  private readonly next: () => number;
  private labels = 0;
  private predicates = 0;
  /** Size that a region is too small to use is left for the next one. */
  private spare = 0;

  constructor(next: () => number) {
    this.next = next;
  }

  begin(): void {
    this.text.start("entry");
    this.text.emit("S2R     R1, SR_TID.X");
    this.text.emit("IMAD.WIDE RD3, R1, 4, RD1");
    this.text.emit("LDG     R10, [RD3]");
    for (let r = 11; r < 22; r++) this.text.emit(`MOV     R${r}, ${this.pick(64)}`);
  }

  end(): void {
    this.text.emit("IMAD.WIDE RD4, R1, 4, RD2");
    this.text.emit(`STG     [RD4], ${this.data()}`);
    this.text.emit("EXIT");
  }

  /** Straight pieces, with a construct after each except the last: it uses a part of the size, the rest follows it. */
  region(blocks: number, depth: number): void {
    for (let left = blocks; ; ) {
      const size = left + this.spare;
      this.straight();
      this.spare = size < CONSTRUCT_BLOCKS ? size : 0;
      if (size < CONSTRUCT_BLOCKS) return;
      const isDeepest = depth >= MAX_DEPTH;
      const part = isDeepest ? CONSTRUCT_BLOCKS : Math.min(size, CONSTRUCT_BLOCKS + this.pick(Math.max(1, Math.floor(size * 0.6))));
      const inside = part - CONSTRUCT_BLOCKS;
      const kind = this.pick(isDeepest ? 2 : 3);
      if (kind === 0) this.twoArms(inside, depth + 1);
      else if (kind === 1) this.twoExits(inside, depth + 1);
      else this.loop(inside, depth + 1);
      left = size - part;
    }
  }

  private twoArms(inside: number, depth: number): void {
    const [other, join, p] = [this.label(), this.label(), this.predicate()];
    this.text.emit(`ISETP.LT  ${p}, ${this.data()}, ${this.pick(200)}`);
    this.branchIf(p, other);
    this.region(Math.ceil(inside / 2), depth);
    this.text.emit(`BRA     ${join}`);
    this.start(other);
    this.region(Math.floor(inside / 2), depth);
    this.start(join);
  }

  private twoExits(inside: number, depth: number): void {
    const [join, p, q] = [this.label(), this.predicate(), this.predicate()];
    this.text.emit(`ISETP.GT  ${p}, ${this.data()}, ${this.pick(50)}`);
    this.branchIf(p, join);
    this.text.emit(`ISETP.EQ  ${q}, ${this.data()}, ${this.pick(50)}`);
    this.branchIf(q, join);
    this.region(inside, depth);
    this.start(join);
  }

  private loop(inside: number, depth: number): void {
    const [loop, end, p] = [this.label(), this.label(), this.predicate()];
    const counter = `R${100 + this.labels}`;
    this.text.emit(`MOV     ${counter}, 0`);
    this.start(loop);
    this.text.emit(`ISETP.GE  ${p}, ${counter}, ${2 + this.pick(4)}`);
    this.branchIf(p, end);
    this.region(inside, depth);
    this.text.emit(`IADD    ${counter}, ${counter}, 1`);
    this.text.emit(`BRA     ${loop}`);
    this.start(end);
  }

  private straight(): void {
    const { data, pick } = this;
    const forms = [
      () => `IADD    ${data()}, ${data()}, ${data()}`,
      () => `ISUB    ${data()}, ${data()}, ${pick(100)}`,
      () => `MOV     ${data()}, ${data()}`,
      () => `LOP.XOR ${data()}, ${data()}, ${data()}`,
      () => `SHL     ${data()}, ${data()}, ${pick(8)}`,
      () => `IMAD    ${data()}, ${data()}, ${1 + pick(9)}, ${data()}`,
    ];
    for (let i = 1 + pick(4); i > 0; i--) this.text.emit(forms[pick(forms.length)]?.() ?? "");
  }

  private start(label: string): void {
    this.text.start(label);
    this.blocks++;
  }
  /** What follows it is a block too. */
  private branchIf(predicate: string, label: string): void {
    this.text.emit(`BRA    ${label}`, predicate);
    this.blocks++;
  }
  private readonly pick = (n: number): number => this.next() % n;
  private readonly data = (): string => `R${10 + this.pick(12)}`;
  private readonly label = (): string => `L${++this.labels}`;
  private readonly predicate = (): string => `P${this.predicates++ % 6}`;
}
