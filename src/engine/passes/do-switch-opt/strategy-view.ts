/** Shows a decision: the facts, the three strategies side by side, and what the other policy would do with the same blocks. */

import { plural } from "../../../base/plural.ts";
import { otherFacts, otherPolicy, type Policy } from "../../config/policy.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { SwitchStrategyRow } from "./rows.ts";
import { type ScanOptions, type SwitchChain, scanSwitches } from "./scan.ts";
import {
  type Choice,
  chooseStrategy,
  STRATEGIES,
  type Strategy,
  type StrategyLimits,
  type SwitchFacts,
  strategyCost,
  switchFacts,
  syncStackFit,
} from "./strategy.ts";

export const DECISION = {
  density: line("    range := max - min + 1, density := bits in the tree of values / range", {
    kind: "cost",
    step: "{cases} {cases:case|cases} from {min} to {max}: range {range}, {population} {population:bit|bits} set, density {density}",
  }),
  notes: line("    notes: few cases: cascade; range <= limit * cases: jump table; else search tree", {
    kind: "note",
    policy: "notes",
    step: "as documented: {strategy}, since {reason} (as measured on ptxas 13, {otherAnswer})",
    source: "branch-and-switch: Decision: Strategy Selection",
  }),
  measured: line("    measured: the first suffix with range <= limit * cases: jump table; else cascade", {
    kind: "note",
    policy: "measured",
    step: "as measured on ptxas 13: {strategy}, since {reason} (as documented, {otherAnswer})",
  }),
  costs: line("    show what each strategy costs, and what the other policy would do", {
    kind: "cost",
    step: "worst case of instructions, divergence points, sync entries, and bytes of the table: cascade {cascade}; jump table {table}; search tree {tree}",
  }),
};

/** What the other policy makes of a function, by block; computed once, and only while a trace is recorded. */
export class OtherPolicy {
  readonly policy: Policy;
  private readonly answers = new Map<BlockId, string>();
  private readonly lowered = new Set<BlockId>();

  constructor(fn: Func, policy: Policy, scan: Pick<ScanOptions, "extended" | "source">, limits: StrategyLimits) {
    this.policy = otherPolicy(policy);
    for (const chain of scanSwitches(fn, { ...scan, policy: this.policy, takeCases: () => true })) {
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
  readonly choice: Choice;
  readonly policy: Policy;
}

/** Reports the costs and the decision, and fills the structure that an inspector draws. Only while a trace is recorded. */
export function showDecision(remark: Remarks, fn: Func, decision: Decision, other: OtherPolicy, suffix: string): void {
  const { chain, facts, choice, policy } = decision;
  const population = facts.distinct;
  const [first] = chain.links;
  const head = first === undefined ? "" : getBlock(fn, first.block).label;
  const blocks = chain.links.map((link) => link.block);
  const density = Math.round(facts.density * 1e6) / 1e6;
  const otherAnswer = other.of(chain);
  const rows = remark.shown.table<SwitchStrategyRow>(`switch-strategy${suffix}`, "Strategies of the switch");
  const fallback = getBlock(fn, chain.fallback).label;
  rows.set("facts", { head, selector: regName(chain.selector), fallback, ...facts, population, density });
  remark.step(DECISION.density, { ...facts, density, population, blocks });
  for (const strategy of STRATEGIES) {
    const cost = strategyCost(strategy, facts);
    rows.set(strategy, { ...cost, syncStack: syncStackFit(cost.syncEntries), chosen: strategy === choice.strategy });
  }
  const costOf = (strategy: Strategy): string => {
    const { instructions, divergencePoints, syncEntries, dataBytes } = strategyCost(strategy, facts);
    return `${instructions}, ${divergencePoints}, ${syncEntries}, ${dataBytes}`;
  };
  remark.step(DECISION.costs, { cascade: costOf("cascade"), table: costOf("table"), tree: costOf("tree"), blocks });
  const { strategy, from, reason } = choice;
  rows.set("chosen", { policy, strategy, from, reason });
  rows.set("other", { policy: other.policy, answer: otherAnswer });
  const beside = otherFacts(other.policy, other.lowers(chain) ? "yes" : "no", otherAnswer);
  remark.step(policy === "notes" ? DECISION.notes : DECISION.measured, { strategy, reason, ...beside, also: beside, blocks });
}
