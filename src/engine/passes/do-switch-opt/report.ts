/** Measures the three strategies for one switch: each is built and run by the interpreter on a warp of chosen selectors. */

import type { Policy } from "../../config/policy.ts";
import { runKernel } from "../../interp/interpreter.ts";
import { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func, Module } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { firstCases, lowerToTable, lowerToTree, MAX_TABLE_ENTRIES, planLowering } from "./lowering.ts";
import { type SwitchChain, scanSwitches } from "./scan.ts";
import {
  type Choice,
  chooseStrategy,
  STRATEGIES,
  type Strategy,
  type StrategyCost,
  type StrategyLimits,
  type SwitchFacts,
  strategyCost,
  switchFacts,
} from "./strategy.ts";

/** The selectors of a warp's 32 lanes. */
export type SelectorDistribution =
  /** The cases in source order, over and over. */
  | { readonly kind: "cases" }
  /** All lanes the same value. */
  | { readonly kind: "one"; readonly value: number }
  /** No lane hits a case. */
  | { readonly kind: "default" }
  /** Each lane a value between the smallest and the largest case, by a generator started with `seed`. */
  | { readonly kind: "random"; readonly seed: number }
  /** Lane by lane, repeated when there are fewer than 32. */
  | { readonly kind: "values"; readonly values: readonly number[] };

/** What the interpreter counted for one strategy, without the case bodies. */
export interface MeasuredCost {
  /** Instructions issued for the warp by the dispatch. */
  readonly instructions: number;
  /** Branches at which lanes diverged. */
  readonly divergentBranches: number;
  /** Deepest nesting of places where lanes wait for each other. */
  readonly syncDepth: number;
  /** Times a case body or the default was started: lanes of one body may come in several groups. */
  readonly bodies: number;
}

export interface StrategyReport {
  readonly strategy: Strategy;
  /** By the formulas of the reference. */
  readonly predicted: StrategyCost;
  /** null: this strategy cannot be built; `problem` says why. */
  readonly measured: MeasuredCost | null;
  readonly problem: string | null;
}

export interface SwitchReport {
  readonly head: string;
  readonly selector: string;
  readonly fallback: string;
  readonly cases: readonly { readonly value: number; readonly target: string; readonly counts: boolean }[];
  readonly facts: SwitchFacts;
  readonly strategies: readonly StrategyReport[];
  /** The choice of each policy for these cases, in this order; what else would stop it is not considered. */
  readonly notes: Choice;
  readonly measured: Choice;
  /** The selectors that were run, lane by lane. */
  readonly selectors: readonly number[];
}

export interface ReportOptions {
  readonly policy: Policy;
  readonly limits: StrategyLimits;
  readonly distribution: SelectorDistribution;
  /** SwitchOptExtendedPatternMatch; default true. */
  readonly extended?: boolean;
}

/** Heads of all chains of two cases or more, in reverse post-order. */
export function listSwitches(fn: Func, policy: Policy, extended = true): readonly { readonly head: BlockId; readonly cases: number }[] {
  return chainsOf(fn, policy, extended).map(({ links }) => ({ head: links[0]?.block as BlockId, cases: links.length }));
}

/** The report for the chain that `block` belongs to; null when it belongs to none. */
export function switchReport(fn: Func, block: BlockId, options: ReportOptions): SwitchReport | null {
  const chain = chainsOf(fn, options.policy, options.extended ?? true).find(({ links }) => links.some((link) => link.block === block));
  if (chain === undefined) return null;
  const label = (id: BlockId): string => getBlock(fn, id).label;
  const values = chain.links.map((link) => link.value);
  const facts = switchFacts(values);
  const selectors = lanesOf(options.distribution, values);
  const seen = new Set<number>();
  const cases = chain.links.map(({ value, target }) => ({
    value,
    target: label(target),
    counts: !seen.has(value) && seen.add(value).size > 0,
  }));
  return {
    head: label(chain.links[0]?.block ?? block),
    selector: regName(chain.selector),
    fallback: label(chain.fallback),
    cases,
    facts,
    strategies: STRATEGIES.map((strategy) => measure(strategy, chain, facts, selectors, options.policy)),
    notes: chooseStrategy("notes", values, options.limits),
    measured: chooseStrategy("measured", values, options.limits),
    selectors,
  };
}

