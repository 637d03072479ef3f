/** The two gates before a rewrite: whether it may happen (skips and fuel), and whether a legality condition is honoured (drops). */

import type { Snapshots } from "./snapshots.ts";

/** Rewrites that may still happen, over all phases of a run together. */
export interface Fuel {
  left: number;
  /** Only the program is wanted, not what is asked and said on the way: a phase may end as soon as nothing is left. */
  readonly programOnly?: boolean;
  /** Some phase was told so: only such a one may have ended early. */
  told?: boolean;
  /** Somebody wants the programs between the rewrites. */
  readonly snapshots?: Snapshots;
}

/** What one run of a phase is told from outside. With none, everything that is legal happens. */
export interface Interventions {
  /** Askings that are refused, from 1. */
  readonly skips: ReadonlySet<number>;
  /** null: without limit. */
  readonly fuel: Fuel | null;
  /** Reasons (their names in the rule table) whose condition is taken to hold. */
  readonly drops: ReadonlySet<string>;
}

/** What became of the interventions in one run. */
export interface PermitReport {
  /** Askings, granted or refused. */
  readonly asked: number;
  /** Skips that named an asking. */
  readonly skipped: readonly number[];
  /** Askings refused because the fuel was spent. */
  readonly unfuelled: number;
  /** Dropped reasons whose condition failed at least once. */
  readonly dropped: readonly string[];
}

export type Refusal = "skipped" | "fuel";

/** Counts askings and answers them. */
export class Permits {
  asked = 0;
  /** Some asking may be refused. */
  readonly mayRefuse: boolean;
  private readonly given: Interventions | null;
  private readonly skipped: number[] = [];
  private unfuelled = 0;
  private readonly dropped = new Set<string>();

  constructor(given: Interventions | null) {
    const idle = given === null || (given.skips.size === 0 && given.fuel === null && given.drops.size === 0);
    this.given = idle ? null : given;
    this.mayRefuse = given !== null && (given.fuel !== null || given.skips.size > 0);
  }

  /** Nothing that may happen is left to ask for, and nobody counts the refusals. */
  get over(): boolean {
    const fuel = this.given?.fuel ?? null;
    if (fuel === null || fuel.programOnly !== true || fuel.left > 0) return false;
    fuel.told = true;
    return true;
  }

  get snapshots(): Snapshots | null {
    return this.given?.fuel?.snapshots ?? null;
  }

  /** Rewrites that were granted so far: what fuel counts. */
  get granted(): number {
    return this.asked - this.skipped.length - this.unfuelled;
  }

  /** Counts one rewrite; null when it may happen. */
  ask(): Refusal | null {
    this.asked++;
    return this.given === null ? null : this.refuse(this.given);
  }

  /** The condition is taken to hold. */
  drops(reason: string): boolean {
    if (this.given === null || !this.given.drops.has(reason)) return false;
    this.dropped.add(reason);
    return true;
  }

  report(): PermitReport {
    return { asked: this.asked, skipped: this.skipped, unfuelled: this.unfuelled, dropped: [...this.dropped] };
  }

  private refuse({ skips, fuel }: Interventions): Refusal | null {
    if (skips.has(this.asked)) {
      this.skipped.push(this.asked);
      return "skipped";
    }
    if (fuel === null) return null;
    if (fuel.left > 0) {
      fuel.left--;
      return null;
    }
    this.unfuelled++;
    return "fuel";
  }
}
