/** Expression trees of one block: which nodes are taken in by which, which subtractions are turned, and the leaves of a root. */

import { regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { type BlockFacts, NEVER, sourceAt } from "./block-facts.ts";
import { isConstantOperand, isLargeImmediate, negated } from "./operators.ts";

/** Why an operand is a leaf: (a) to (d) of the reference, and what it does not state. */
export type LeafRule = "a" | "b" | "c" | "d" | "guarded" | "modifier" | "overwritten";

export interface Leaf {
  /** The operand with its sign. */
  readonly operand: Operand;
  /** The node that reads it, and which of its sources it is. */
  readonly node: number;
  readonly source: number;
}

export interface Tree {
  readonly root: number;
  /** From left to right. */
  readonly leaves: readonly Leaf[];
  /** Nodes below the root, which go when the tree is rebuilt. */
  readonly inner: readonly number[];
  /** No right operand was taken in, and no negation was absorbed. */
  readonly leftLeaning: boolean;
}

export class BlockTrees {
  readonly facts: BlockFacts;
  /** 1 where a SUB is read as `a + -b`. */
  readonly turned: Uint8Array;
  /** The node that may absorb the instruction; -1 for none. */
  readonly parent: Int32Array;
  /** By node and source: the node that is there; -1 for a leaf. */
  private readonly children: Int32Array;
  /** The last place at which a node may be evaluated: after it, an operand further up is overwritten. */
  private readonly limit: Float64Array;

  /** `largeImmediates`: 64-bit additions may contain immediates of more than 32 bits. */
  constructor(facts: BlockFacts, largeImmediates: boolean) {
    const n = facts.insts.length;
    this.facts = facts;
    this.turned = new Uint8Array(n);
    this.parent = new Int32Array(n).fill(-1);
    this.children = new Int32Array(2 * n).fill(-1);
    this.limit = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
    for (let i = n - 1; i >= 0; i--) this.adopt(i, largeImmediates);
    for (let i = 0; i < n; i++) this.measure(i);
  }

  /** Why a SUB keeps its form; null for a turned one and for other nodes. */
  subtractionStays(i: number): "unread" | "several-uses" | "read-outside" | "other-use" | null {
    const { operators, uses } = this.facts;
    if (operators[i]?.name !== "SUB" || this.turned[i] === 1) return null;
    if ((uses[i] ?? 0) === 0) return "unread";
    if ((uses[i] ?? 0) > 1) return "several-uses";
    return this.userOf(i) === undefined ? "read-outside" : "other-use";
  }

  /** The last instruction of the block that reads the result. */
  userOf(i: number): Inst | undefined {
    return this.facts.insts[this.facts.user[i] ?? -1];
  }

  /** Can be the root: reads as ADD, MUL, AND, OR or XOR. */
  isRoot(i: number): boolean {
    const name = this.facts.operators[i]?.name;
    return name !== undefined && name !== "NEG" && (name !== "SUB" || this.turned[i] === 1);
  }

  /** Flattens from a root; marks the nodes it takes in. Each node is taken in at most once, so that all trees together are linear. */
  flatten(root: number, taken: Uint8Array): Tree {
    const leaves: Leaf[] = [];
    const inner: number[] = [];
    let leftLeaning = true;
    const stack: { readonly node: number; readonly source: number; readonly minus: boolean }[] = [];
    const push = (node: number, minus: boolean): void => {
      const name = this.facts.operators[node]?.name;
      if (name !== "NEG") stack.push({ node, source: 1, minus: minus !== (name === "SUB") });
      stack.push({ node, source: 0, minus: minus !== (name === "NEG") });
    };
    push(root, false);
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { node, source } = next;
      const operand = this.operand(node, source);
      if (operand === undefined) continue;
      const minus = next.minus !== (this.isAdd(node) && operand.kind === "reg" && operand.neg);
      const child = this.children[sourceAt(node, source)] ?? -1;
      if (child >= 0 && (this.limit[child] ?? 0) >= root) {
        taken[child] = 1;
        inner.push(child);
        if (source === 1 || this.facts.operators[child]?.name === "NEG") leftLeaning = false;
        push(child, minus);
        continue;
      }
      const signed = next.minus ? (negated(operand) ?? operand) : operand;
      leaves.push({ operand: signed, node, source });
    }
    return { root, leaves, inner, leftLeaning };
  }

  /** Where the producer of a leaf is in the block; -1 for none. */
  producer(leaf: Leaf): number {
    return this.facts.definedAt[sourceAt(leaf.node, leaf.source)] ?? -1;
  }

  /** Why the operand is a leaf. */
  rule(leaf: Leaf): { readonly rule: LeafRule; readonly why: string } {
    const { node, source } = leaf;
    const { insts, operators, definedAt, uses } = this.facts;
    const operand = this.operand(node, source) ?? leaf.operand;
    if (isConstantOperand(operand)) return { rule: "b", why: "it is a constant" };
    const name = operand.kind === "reg" ? regName(operand.reg) : "it";
    const at = definedAt[sourceAt(node, source)] ?? -1;
    const def = insts[at];
    if (def === undefined) return { rule: "c", why: `${name} is defined outside the block` };
    if (def.guard !== null) return { rule: "guarded", why: `${name} is defined under a guard` };
    const operator = operators[at] ?? null;
    if (operator === null || operator.key !== operators[node]?.key) return { rule: "a", why: `${name} is defined by ${def.op}` };
    if (uses[at] !== 1) return { rule: "d", why: `the value of ${name} has other uses` };
    if ((this.children[sourceAt(node, source)] ?? -1) >= 0)
      return { rule: "overwritten", why: `an operand of ${name} is overwritten before the root` };
    return { rule: "modifier", why: `${name} is defined or read in a form that a tree cannot include` };
  }

  // --- inside ----------------------------------------------------------------------------------------------------------------

  private operand(node: number, source: number): Operand | undefined {
    const { insts, operators } = this.facts;
    const at = operators[node]?.sources[source];
    return at === undefined ? undefined : insts[node]?.ops[at];
  }

  private isAdd(node: number): boolean {
    return this.facts.operators[node]?.key.startsWith("ADD") ?? false;
  }

  /** Decides whether the single user of a node may absorb it. Users come after it, so they are already decided. */
  private adopt(i: number, largeImmediates: boolean): void {
    const { insts, operators, uses, user } = this.facts;
    const inst = insts[i] as Inst;
    const operator = operators[i] ?? null;
    if (operator === null || inst.guard !== null || uses[i] !== 1) return;
    const by = user[i] ?? -1;
    const above = operators[by] ?? null;
    if (above === null || above.key !== operator.key || insts[by]?.guard !== null) return;
    if (above.name === "SUB" && this.turned[by] !== 1) return;
    if (above.name === "NEG" && this.parent[by] === -1) return;
    const source = above.sources.findIndex((k) => {
      const operand = insts[by]?.ops[k];
      if (operand?.kind !== "reg" || operand.reg !== operator.dest || operand.not || operand.abs) return false;
      return !operand.neg || this.isAdd(by);
    });
    if (source < 0 || this.facts.definedAt[sourceAt(by, source)] !== i) return;
    const own = operator.sources.map((k) => inst.ops[k] as Operand);
    // A node below a minus sign must let its operands be negated.
    if (this.isAdd(i) && own.some((o) => negated(o) === null)) return;
    if (!largeImmediates && operator.key.startsWith("ADD.64") && own.some(isLargeImmediate)) return;
    if (operator.name === "SUB") this.turned[i] = 1;
    this.parent[i] = by;
    this.children[sourceAt(by, source)] = i;
  }

  private measure(i: number): void {
    const operator = this.facts.operators[i];
    if (operator === null || operator === undefined) return;
    let limit = Number.POSITIVE_INFINITY;
    for (let source = 0; source < operator.sources.length; source++) {
      const child = this.children[sourceAt(i, source)] ?? -1;
      const written = this.facts.writtenAt[sourceAt(i, source)] ?? NEVER;
      limit = Math.min(limit, child >= 0 ? Math.max(written, this.limit[child] ?? 0) : written);
    }
    this.limit[i] = limit;
  }
}
