/** Distribution: a*b + a*c becomes a*(b + c) when both products are used here only. */

import type { Operand } from "../../ir/types.ts";
import { sameOperand } from "../../ir/visit.ts";
import { NEVER, sourceAt } from "./block-facts.ts";
import { negated } from "./operators.ts";
import type { BlockTrees, Leaf } from "./trees.ts";

/** Two leaves of a sum that share a factor. */
export interface SharedFactor {
  readonly first: Leaf;
  readonly second: Leaf;
  /** The multiplications, by place in the block. */
  readonly products: readonly [number, number];
  readonly factor: Operand;
  /** The other factors, with the signs of the products. */
  readonly terms: readonly [Operand, Operand];
}

interface Product {
  readonly leaf: Leaf;
  readonly at: number;
  readonly factors: readonly [Operand, Operand];
}

const NONE: readonly SharedFactor[] = [];

/** Pairs of leaves in order, each leaf in one pair at most. Linear in the leaves. */
export function sharedFactors(trees: BlockTrees, root: number, leaves: readonly Leaf[]): readonly SharedFactor[] {
  let products = 0;
  for (const leaf of leaves) if (productOf(trees, root, leaf) !== null) products++;
  if (products < 2) return NONE;
  const found: SharedFactor[] = [];
  const waiting = new Map<string, Product[]>();
  const paired = new Set<Leaf>();
  for (const leaf of leaves) {
    const product = productOf(trees, root, leaf);
    if (product === null) continue;
    const pair = partner(waiting, paired, product);
    if (pair !== null) {
      paired.add(pair.first).add(leaf);
      found.push(pair);
      continue;
    }
    for (const factor of product.factors) {
      const key = keyOf(factor);
      const list = waiting.get(key);
      if (list === undefined) waiting.set(key, [product]);
      else list.push(product);
    }
  }
  return found;
}

function partner(waiting: ReadonlyMap<string, Product[]>, paired: ReadonlySet<Leaf>, product: Product): SharedFactor | null {
  for (const [k, factor] of product.factors.entries()) {
    const list = waiting.get(keyOf(factor)) ?? [];
    let other = list.pop();
    while (other !== undefined && paired.has(other.leaf)) other = list.pop();
    if (other === undefined) continue;
    const mine = product.factors[1 - k];
    const its = other.factors[sameOperand(other.factors[0], factor) ? 1 : 0];
    const terms = mine === undefined ? null : [signed(other.leaf, its), signed(product.leaf, mine)];
    const [first, second] = terms ?? [];
    if (first === null || second === null || first === undefined || second === undefined) {
      list.push(other);
      continue;
    }
    return { first: other.leaf, second: product.leaf, products: [other.at, product.at], factor, terms: [first, second] };
  }
  return null;
}

/** The leaf as a product that nothing else reads and that could also be computed at the root. */
function productOf(trees: BlockTrees, root: number, leaf: Leaf): Product | null {
  const { operators, insts, uses, writtenAt } = trees.facts;
  const at = trees.producer(leaf);
  const operator = operators[at] ?? null;
  const inst = insts[at];
  if (operator === null || inst === undefined || operator.name !== "MUL" || inst.guard !== null || uses[at] !== 1) return null;
  if (operator.key.slice("MUL".length) !== operators[root]?.key.slice("ADD".length)) return null;
  if (leaf.operand.kind !== "reg" || leaf.operand.not) return null;
  if ((writtenAt[sourceAt(at, 0)] ?? NEVER) < root || (writtenAt[sourceAt(at, 1)] ?? NEVER) < root) return null;
  const [, left, right] = inst.ops;
  return left === undefined || right === undefined ? null : { leaf, at, factors: [left, right] };
}

function signed(leaf: Leaf, factor: Operand): Operand | null {
  return leaf.operand.kind === "reg" && leaf.operand.neg ? negated(factor) : addable(factor);
}

/** The operand as one of an addition: what can be negated can be added. */
function addable(operand: Operand): Operand | null {
  return negated(operand) === null ? null : operand;
}

function keyOf(operand: Operand): string {
  return JSON.stringify(operand, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v));
}
