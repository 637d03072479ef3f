/** How much a user's pass may do and report; each limit has a sentence for when it is reached. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";

export interface PassLimits {
  /** Edits, sentences and writes of tables together. */
  readonly steps: number;
  /** Characters of everything that it reports and writes. */
  readonly characters: number;
  /** Blocks and instructions of the program, as a multiple of those it was given. */
  readonly growth: number;
}

export const PASS_LIMITS: PassLimits = { steps: 1_000_000, characters: 32_000_000, growth: 50 };
/** A small program may grow by at least this much. */
const LEAST_GROWTH = 20_000;

/** Counts, and throws where a limit is reached. */
export class PassMeter {
  private steps = 0;
  private characters = 0;
  private made = 0;
  private readonly limits: PassLimits;
  private readonly most: number;

  constructor(limits: PassLimits, size: number) {
    this.limits = limits;
    this.most = Math.max(LEAST_GROWTH, size * limits.growth);
  }

  step(characters: number): void {
    this.characters += characters;
    if (++this.steps > this.limits.steps) throw new PassError(`The pass takes more than ${this.limits.steps} steps.`);
    if (this.characters > this.limits.characters) throw new PassError(`The pass writes more than ${this.limits.characters} characters.`);
  }

  grow(): void {
    if (++this.made > this.most) throw new PassError(`The pass creates more than ${this.most} instructions and blocks.`);
  }
}
