/** Available expressions: what has been computed on every path to a place, with none of its operands written since. */

import { BitSet } from "../../base/bitset.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { defsOf, effectOf, getBlock, sureDefsOf, usesOf } from "../ir/visit.ts";
import { cached } from "./cache.ts";
import { expressionText } from "./expression-text.ts";
import { flowGraph, intersection, solve } from "./solve.ts";

export interface ExpressionSite {
  readonly block: BlockId;
  readonly at: number;
}

/** One expression over registers, wherever it is computed. */
export interface Expression {
  /** In layout order. */
  readonly sites: readonly ExpressionSite[];
}

export interface AvailableExpressions {
  readonly expressions: readonly Expression[];
  /** Indices into `expressions` of what is available at a block's head, ascending; none for a block that the entry does not reach. */
  availableAt(block: BlockId): readonly number[];
}

/** A copy or a constant is a value that is there already, and computes nothing. */
const COPIES: ReadonlySet<string> = new Set(["MOV", "PMOV"]);

/** Pure, always executed, with one result, and computed from at least one register. The content of memory is not an expression: a store may change it. */
function isExpression(inst: Inst): boolean {
  return (
    effectOf(inst) === "pure" &&
    inst.op !== "PHI" &&
    inst.op !== "OPAQUE" &&
    !COPIES.has(inst.op) &&
    defsOf(inst).length === 1 &&
    sureDefsOf(inst).length === 1 &&
    usesOf(inst).length > 0
  );
}

/** Every predecessor must bring an expression: the meet is the intersection, which begins with everything and only removes. */
export const availableExpressions: (fn: Func) => AvailableExpressions = cached("all", (fn) => {
  const { expressions, numberOf, readers } = collect(fn);
  const size = expressions.length;
  const everything = full(size);
  const graph = flowGraph(fn);
  const [entry] = graph.order;
  const solution = solve<BlockId, BitSet, BitSet>(graph, {
    direction: "forward",
    top: () => everything.clone(),
    // Nothing was computed before the entry, even where a loop leads back to it.
    start: (id) => (id === entry ? new BitSet(size) : everything.clone()),
    meet: intersection,
    transfer(id, available) {
      for (const inst of getBlock(fn, id).insts) {
        const own = numberOf.get(inst);
        if (own !== undefined) available.add(own);
        for (const r of defsOf(inst)) for (const killed of readers.get(r) ?? []) available.delete(killed);
      }
    },
  });
  return {
    expressions,
    availableAt: (block) => (solution.after(block) === undefined ? [] : [...solution.before(block)]),
  };
});

interface Collected {
  readonly expressions: readonly Expression[];
  readonly numberOf: ReadonlyMap<Inst, number>;
  /** Expressions that read a register. */
  readonly readers: ReadonlyMap<Reg, ReadonlySet<number>>;
}

function collect(fn: Func): Collected {
  const byText = new Map<string, number>();
  const expressions: { readonly sites: ExpressionSite[] }[] = [];
  const numberOf = new Map<Inst, number>();
  const readers = new Map<Reg, Set<number>>();
  for (const block of fn.layout) {
    for (const [at, inst] of getBlock(fn, block).insts.entries()) {
      if (!isExpression(inst)) continue;
      // Registers are compared by name: the same text is the same expression, operands of a commutative operation sorted.
      const text = expressionText(inst, (r) => r, "");
      const number = byText.get(text) ?? expressions.push({ sites: [] }) - 1;
      byText.set(text, number);
      expressions[number]?.sites.push({ block, at });
      numberOf.set(inst, number);
      for (const r of usesOf(inst)) readers.set(r, (readers.get(r) ?? new Set<number>()).add(number));
    }
  }
  return { expressions, numberOf, readers };
}

function full(size: number): BitSet {
  const set = new BitSet(size);
  for (let i = 0; i < size; i++) set.add(i);
  return set;
}
