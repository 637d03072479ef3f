/** Shows a decision: the facts, the three strategies side by side, and what the other policy would do with the same blocks. */

import { type ScanOptions, type SwitchChain, scanSwitches } from "../../analysis/switch-scan.ts";
import {
  type Choice,
  chooseStrategy,
  STRATEGIES,
  type StrategyLimits,
  type SwitchFacts,
  strategyCost,
  switchFacts,
} from "../../analysis/switch-strategy.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { otherFacts, otherPolicy, type Policy } from "../../pipeline/policy.ts";
import { plural } from "../../text/plural.ts";
import type { Facts } from "../../trace/event.ts";
import type { CellValue, Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** What the other policy makes of a function, by block; computed once, and only while something records. */
export class OtherPolicy {
  readonly policy: Policy;
  private readonly answers = new Map<BlockId, string>();
  private readonly lowered = new Set<BlockId>();

  constructor(fn: Func, policy: Policy, scan: Pick<ScanOptions, "extended" | "source">, limits: StrategyLimits) {
    this.policy = otherPolicy(policy);
    for (const chain of scanSwitches(fn, { ...scan, policy: this.policy, takeCase: () => true })) {
      const answer = this.describe(chain, limits);
      for (const { block } of chain.links) {
        this.answers.set(block, answer);
        if (this.lowersValues(chain, limits)) this.lowered.add(block);
      }
    }
  }

  /** One sentence part for a chain that this policy found. */
  of(chain: SwitchChain): string {
    const answers = new Set(chain.links.map(({ block }) => this.answers.get(block) ?? "no chain"));
    if (answers.size > 1) answers.delete("no chain");
    return [...answers].join("; ");
  }

  /** Whether it would lower any of the chain's compares. */
  lowers(chain: SwitchChain): boolean {
    return chain.links.some(({ block }) => this.lowered.has(block));
  }

  private lowersValues(chain: SwitchChain, limits: StrategyLimits): boolean {
    const values = chain.links.map((link) => link.value);
    return values.length >= 2 && chooseStrategy(this.policy, values, limits).strategy !== "cascade";
  }

  private describe(chain: SwitchChain, limits: StrategyLimits): string {
    const values = chain.links.map((link) => link.value);
    if (values.length < 2) return "the compare stays";
    const choice = chooseStrategy(this.policy, values, limits);
    return describeChoice(choice, values);
  }
}

/** 'table over 5 cases (range 9), 2 compares stay'. */
export function describeChoice(choice: Choice, values: readonly number[]): string {
  const facts = switchFacts(values.slice(choice.from));
  if (choice.strategy === "cascade") return `cascade of ${plural(values.length, "compare")} (${choice.reason})`;
  const stay = choice.from === 0 ? "" : `, ${plural(choice.from, "compare stays", "compares stay")}`;
  return `${choice.strategy === "table" ? "jump table" : "search tree"} over ${plural(facts.distinct, "case")} (range ${facts.range})${stay}`;
}

export interface Decision {
  readonly chain: SwitchChain;
  readonly facts: SwitchFacts;
  /** Bits in the tree of values. */
  readonly population: number;
  readonly choice: Choice;
  readonly policy: Policy;
}

/** Emits the costs and the decision, and fills the structure that an inspector draws. Only for a recorder that is on. */
export function showDecision(rec: Recorder, fn: Func, decision: Decision, other: OtherPolicy, suffix: string): void {
  const { chain, facts, population, choice, policy } = decision;
  const head = chain.links[0]?.block;
  const label = head === undefined ? "" : getBlock(fn, head).label;
  const blocks = chain.links.map((link) => link.block);
  const density = Math.round(facts.density * 1e6) / 1e6;
  const otherAnswer = other.of(chain);
  const rows = rec.structure("table", `switch-strategy${suffix}`, "Strategies of the switch");
  const put = (key: string, value: CellValue): void => rec.cell(rows, key, value);
  put("facts", {
    head: label,
    selector: regName(chain.selector),
    fallback: getBlock(fn, chain.fallback).label,
    ...facts,
    population,
    density,
  });
  const costs: Record<string, number> = {};
  for (const strategy of STRATEGIES) {
    const cost = strategyCost(strategy, facts.distinct);
    put(strategy, { ...cost, chosen: strategy === choice.strategy });
    costs[`${strategy}Instructions`] = cost.instructions;
    costs[`${strategy}DivergencePoints`] = cost.divergencePoints;
    costs[`${strategy}SyncEntries`] = cost.syncEntries;
  }
  put("chosen", { policy, strategy: choice.strategy, from: choice.from, reason: choice.reason });
  put("other", { policy: other.policy, answer: otherAnswer });
  const seen: Facts = { head: label, selector: regName(chain.selector), ...facts, density, population };
  rec.event(
    "cost",
    LINE.density,
    "{cases} {cases:case|cases} from {min} to {max}: range {range}, {population} {population:bit|bits} set, density {density}",
    seen,
    {
      blocks,
    },
  );
  rec.event(
    "cost",
    LINE.costs,
    "worst case of instructions, divergence points and sync entries: cascade {cascadeInstructions}, {cascadeDivergencePoints}, {cascadeSyncEntries}; " +
      "jump table {tableInstructions}, {tableDivergencePoints}, {tableSyncEntries}; search tree {treeInstructions}, {treeDivergencePoints}, {treeSyncEntries}",
    { head: label, ...costs },
    { blocks },
  );
  rec.event(
    "note",
    policy === "notes" ? LINE.notes : LINE.measured,
    "policy '{policy}' says {strategy}, since {reason}; policy '{otherPolicy}' would do: {otherAnswer}",
    {
      policy,
      strategy: choice.strategy,
      from: choice.from,
      reason: choice.reason,
      ...otherFacts(other.policy, other.lowers(chain) ? "yes" : "no", otherAnswer),
    },
    { blocks },
  );
}
