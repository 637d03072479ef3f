/**
 * A rule as one value: its line of the pseudocode, its messages, what it matches and what it does. A rewrite has two phases:
 *
 *     const match = fold.look(state, block); // its conditions; what fails is reported
 *     const rewrite = match?.request();      // permits, fuel, skips
 *     rewrite?.commit();                     // performed and reported, at once or later
 */

import type { About, Filling, Holes } from "./holes.ts";
import { type Remarks, Rewrite, type Told } from "./remarks.ts";
import {
  type DroppableOf,
  type LineSpec,
  type MissedText,
  type Named,
  type Names,
  ONLY,
  type Only,
  type ReasonsOf,
  type Rule,
  ruleOf,
  type Say,
  type Saying,
} from "./rules.ts";

/** What a rule looks with: the remarks, and whatever else the rules of a pass share. */
export interface Looking {
  readonly remark: Remarks;
}

/** A condition fails: reported and counted. Always null, to return it. */
export type Miss<P extends LineSpec> = <C extends ReasonsOf<P>>(reason: C, ...given: Filling<MissedText<P, C>>) => null;

/** A legality condition of the rule: true when it holds or was dropped, else it is missed. */
export type Holding<P extends LineSpec> = <C extends DroppableOf<P>>(
  reason: C,
  condition: boolean,
  ...given: Filling<MissedText<P, C>>
) => boolean;

type Values<S> = S extends string ? Holes<S> & Omit<About, keyof Holes<S>> : unknown;
/** One sentence, or the one that is named; none where a rule reports several findings on the way. */
type FoundPart<S> = S extends string | Say
  ? Values<Only<S>>
  : S extends object
    ? { readonly found?: undefined } | { [N in Names<S>]: Values<Named<S, N>> & { readonly found: N } }[Names<S>]
    : unknown;
type DonePart<S> = S extends string | Say
  ? Values<Only<S>>
  : S extends object
    ? { [N in Names<S>]: Values<Named<S, N>> & { readonly done: N } }[Names<S>]
    : unknown;

/** What a match has at least: the values of its sentences. `apply` may need more. `amount`: how much one rewrite changes, for a figure of the phase. */
export type MatchOf<P extends LineSpec> = FoundPart<P["found"]> & DonePart<P["done"]> & { readonly amount?: number };

/** The parts of a line that `match` is checked against. Each is inferred by itself, so that a missing hole is an error in the rule. */
interface Sayings<T, F, D, R, W> {
  readonly step?: T;
  readonly found?: F;
  readonly done?: D;
  readonly missed?: R;
  readonly stays?: W;
}
type Plain = Pick<LineSpec, "kind" | "because" | "source" | "policy">;
type SpecOf<T, F, D, R, W> = Plain & Part<"step", T> & Part<"found", F> & Part<"done", D> & Part<"missed", R> & Part<"stays", W>;
type Part<K extends keyof LineSpec, V> = [V] extends [undefined] ? Record<never, never> : { readonly [_ in K]: V };

interface Code<P extends LineSpec, S extends Looking, Of, M> {
  /** The line of the pseudocode; null: a further rule at the line before it. */
  readonly line: string | null;
  /** Null: not a candidate (nothing is reported), or a condition fails (`miss` says which; `holds` tests one that can be dropped). */
  match(state: S, of: Of, miss: Miss<P>, holds: Holding<P>): M | null;
  /** Everything that the rewrite changes. Left out: one edit performs several together (`commitTogether`). */
  apply?(state: S, match: M): void;
}

type Applying<S extends Looking, M> = Pick<Code<LineSpec, S, never, M>, "apply">;

/** A rule that can be tried. */
export interface RewriteRule<P extends LineSpec, S extends Looking, Of> extends Rule<P> {
  look(state: S, of: Of): Match | null;
}

