/** Chooses how a chain of compares is lowered: cascade, jump table or binary search tree, by the rules of either policy. */

import { plural } from "../../../base/plural.ts";
import type { Policy } from "../../config/policy.ts";
import type { SyncStackFit } from "./rows.ts";

export const STRATEGIES = ["cascade", "table", "tree"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** The numbers a choice is made from. Values are int32, the range is `max - min + 1`, up to 2^32. */
export interface SwitchFacts {
  /** Repeated values included. */
  readonly cases: number;
  readonly distinct: number;
  readonly min: number;
  readonly max: number;
  readonly range: number;
  /** distinct / range. */
  readonly density: number;
}

/** Limits, each a knob. */
export interface StrategyLimits {
  /** 'notes': up to this many distinct cases stay a cascade. */
  readonly cascadeMax: number;
  /** A table's range is at most this many times the cases. */
  readonly tableDensity: number;
  /** 'measured': the fewest cases of a table. */
  readonly tableMinCases: number;
}

export interface Choice {
  readonly strategy: Strategy;
  /** Index of the first case that the table takes; the compares before it stay. 0 for a tree. */
  readonly from: number;
  readonly reason: string;
}

/** What a strategy costs by the page's table. Source: branch-and-switch, Switch Tables and Warp Divergence. */
export interface StrategyCost {
  /** Instructions in the worst case. */
  readonly instructions: number;
  readonly divergencePoints: number;
  readonly syncEntries: number;
  /** Bytes of a table's entries: they follow the range, not the cases. */
  readonly dataBytes: number;
}

export function switchFacts(values: readonly number[]): SwitchFacts {
  let min = values[0] ?? 0;
  let max = min;
  for (const v of values) {
    if (v < min) min = v;
    if (v > max) max = v;
  }
  const distinct = new Set(values).size;
  const range = max - min + 1;
  return { cases: values.length, distinct, min, max, range, density: distinct / range };
}

/** `values` are the case constants in source order; `facts` are read from the tree of values, where there is one. */
export function chooseStrategy(policy: Policy, values: readonly number[], limits: StrategyLimits, facts = switchFacts(values)): Choice {
  return policy === "measured" ? chooseAsMeasured(values, limits) : chooseByNotes(facts, limits);
}

/** Few cases: cascade; dense ones: table; else a tree. Source: branch-and-switch, Decision: Strategy Selection; density limit as measured. */
function chooseByNotes(facts: SwitchFacts, limits: StrategyLimits): Choice {
  const { distinct, range } = facts;
  if (distinct <= limits.cascadeMax) {
    return { strategy: "cascade", from: 0, reason: `${plural(distinct, "case")}, and up to ${limits.cascadeMax} stay a cascade` };
  }
  const most = limits.tableDensity * distinct;
  if (range <= most)
    return { strategy: "table", from: 0, reason: `the range ${range} is at most ${limits.tableDensity} × ${distinct} = ${most}` };
  return { strategy: "tree", from: 0, reason: `the range ${range} is more than ${limits.tableDensity} × ${distinct} = ${most}` };
}

/**
 * The first suffix of the run that is dense enough becomes the one table; repeated constants count; never a tree. Linear: the extremes of all suffixes
 * are made from the end. Source: measured (docs/fidelity.md, phase 30).
 */
function chooseAsMeasured(values: readonly number[], limits: StrategyLimits): Choice {
  const n = values.length;
  const least = Math.max(1, limits.tableMinCases);
  let from = -1;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = n - 1; i >= 0; i--) {
    const v = values[i] as number;
    if (v < min) min = v;
    if (v > max) max = v;
    if (n - i >= least && max - min + 1 <= limits.tableDensity * (n - i)) from = i;
  }
  if (from < 0) {
    const reason =
      n < least
        ? `${n} of at least ${least} cases`
        : `no suffix of the ${plural(n, "case")} has a range of at most ${limits.tableDensity} times its cases`;
    return { strategy: "cascade", from: 0, reason };
  }
  const facts = switchFacts(values.slice(from));
  const which = from === 0 ? "all cases are" : `the cases from number ${from + 1} on are the first suffix that is`;
  return {
    strategy: "table",
    from,
    reason: `${which} dense enough: range ${facts.range}, at most ${limits.tableDensity} × ${facts.cases}`,
  };
}

/** Entries of the hardware's sync stack, of which there are 16 to 32. Source: branch-and-switch, SIMT Divergence and Reconvergence. */
const SYNC_STACK = { least: 16, most: 32 } as const;

export function syncStackFit(entries: number): SyncStackFit {
  if (entries <= SYNC_STACK.least) return "fits";
  return entries <= SYNC_STACK.most ? "overflows 16 entries" : "overflows 32 entries";
}

/** N is the number of distinct cases. */
export function strategyCost(strategy: Strategy, { distinct: n, range }: Pick<SwitchFacts, "distinct" | "range">): StrategyCost {
  switch (strategy) {
    case "cascade":
      return { instructions: 2 * n, divergencePoints: n, syncEntries: n, dataBytes: 0 };
    case "tree": {
      const depth = Math.ceil(Math.log2(Math.max(n, 1)));
      return { instructions: 2 * depth, divergencePoints: depth, syncEntries: depth, dataBytes: 0 };
    }
    case "table":
      return { instructions: 3, divergencePoints: 1, syncEntries: 1, dataBytes: 4 * range };
  }
}
