/** Shows the trees and chains of the first half of the phase: an observed structure each, and the steps that lead to a chain. */

import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import { valueNumber } from "./canonical.ts";
import type { SharedFactor } from "./distribute.ts";
import { operandText } from "./operators.ts";
import type { ChainRow, TreeRow } from "./rows.ts";
import type { BlockTrees, Leaf, LeafRule, Tree } from "./trees.ts";

export const STAYS = "'{inst}' in {block} stays: {why}";
const LEAF = { kind: "note", step: "{leaf} is a leaf ({rule}): {why}" } as const;

export const root = line("  for each ADD, MUL, AND, OR, XOR without a guard that is part of no larger tree, from the last to the first:", {
  step: "'{inst}' is the root of {nodes} {nodes:node|nodes} and {leaves} {leaves:leaf|leaves}",
  stays: STAYS,
  missed: { guarded: { say: "it has a guard" } },
});

export const LEAVES = {
  leafOther: line("      (a) another operation defines it, or (b) it is a constant,", LEAF),
  leafOutside: line("      or (c) it is defined outside the block, or (d) its value has other uses,", LEAF),
  leafOverwritten: line("      or (e) an operand further up is overwritten before the root (not stated in the reference)", LEAF),
};

export const distribute = line("    distribute, while the budget lasts: a*b + a*c with products used here only becomes a*(b + c)", {
  found: "{a} and {b} share the factor {factor}: '{first:inst}' and '{second:inst}' become '{sum:inst}' and '{made:inst}'",
  stays: STAYS,
  missed: { "distribute-budget": { say: "the budget for distributing is spent" } },
});

export const sort = line("    sort the leaves: constants last, then by value number (register index)", {
  kind: "note",
  step: "in canonical order: {order}",
  stays: STAYS,
  missed: { canonical: { say: "its leaves are in canonical order, in a left-leaning chain" } },
});

/** A larger tree is listed, not drawn: its links would take as long as its square. */
const DRAWN = 256;

const LEAF_LINES = {
  a: LEAVES.leafOther,
  b: LEAVES.leafOther,
  c: LEAVES.leafOutside,
  d: LEAVES.leafOutside,
  guarded: LEAVES.leafOutside,
  modifier: LEAVES.leafOutside,
  overwritten: LEAVES.leafOverwritten,
} as const satisfies Record<LeafRule, unknown>;

export class Watch {
  readonly chain: ShownTable<ChainRow>;
  private readonly ctx: Pick<PassContext, "edit" | "remark">;
  private readonly tree: ShownTable<TreeRow>;
  private shown: string[] = [];
  private chained: string[] = [];

  constructor(ctx: Pick<PassContext, "edit" | "remark">) {
    this.ctx = ctx;
    this.tree = ctx.remark.shown.table<TreeRow>("flattened-tree", "Flattened tree: nodes and leaves");
    this.chain = ctx.remark.shown.table<ChainRow>("rebuilt-chain", "Rebuilt left-leaning chain");
  }

  flattened(block: BlockId, trees: BlockTrees, tree: Tree): void {
    const { edit, remark } = this.ctx;
    if (!remark.listening) return;
    const { insts, operators } = trees.facts;
    for (const key of this.shown) this.tree.remove(key);
    this.shown = [];
    const row = (key: string, value: TreeRow): void => {
      this.shown.push(key);
      this.tree.set(key, value);
    };
    const nodes = [tree.root, ...tree.inner];
    const sources = (i: number): string[] => {
      const inside = tree.inner.filter((c) => trees.parent[c] === i).map((c) => `t${c}`);
      return [...inside, ...tree.leaves.flatMap((leaf, k) => (leaf.node === i ? [`l${k}`] : []))];
    };
    for (const i of nodes) {
      const inst = printInst(edit.func, insts[i] as Inst);
      row(`t${i}`, { op: operators[i]?.name ?? "", inst, below: nodes.length <= DRAWN ? sources(i) : [] });
    }
    for (const [k, leaf] of tree.leaves.entries()) {
      const { operand } = leaf;
      row(`l${k}`, { text: operandText(edit.func, operand), rule: trees.rule(leaf).rule, number: valueNumber(operand) });
    }
    remark.step(root, {
      inst: insts[tree.root] as Inst,
      nodes: nodes.length,
      leaves: tree.leaves.length,
      also: { op: operators[tree.root]?.name ?? "" },
      block,
      insts: tree.inner.map((i) => (insts[i] as Inst).id),
      node: this.tree.node(`t${tree.root}`),
    });
    if (tree.leaves.length <= 2) return;
    for (const [k, leaf] of tree.leaves.entries()) {
      const { operand, node } = leaf;
      const { rule, why } = trees.rule(leaf);
      const about = { block, inst: insts[node] as Inst, node: this.tree.node(`l${k}`) };
      remark.step(LEAF_LINES[rule], { leaf: operandText(edit.func, operand), rule, why, ...about });
    }
  }

  distributed(block: BlockId, pair: SharedFactor, sum: Inst, made: Inst, insts: readonly Inst[]): void {
    const { edit, remark } = this.ctx;
    const [first, second] = pair.products.map((p) => insts[p]);
    if (first === undefined || second === undefined) return;
    const where = ({ operand }: Leaf): string => (operand.kind === "reg" ? regName(operand.reg) : "");
    const factor = (): string => operandText(edit.func, pair.factor);
    const leaves = { a: () => where(pair.first), b: () => where(pair.second), factor };
    remark.matched(distribute, { ...leaves, first, second, sum, made, block, insts: [first, second] });
  }

  sorted(block: BlockId, inst: Inst, leaves: readonly Leaf[], order: () => readonly string[]): void {
    const also = () => ({ numbers: leaves.map((leaf) => valueNumber(leaf.operand) ?? "constant") });
    this.ctx.remark.step(sort, { order, also, block, inst });
  }

  rebuilt(chain: readonly Inst[]): void {
    const { edit, remark } = this.ctx;
    if (!remark.listening) return;
    for (const key of this.chained) this.chain.remove(key);
    this.chained = chain.map((_, k) => `c${k}`);
    for (const [k, inst] of chain.entries()) {
      const [dest, left, right] = inst.ops;
      const text = (operand: Operand | undefined): string => (operand === undefined ? "" : operandText(edit.func, operand));
      this.chain.set(`c${k}`, { result: text(dest), left: text(left), right: text(right), op: inst.op });
    }
  }
}
