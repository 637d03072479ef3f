/** What a pass did and refused, counted; and what its phase reports of it. */

import type { Refusal } from "./permits.ts";
import { type Reason, type Rule, type RuleTable, reasonsOf } from "./rules.ts";

/** What a phase reports when it has run; `passes/pass.ts` explains each part. */
export interface Outcome {
  readonly matches: number;
  readonly rewrites: number;
  readonly why: string | null;
  readonly further?: string | null;
  readonly figures?: Readonly<Record<string, number>>;
}

/** How often each reason was given: `(2 times)` or `(2)` from the second time on, or always as `(2)`. */
export type Counts = "times" | "number" | "always";

interface OutcomeFigures {
  /** Default: rewrites and refused candidates. */
  readonly matches?: number;
  readonly further?: string | null;
  readonly figures?: Readonly<Record<string, number>>;
}

/** Why nothing changed: from what was refused, or a sentence of the pass's own. */
export type OutcomeParts = OutcomeFigures &
  (
    | {
        /** Why nothing changed when no candidate was refused. */
        readonly none: string;
        /** Names all candidates in 'every candidate was refused: …'. */
        readonly each?: string;
        readonly counts?: Counts;
      }
    | { readonly why: string }
  );

/** A rewrite, as it is counted. */
interface Committed {
  readonly rule: Rule;
  readonly form: string;
  readonly amount: number;
  readonly announced: boolean;
}

/** Why a candidate was refused by an intervention. */
const WHY: Readonly<Record<Refusal, string>> = { skipped: "skipped", fuel: "the fuel is spent" };

export class Tally {
  /** Rewrites that were permitted and carried out. */
  rewrites = 0;
  /** Candidates that were not taken. */
  private refused = 0;
  private readonly byReason: Int32Array;
  private readonly byIntervention = { skipped: 0, fuel: 0 };
  private readonly rewritesOf: number[] = [];
  /** By rule and form. */
  private readonly byForm = new Map<string, number>();
  private readonly amounts: number[] = [];
  private readonly candidatesAt: number[] = [];
  /** Matches that were reported before their request, and what became of those. */
  private readonly announced = { matches: 0, refused: 0, committed: 0 };
  /** Why candidates were refused, in the order of their first use. */
  private readonly order: (Reason | Refusal)[] = [];

  constructor(table: RuleTable) {
    this.byReason = new Int32Array(reasonsOf(table).length);
  }

  refuse(reason: Reason): void {
    const times = this.times(reason) + 1;
    this.byReason[reason.index] = times;
    if (!reason.counts) return;
    this.refused++;
    if (times === 1) this.order.push(reason);
  }

  intervene(refusal: Refusal): void {
    this.refused++;
    if (this.byIntervention[refusal]++ === 0) this.order.push(refusal);
  }

  candidate(rule: Rule): void {
    this.candidatesAt[rule.index] = this.candidates(rule) + 1;
  }

  candidates(rule: Rule): number {
    return this.candidatesAt[rule.index] ?? 0;
  }

  announce(): void {
    this.announced.matches++;
  }

  refuseAnnounced(): void {
    this.announced.refused++;
  }

  commit({ rule, form, amount, announced }: Committed): void {
    this.rewrites++;
    this.rewritesOf[rule.index] = this.rewritesBy(rule) + 1;
    this.byForm.set(`${rule.name} ${form}`, this.rewritesAs(rule, form) + 1);
    this.amounts[rule.index] = this.amountBy(rule) + amount;
    if (announced) this.announced.committed++;
  }

  times(reason: Reason): number {
    return this.byReason[reason.index] ?? 0;
  }

  rewritesBy(rule: Rule): number {
    return this.rewritesOf[rule.index] ?? 0;
  }

  rewritesAs(rule: Rule, form: string): number {
    return this.byForm.get(`${rule.name} ${form}`) ?? 0;
  }

  amountBy(rule: Rule): number {
    return this.amounts[rule.index] ?? 0;
  }

  outcome(parts: OutcomeParts): Outcome {
    const { matches, further, figures } = parts;
    const { rewrites, refused, announced } = this;
    // What was announced was counted then, whatever became of it.
    const others = rewrites - announced.committed + refused - announced.refused;
    return {
      matches: matches ?? announced.matches + others,
      rewrites,
      why: rewrites > 0 ? null : "why" in parts ? parts.why : this.because(parts.none, parts.each, parts.counts),
      ...(further === undefined ? {} : { further }),
      ...(figures === undefined ? {} : { figures }),
    };
  }

  /** `of`: at these lines only. */
  reasons(counts: Counts, of: readonly Rule[] | null): string {
    return Array.from(this.refusals(of), ([why, n]) =>
      counts === "always" ? `${why} (${n})` : n === 1 ? why : `${why} (${n}${counts === "times" ? " times" : ""})`,
    ).join(", ");
  }

  private because(none: string, each = "every candidate", counts: Counts = "times"): string {
    return this.order.length === 0 ? none : `${each} was refused: ${this.reasons(counts, null)}`;
  }

  /** Several reasons may share one `why`. */
  private refusals(of: readonly Rule[] | null): ReadonlyMap<string, number> {
    const byWhy = new Map<string, number>();
    const add = (why: string, times: number): void => void byWhy.set(why, (byWhy.get(why) ?? 0) + times);
    for (const one of this.order) {
      if (typeof one === "string") add(WHY[one], this.byIntervention[one]);
      else if (of === null || of.some(({ reasons }) => reasons.some(({ index }) => index === one.index))) add(one.why, this.times(one));
    }
    return byWhy;
  }
}