function chainsOf(fn: Func, policy: Policy, extended: boolean): SwitchChain[] {
  return scanSwitches(fn, { policy, extended, takeCases: () => true }).filter(({ links }) => links.length > 1);
}

const LANES = 32;
/** Steps a run may take: enough for any chain that can be scanned in time. */
const FUEL = 50_000_000;

function measure(strategy: Strategy, chain: SwitchChain, facts: SwitchFacts, selectors: readonly number[], policy: Policy): StrategyReport {
  const predicted = strategyCost(strategy, facts);
  const fail = (problem: string): StrategyReport => ({ strategy, predicted, measured: null, problem });
  if (strategy === "table" && facts.range > MAX_TABLE_ENTRIES)
    return fail(`a table would have ${facts.range} entries, more than ${MAX_TABLE_ENTRIES}`);
  const model = buildModel(chain);
  const variant = lowerModel(model.fn, strategy, policy);
  if (variant === null) return fail("the chain could not be rebuilt");
  const inputs = { threads: LANES, fuel: FUEL, buffers: [], args: [(lane: number) => (selectors[lane] ?? 0) >>> 0] };
  const outcome = runKernel(model.module, variant, inputs);
  if (outcome.status !== "ok") return fail(outcome.message);
  const { warpInstructions, divergentBranches, maxSyncDepth } = outcome.counters;
  let bodies = 0;
  let after = 0;
  for (const id of variant.layout) {
    const { label, insts } = getBlock(variant, id);
    const times = outcome.executions[id] ?? 0;
    if (label.startsWith("T")) bodies += times;
    if (label.startsWith("T") || label === "JOIN") after += times * insts.length;
  }
  const measured = { instructions: warpInstructions - after, divergentBranches, syncDepth: maxSyncDepth, bodies };
  return { strategy, predicted, measured, problem: null };
}

/** The bare switch: the chain's compares on a parameter, and a body of one jump for each target. */
function buildModel(chain: SwitchChain): { readonly fn: Func; readonly module: Module } {
  const names = new Map<BlockId, string>([[chain.fallback, "T"]]);
  const nameOf = (id: BlockId): string => {
    const known = names.get(id) ?? `T${names.size}`;
    names.set(id, known);
    return known;
  };
  const lines = [".kernel model(selector: R0)", "SWITCH:"];
  for (const { value, target } of chain.links) lines.push(`ISETP.EQ P0, R0, ${value}`, `@P0 BRA ${nameOf(target)}`);
  lines.push("BRA T");
  for (const name of names.values()) lines.push(`${name}:`, "BRA JOIN");
  lines.push("JOIN:", "EXIT");
  const { module } = parseModule(lines.join("\n"));
  const fn = module.funcs[0];
  if (fn === undefined) throw new Error("internal: the model of a switch does not parse");
  return { fn, module };
}

function lowerModel(fn: Func, strategy: Strategy, policy: Policy): Func | null {
  if (strategy === "cascade") return fn;
  const chain = chainsOf(fn, "notes", true)[0];
  if (chain === undefined) return null;
  const edit = new Editor(fn, NO_RECORDER);
  const plan = { ...planLowering(chain, 0), cases: firstCases(chain.links) };
  if (strategy === "table") lowerToTable(edit, plan, policy === "measured");
  else lowerToTree(edit, plan);
  return edit.func;
}

function lanesOf(distribution: SelectorDistribution, values: readonly number[]): number[] {
  const lanes = Array.from({ length: LANES }, (_, i) => i);
  const at = (list: readonly number[], i: number): number => (list[i % Math.max(list.length, 1)] ?? 0) | 0;
  switch (distribution.kind) {
    case "cases":
      return lanes.map((i) => at(values, i));
    case "one":
      return lanes.map(() => distribution.value | 0);
    case "default": {
      const outside = outsideOf(new Set(values));
      return lanes.map(() => outside);
    }
    case "random": {
      const { min, range } = switchFacts(values);
      const next = xorshift32(distribution.seed | 0 || 0x9e3779b9);
      return lanes.map(() => (min + (next() % range)) | 0);
    }
    case "values":
      return lanes.map((i) => at(distribution.values, i));
  }
}

/** The smallest number from 0 up that is not a case. */
function outsideOf(cases: ReadonlySet<number>): number {
  let value = 0;
  while (cases.has(value)) value++;
  return value;
}

/** Marsaglia's xorshift32: the lanes that a seed meant before there was `createPrng`. */
function xorshift32(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}