/** `rule<State, Block>()({ line, found, done, missed, match, apply })`, for the table of its pass, which numbers it. */
export const rule =
  <S extends Looking, Of>() =>
  <
    const T extends LineSpec["step"] = undefined,
    const F extends LineSpec["found"] = undefined,
    const D extends LineSpec["done"] = undefined,
    const R extends LineSpec["missed"] = undefined,
    const W extends LineSpec["stays"] = undefined,
    const M extends MatchOf<SpecOf<T, F, D, R, W>> & object = never,
  >(
    spec: Sayings<T, F, D, R, W> & Plain & Code<SpecOf<T, F, D, R, W>, S, Of, M>,
  ): RewriteRule<SpecOf<T, F, D, R, W>, S, Of> => {
    type P = SpecOf<T, F, D, R, W>;
    // The remarks of the current look: `miss` and `holds` read it and are made only once, because some rules are tried at every instruction.
    let remark: Remarks;
    const miss = (reason: string, given?: unknown) => remark.missed(made, reason as never, given as never);
    const holds = (reason: string, condition: boolean, given?: unknown) => remark.holds(made, reason as never, condition, given as never);
    const made: RewriteRule<P, S, Of> = {
      ...ruleOf<P>(spec.line, spec as unknown as P),
      looks: true,
      look(state, of) {
        remark = state.remark;
        const values = spec.match(state, of, miss as Miss<P>, holds as Holding<P>);
        return values === null ? null : new Found(state.remark, made, spec, state, values);
      },
    };
    return made;
  };

/** All conditions of a rule hold. */
export type Match = Pick<Found<never, never>, "rule" | "announce" | "report" | "refuse" | "request">;

class Found<S extends Looking, M extends object> extends Rewrite {
  private readonly code: Applying<S, M>;
  private readonly state: S;
  private readonly match: M;

  constructor(remarks: Remarks, rule: Rule, code: Applying<S, M>, state: S, match: M) {
    super(remarks, rule);
    this.code = code;
    this.state = state;
    this.match = match;
  }

  /** Reports what was found, where a budget or a choice comes before the request; else the commit reports it. */
  announce(): void {
    this.announced = true;
    const { about: _, ...values } = this.values;
    if (this.rule.founds.has(this.foundName)) this.remarks.matched(this.rule, this.foundName as never, values as never);
  }

  /** Reports what was found, where it becomes a part of a rewrite of another rule: it is not requested, and not counted. */
  report(): void {
    this.remarks.tellFound(this.rule, this.foundName, this.match);
  }

  /** An announced match is not used, for a reason of another rule. */
  refuse<R extends Rule, C extends ReasonsOf<R["spec"]>>(rule: R, reason: C, ...given: Filling<MissedText<R["spec"], C>>): void;
  refuse(rule: Rule, reason: string, given?: unknown): void {
    this.remarks.refuseAnnounced(rule, reason, given);
  }

  /** Null when it was refused. */
  request(): Rewrite | null {
    return this.remarks.ask(this);
  }

  apply(): void {
    this.code.apply?.(this.state, this.match);
  }

  override get amount(): number {
    return Number(this.values.amount ?? 0);
  }

  get form(): string {
    return String(this.values.done ?? this.foundName);
  }

  told(): Told {
    const { rule, values, announced } = this;
    const done = rule.dones.get(String(values.done ?? ONLY));
    const found = announced ? undefined : rule.founds.get(this.foundName);
    const given = announced && done !== undefined ? ownOf(done, values) : values;
    return { found, done, decides: rule.founds.size === 0, given };
  }

  private get values(): Readonly<Record<string, unknown>> {
    return this.match as Readonly<Record<string, unknown>>;
  }

  /** The name of the sentence that reports it, if it has one. */
  private get foundName(): string {
    return String(this.values.found ?? ONLY);
  }
}

/** After an announcement the rewrite is about what its own sentence shows, and what distinguishes it from others. */
function ownOf({ template }: Saying, values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = Object.entries(values).filter(([name]) => KEPT.has(name) || template.uses.has(name));
  return Object.fromEntries(own);
}

const KEPT = new Set(["about", "focus", "also"]);
