/** The two gates before a rewrite: whether it may happen (skips and fuel), and whether a legality condition is honoured (drops). */

import type { Snapshots } from "./snapshots.ts";

/** Rewrites that may still happen, over all phases of a run together. */
export interface Fuel {
  left: number;
  /** Only the program is needed, not the requests and reports: a phase may end as soon as nothing is left. */
  readonly programOnly?: boolean;
  /** Some phase has queried that nothing is left: only such a phase may have ended early. */
  told?: boolean;
  /** Set where the programs between the rewrites are needed. */
  readonly snapshots?: Snapshots;
}

/** What one run of a phase is given from outside. With none, every legal rewrite happens. */
export interface Interventions {
  /** Numbers of the requests that are refused, from 1. */
  readonly skips: ReadonlySet<number>;
  /** null: without limit. */
  readonly fuel: Fuel | null;
  /** Reasons (their names in the rule table) whose condition is assumed to hold. */
  readonly drops: ReadonlySet<string>;
}

/** The effect of the interventions on one run. */
export interface PermitReport {
  /** Requests, granted or refused. */
  readonly asked: number;
  /** Skips that named a request. */
  readonly skipped: readonly number[];
  /** Requests refused because the fuel was spent. */
  readonly unfuelled: number;
  /** Dropped reasons whose condition failed at least once. */
  readonly dropped: readonly string[];
}

export type Refusal = "skipped" | "fuel";

/** Counts requests and answers them. */
export class Permits {
  asked = 0;
  /** Some request may be refused. */
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

  /** No further rewrite will be granted, and the refusals are not counted. */
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

  /** Whether the condition is assumed to hold. */
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
