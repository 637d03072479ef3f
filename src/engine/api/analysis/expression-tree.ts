/** One expression tree of a block as reassociation sees it: what is taken in, what is a leaf and why, and the leaves in canonical order. */

import { liveness } from "../../analysis/liveness.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { FactsMaker, sourceAt } from "../../passes/ori-reassociate-and-common/block-facts.ts";
import { sorted } from "../../passes/ori-reassociate-and-common/canonical.ts";
import { operandText } from "../../passes/ori-reassociate-and-common/operators.ts";
import { BlockTrees } from "../../passes/ori-reassociate-and-common/trees.ts";
import { printInst } from "../../text/printer.ts";
import { readText } from "../read/read.ts";

/** An operand inside a tree: a nested node has its own operands. */
export interface TreeOperand {
  /** As it is written, with the sign it has in the tree. */
  readonly text: string;
  readonly taken: { readonly inst: string; readonly operands: readonly TreeOperand[] } | null;
  /** Of a leaf: why it stays one. */
  readonly why: string | null;
}

export interface ExpressionTree {
  readonly root: string;
  readonly operands: readonly TreeOperand[];
  /** Texts of the leaves, constants last. */
  readonly sorted: readonly string[];
}

/** The tree whose root is the last instruction of a block that writes a register. A string says why there is none. */
export function expressionTree(text: string, kernel: string | null, label: string, register: string): ExpressionTree | string {
  const { module, ok } = readText(text, null);
  const fn = kernel === null ? module.funcs[0] : module.funcs.find((f) => f.name === kernel);
  if (!ok || fn === undefined) return "the program has errors";
  const block = fn.blocks.find((b) => b?.label === label);
  if (block === undefined) return `there is no block ${label}`;
  const facts = new FactsMaker(fn, liveness(fn)).of(block);
  const none = `no instruction of ${label} that writes ${register} is the root of a tree`;
  if (facts === null) return none;
  const trees = new BlockTrees(facts, true);
  const root = facts.operators.findLastIndex((o) => o !== null && regName(o.dest) === register);
  if (root < 0 || !trees.isRoot(root)) return none;
  const tree = trees.flatten(root, new Uint8Array(facts.insts.length));
  const inner = new Set(tree.inner);
  const operandsOf = (node: number): TreeOperand[] =>
    (facts.operators[node]?.sources ?? []).map((at, source) => {
      const leaf = tree.leaves.find((l) => l.node === node && l.source === source);
      if (leaf !== undefined) return { text: operandText(fn, leaf.operand), taken: null, why: trees.rule(leaf).why };
      const child = facts.definedAt[sourceAt(node, source)] ?? -1;
      const operand = facts.insts[node]?.ops[at];
      const own = operand === undefined ? "" : operandText(fn, operand);
      if (!inner.has(child)) throw new RangeError(`an operand of ${printInst(fn, facts.insts[node] as Inst)} is in no tree`);
      return { text: own, taken: { inst: printInst(fn, facts.insts[child] as Inst), operands: operandsOf(child) }, why: null };
    });
  return {
    root: printInst(fn, facts.insts[root] as Inst),
    operands: operandsOf(root),
    sorted: sorted(tree.leaves).map((leaf) => operandText(fn, leaf.operand)),
  };
}
