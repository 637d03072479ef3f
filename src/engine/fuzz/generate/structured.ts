/** Random nested control flow: every construct ends in one block, unless all paths through it exit. Each construct is one row. */

import { writeArms, writeExit, writeShortCircuit } from "./conditionals.ts";
import { writeEffects } from "./effects.ts";
import type { Emitter } from "./emitter.ts";
import { LaneWriter } from "./lanes.ts";
import { writeLoop } from "./loops.ts";
import type { Features, Plan, Weights } from "./options.ts";
import { writeCopies, writeRepeated, writeTail, writeTails } from "./runs.ts";
import type { Straight } from "./straight.ts";
import { writeChain, writeJumpTable } from "./switches.ts";

const CONSTRUCTS: Readonly<Record<keyof Weights, (at: Structured) => void>> = {
  straight: ({ e, straight, convergent }) => straight.some(1 + e.rng.below(5), convergent),
  diamond: (at) => writeArms(at, true),
  triangle: (at) => writeArms(at, false),
  nest: writeShortCircuit,
  chain: writeChain,
  loop: writeLoop,
  tails: writeTails,
  table: writeJumpTable,
  copies: writeCopies,
  redundant: writeRepeated,
  effects: writeEffects,
  region: ({ lanes }) => lanes.region(),
  ways: ({ lanes }) => lanes.ways(),
  exit: writeExit,
};

/** Deeper nests are replaced by straight code. */
const MAX_DEPTH = 4;
/** How often a kind precedes a construct on the outermost level. */
const KIND_SHARE = 0.35;

/** The current place among the nested constructs, and the writers that they use. */
export class Structured {
  readonly e: Emitter;
  readonly straight: Straight;
  readonly features: Features;
  /** Ends the program early. */
  readonly finish: () => void;
  /** Some lanes may have exited, or may run separately. */
  scattered = false;
  /** All lanes of the warp reach this construct together, unless they are scattered. */
  uniform = true;
  private readonly weights: Weights;
  /** Writes one of the kinds; null: the program has none. */
  private readonly kind: (() => void) | null;
  /** Constructs that may still be written. */
  private budget: number;
  private depth = 0;
  private laneWriter: LaneWriter | null = null;

  constructor(e: Emitter, straight: Straight, { features, weights }: Plan, budget: number, finish: () => void, kind: (() => void) | null) {
    this.e = e;
    this.straight = straight;
    this.features = features;
    this.weights = weights;
    this.budget = budget;
    this.finish = finish;
    this.kind = kind;
  }

  /** Writes constructs until the budget is spent. */
  top(): void {
    while (this.budget > 0) {
      // All lanes are here, unless some have exited.
      if (this.kind !== null && !this.scattered && this.e.rng.chance(KIND_SHARE)) this.kind();
      this.construct();
    }
    if (this.kind !== null && !this.scattered) this.kind();
  }

  /** Constructs inside the current one. */
  nested(uniform = false): void {
    const { rng } = this.e;
    const around = this.uniform;
    this.uniform = uniform;
    this.depth++;
    for (let i = 1 + rng.below(2); i > 0 && this.budget > 0; i--) this.construct();
    this.straight.some(rng.below(3), this.convergent);
    this.depth--;
    this.uniform = around;
  }

  private construct(): void {
    this.budget--;
    const flat = this.depth >= MAX_DEPTH || this.budget <= 0;
    CONSTRUCTS[flat ? "straight" : weighted(this.e.rng.below(1000) / 1000, this.weights)](this);
  }

  get convergent(): boolean {
    return this.uniform && !this.scattered;
  }

  /** One writer per program, since it tracks the open regions. */
  get lanes(): LaneWriter {
    this.laneWriter ??= new LaneWriter(this);
    return this.laneWriter;
  }

  /** An arm: a few instructions, at most `most`, or else nested constructs. What it computes is not readable after it. */
  arm(share: number, most: number): void {
    const { rng } = this.e;
    this.e.scoped(() => {
      if (rng.chance(share)) this.straight.some(1 + rng.below(most), false);
      else this.nested();
      this.straight.keep();
    });
  }

  /** A predicate to branch on: a fresh compare, or an existing one. */
  test(): string {
    const { e } = this;
    if (e.rng.chance(!this.features.apart ? 0.3 : this.straight.warp.varying < 0.2 ? 0 : 0.15)) return e.condition();
    const p = e.target("pred", 0.2);
    this.straight.compare(p);
    e.defined("pred", p);
    return e.rng.chance(0.5) ? `!${p}` : p;
  }

  /** Instructions that are valid in every arm. */
  tail(count: number): void {
    writeTail(this.e, count);
  }

  /** Opens a convergence region that `close` ends at the start of the join block. */
  open(join: string): string | null {
    const { e } = this;
    if (!this.features.regions || !e.rng.chance(0.4)) return null;
    const barrier = e.barrier();
    e.emit(`BSSY ${barrier}, ${join}`);
    return barrier;
  }

  close(join: string, barrier: string | null, phis: () => void = () => {}): void {
    this.e.start(join);
    phis();
    if (barrier !== null) this.e.emit(`BSYNC ${barrier}`);
  }
}

function weighted(at: number, weights: Weights): keyof Weights {
  const entries = Object.entries(weights) as [keyof Weights, number][];
  let rest = at * entries.reduce((sum, [, w]) => sum + w, 0);
  for (const [name, weight] of entries) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return "straight";
}
