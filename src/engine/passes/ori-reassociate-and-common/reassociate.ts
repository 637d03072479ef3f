/** First half of the phase: turns subtractions, flattens, distributes, sorts and rebuilds the expression trees of one block. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regClass, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE } from "../../trace/recorder.ts";
import type { PassContext } from "../pass.ts";
import { blockFacts } from "./block-facts.ts";
import { isSorted, sorted, valueNumber } from "./canonical.ts";
import { type SharedFactor, sharedFactors } from "./distribute.ts";
import { negated, operandText, registerOperand, rewritten } from "./operators.ts";
import { LINE } from "./pseudocode.ts";
import { BlockTrees, type Leaf, type Tree } from "./trees.ts";

export interface ReassociateCounts {
  candidates: number;
  turned: number;
  rebuilt: number;
  distributed: number;
}

/** One change of a block: the root becomes `chain` (its last instruction keeps the root's id), `gone` goes. */
interface Change {
  readonly root: Inst;
  readonly chain: readonly Inst[];
  readonly gone: readonly Inst[];
  readonly line: number;
  readonly tell: () => void;
}

export class Reassociate {
  readonly counts: ReassociateCounts = { candidates: 0, turned: 0, rebuilt: 0, distributed: 0 };
  readonly refusals = new Map<string, number>();
  private readonly ctx: PassContext;
  private readonly live: Liveness;
  private readonly budget: Budget;
  private readonly distributions: Budget;
  private readonly largeImmediates: boolean;
  private readonly skip: number;
  private readonly flattened;
  private readonly rebuiltChain;
  private shown: string[] = [];
  private chained: string[] = [];

  /** `live` is of the function as it comes in: no change here makes a register live where it was not. */
  constructor(ctx: PassContext, live: Liveness, budget: Budget) {
    const { knobs, rec } = ctx;
    this.ctx = ctx;
    this.live = live;
    this.budget = budget;
    this.distributions = knobs.budget("distribute-and-reassociate-mul-budget", LINE.distribute);
    this.largeImmediates = knobs.flag("reassociate-large-imm-in-uiadd64", LINE.flatten);
    this.skip = knobs.int("reassociate-cse-skip", LINE.budget);
    this.flattened = rec.on ? rec.structure("table", "flattened-tree", "Flattened tree: nodes and leaves") : NO_STRUCTURE;
    this.rebuiltChain = rec.on ? rec.structure("table", "rebuilt-chain", "Rebuilt left-leaning chain") : NO_STRUCTURE;
  }

  block(id: BlockId): void {
    const { edit, rec } = this.ctx;
    const block = edit.block(id);
    const facts = blockFacts(edit.func, this.live, block);
    if (facts.operators.every((o) => o === null)) return;
    if (rec.on) {
      rec.begin("visit", LINE.block, "expression trees of {block}", { block: block.label }, { blocks: [id] });
      rec.event(
        "note",
        LINE.uses,
        "uses and next writes of {count} {count:instruction|instructions}",
        { count: facts.insts.length },
        { blocks: [id] },
      );
    }
    const trees = new BlockTrees(facts, this.largeImmediates);
    const changes: Change[] = [];
    const taken = new Uint8Array(facts.insts.length);
    this.subtractions(id, trees, changes);
    for (let i = facts.insts.length - 1; i >= 0; i--) {
      if (taken[i] === 1 || !trees.isRoot(i)) continue;
      const root = facts.insts[i] as Inst;
      if (root.guard !== null) {
        this.refuse(id, root, LINE.root, "guarded", "it has a guard");
        continue;
      }
      const tree = trees.flatten(i, taken);
      if (rec.on) this.show(id, trees, tree);
      const change = this.plan(id, trees, tree, taken);
      if (change !== null) changes.push(change);
    }
    this.apply(id, changes);
    if (rec.on) rec.end();
  }

  // --- subtractions ----------------------------------------------------------------------------------------------------------

  private subtractions(id: BlockId, trees: BlockTrees, changes: Change[]): void {
    const { rec, edit, policy } = this.ctx;
    for (const [i, inst] of trees.facts.insts.entries()) {
      if (trees.facts.operators[i]?.name !== "SUB") continue;
      if (policy === "measured") {
        this.refuse(id, inst, LINE.measured, "measured", "ptxas 13.0.88 was never seen to common regrouped sums");
        continue;
      }
      const why = trees.subtractionStays(i);
      if (why !== null) {
        this.refuse(id, inst, LINE.sub, "sub-stays", why);
        continue;
      }
      const [, left, right] = inst.ops;
      const minus = right === undefined ? null : negated(right);
      const dest = trees.facts.operators[i]?.dest;
      if (left === undefined || minus === null || dest === undefined || !this.budget.take(LINE.sub)) continue;
      this.counts.turned++;
      const made = rewritten(inst, dest, left, minus);
      const user = trees.facts.insts[trees.parent[i] ?? -1];
      changes.push({
        root: inst,
        chain: [made],
        gone: [],
        line: LINE.sub,
        tell: () => {
          rec.begin(
            "rewrite",
            LINE.sub,
            "'{inst}' feeds only '{user}': it becomes '{made}', and the negation is absorbed in the operand",
            {
              inst: printInst(edit.func, inst),
              user: user === undefined ? "" : printInst(edit.func, user),
              made: printInst(edit.func, made),
              verdict: "yes",
            },
            { blocks: [id], insts: [inst.id] },
          );
        },
      });
    }
  }

  // --- one tree --------------------------------------------------------------------------------------------------------------

  private plan(id: BlockId, trees: BlockTrees, tree: Tree, taken: Uint8Array): Change | null {
    const { policy } = this.ctx;
    const root = trees.facts.insts[tree.root] as Inst;
    const operator = trees.facts.operators[tree.root];
    if (operator === null || operator === undefined) return null;
    if (policy === "measured" && tree.leaves.length > 2) {
      this.counts.candidates++;
      this.refuse(id, root, LINE.measured, "measured", "ptxas 13.0.88 was never seen to common regrouped sums or products");
      return null;
    }
    const isSum = operator.key.startsWith("ADD");
    const shared = isSum ? sharedFactors(trees, tree.root, tree.leaves) : [];
    if (tree.leaves.length <= 2 && shared.length === 0) {
      this.refuse(id, root, LINE.two, "two-leaves", "two leaves: nothing to reassociate");
      return null;
    }
    this.counts.candidates++;
    if (shared.length === 0 && tree.leftLeaning && isSorted(tree.leaves)) {
      this.refuse(id, root, LINE.sort, "canonical", "its leaves stand in canonical order, in a left-leaning chain");
      return null;
    }
    if (this.counts.candidates <= this.skip) {
      this.refuse(id, root, LINE.budget, "skip", `candidate ${this.counts.candidates} of the first ${this.skip} that are let pass`);
      return null;
    }
    if (!this.budget.take(LINE.budget)) {
      this.refuse(id, root, LINE.budget, "budget", "the budget is spent");
      return null;
    }
    return this.rebuild(id, trees, tree, shared, taken);
  }

  private rebuild(id: BlockId, trees: BlockTrees, tree: Tree, shared: readonly SharedFactor[], taken: Uint8Array): Change | null {
    const { edit, rec } = this.ctx;
    const { insts, operators } = trees.facts;
    const root = insts[tree.root] as Inst;
    const dest = operators[tree.root]?.dest as Reg;
    const chain: Inst[] = [];
    const gone = tree.inner.map((i) => insts[i] as Inst);
    const notes: (() => void)[] = [];
    let leaves: Leaf[] = [...tree.leaves];
    const drop = new Set<Leaf>();
    for (const pair of shared) {
      if (!this.distributions.take(LINE.distribute)) break;
      this.counts.distributed++;
      drop.add(pair.first).add(pair.second);
      for (const p of pair.products) {
        gone.push(insts[p] as Inst);
        // It is no root of its own any more: its factors are read here.
        taken[p] = 1;
      }
      const only = tree.leaves.length === 2;
      const sum = this.make(root, edit.freshReg(regClass(dest)), ...pair.terms);
      const product = insts[pair.products[0]] as Inst;
      const target = only ? dest : edit.freshReg(regClass(dest));
      const made = this.make(product, target, registerOperand((sum.ops[0] as { reg: Reg }).reg), pair.factor);
      chain.push(sum, made);
      notes.push(() => this.tellDistribution(id, pair, sum, made, insts));
      if (!only) leaves.push({ ...pair.first, operand: registerOperand(target), rule: "a", why: "the distributed product" });
    }
    leaves = leaves.filter((leaf) => !drop.has(leaf));
    if (chain.length === 0 && leaves.length <= 2) {
      this.refuse(id, root, LINE.distribute, "distribute-budget", "the budget for distributing is spent");
      return null;
    }
    if (leaves.length > 1) {
      leaves = sorted(leaves);
      let left = leaves[0]?.operand as Operand;
      for (let k = 1; k < leaves.length; k++) {
        const last = k === leaves.length - 1;
        const target = last ? dest : edit.freshReg(regClass(dest));
        chain.push(this.make(root, target, left, leaves[k]?.operand as Operand));
        left = registerOperand(target);
      }
    }
    // The root keeps its identity: it is the same value, computed another way.
    const end = chain.pop() as Inst;
    chain.push({ ...end, id: root.id, line: root.line, trivia: root.trivia });
    this.counts.rebuilt++;
    const order = leaves.map((leaf) => operandText(edit.func, leaf.operand));
    const text = printInst(edit.func, root);
    return {
      root,
      chain,
      gone,
      line: LINE.rebuild,
      tell: () => {
        for (const note of notes) note();
        if (leaves.length > 0) this.tellSort(id, root, leaves, order);
        this.showChain(chain);
        rec.begin(
          "rewrite",
          LINE.rebuild,
          leaves.length === 0
            ? "'{inst}' is rebuilt as {count} {count:instruction|instructions}, the common factor outside"
            : "'{inst}' is rebuilt from {leaves} as a left-leaning chain of {count}",
          { inst: text, leaves: order, count: chain.length, verdict: "yes" },
          { blocks: [id], insts: [root.id, ...gone.map((g) => g.id)], nodes: chain.map((_, k) => `rebuilt-chain/c${k}`) },
        );
      },
    };
  }

  private make(proto: Inst, dest: Reg, left: Operand, right: Operand): Inst {
    return { ...rewritten(proto, dest, left, right), id: this.ctx.edit.freshInstId(), line: 0, trivia: null };
  }

  // --- applying --------------------------------------------------------------------------------------------------------------

  private apply(id: BlockId, changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const { rec } = this.ctx;
    if (!rec.on) {
      this.applyAtOnce(id, changes);
      return;
    }
    for (const change of changes) {
      change.tell();
      const { edit } = this.ctx;
      const place = (inst: Inst): number => edit.block(id).insts.findIndex((other) => other.id === inst.id);
      let at = place(change.root);
      for (const inst of change.chain.slice(0, -1)) edit.insert(id, at++, inst);
      edit.replace(id, at, change.chain.at(-1) as Inst);
      for (const inst of change.gone) edit.remove(id, place(inst));
      rec.end();
    }
  }

  /** Nobody watches: one edit for the block, so that long blocks cost no more than their length. */
  private applyAtOnce(id: BlockId, changes: readonly Change[]): void {
    const { edit } = this.ctx;
    const chains = new Map<InstId, readonly Inst[]>();
    const gone = new Set<InstId>();
    for (const { root, chain, gone: removed } of changes) {
      chains.set(root.id, chain);
      for (const inst of removed) gone.add(inst.id);
    }
    const insts = edit.block(id).insts.flatMap((inst) => (gone.has(inst.id) ? [] : (chains.get(inst.id) ?? [inst])));
    edit.replaceTail(id, 0, insts);
  }

  // --- what is said ----------------------------------------------------------------------------------------------------------

  private refuse(id: BlockId, inst: Inst, line: number, condition: string, why: string): void {
    const { edit, rec } = this.ctx;
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (!rec.on) return;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: [inst.id] },
    );
  }

  private show(id: BlockId, trees: BlockTrees, tree: Tree): void {
    const { edit, rec } = this.ctx;
    const { insts, operators } = trees.facts;
    for (const key of this.shown) rec.cell(this.flattened, key, undefined);
    this.shown = [];
    const cell = (key: string, value: Parameters<typeof rec.cell>[2]): void => {
      this.shown.push(key);
      rec.cell(this.flattened, key, value);
    };
    const root = insts[tree.root] as Inst;
    const nodes = [tree.root, ...tree.inner];
    const sources = (i: number): string[] => {
      const inside = tree.inner.filter((c) => trees.parent[c] === i).map((c) => `t${c}`);
      return [...inside, ...tree.leaves.flatMap((leaf, k) => (leaf.node === i ? [`l${k}`] : []))];
    };
    // A tree of thousands of nodes is listed, not drawn: its links would take as long as its square.
    for (const i of nodes) {
      const inst = insts[i] as Inst;
      cell(`t${i}`, { op: operators[i]?.name ?? "", inst: printInst(edit.func, inst), below: nodes.length <= 256 ? sources(i) : [] });
    }
    for (const [k, leaf] of tree.leaves.entries()) {
      cell(`l${k}`, { text: operandText(edit.func, leaf.operand), rule: leaf.rule, number: valueNumber(leaf.operand) });
    }
    rec.event(
      "visit",
      LINE.root,
      "'{inst}' is the root of {nodes} {nodes:node|nodes} and {leaves} {leaves:leaf|leaves}",
      { inst: printInst(edit.func, root), nodes: nodes.length, leaves: tree.leaves.length, op: operators[tree.root]?.name ?? "" },
      { blocks: [id], insts: nodes.map((i) => (insts[i] as Inst).id), nodes: [`flattened-tree/t${tree.root}`] },
    );
    if (tree.leaves.length <= 2) return;
    for (const [k, leaf] of tree.leaves.entries()) {
      const line =
        leaf.rule === "a" || leaf.rule === "b" ? LINE.leafOther : leaf.rule === "overwritten" ? LINE.leafOverwritten : LINE.leafOutside;
      rec.event(
        "note",
        line,
        "{leaf} is a leaf ({rule}): {why}",
        { leaf: operandText(edit.func, leaf.operand), rule: leaf.rule, why: leaf.why },
        { blocks: [id], insts: [(insts[leaf.node] as Inst).id], nodes: [`flattened-tree/l${k}`] },
      );
    }
  }

  private showChain(chain: readonly Inst[]): void {
    const { edit, rec } = this.ctx;
    for (const key of this.chained) rec.cell(this.rebuiltChain, key, undefined);
    this.chained = chain.map((_, k) => `c${k}`);
    for (const [k, inst] of chain.entries()) {
      const [dest, left, right] = inst.ops;
      const text = (operand: Operand | undefined): string => (operand === undefined ? "" : operandText(edit.func, operand));
      rec.cell(this.rebuiltChain, `c${k}`, { result: text(dest), left: text(left), right: text(right), op: inst.op });
    }
  }

  private tellSort(id: BlockId, root: Inst, leaves: readonly Leaf[], order: readonly string[]): void {
    this.ctx.rec.event(
      "note",
      LINE.sort,
      "in canonical order: {order}",
      { order, numbers: leaves.map((leaf) => valueNumber(leaf.operand) ?? "constant") },
      { blocks: [id], insts: [root.id] },
    );
  }

  private tellDistribution(id: BlockId, pair: SharedFactor, sum: Inst, made: Inst, insts: readonly Inst[]): void {
    const { edit, rec } = this.ctx;
    const [first, second] = pair.products.map((p) => insts[p] as Inst);
    if (first === undefined || second === undefined) return;
    const text = (inst: Inst): string => printInst(edit.func, inst);
    const where = (leaf: Leaf): string => (leaf.operand.kind === "reg" ? regName(leaf.operand.reg) : "");
    rec.event(
      "match",
      LINE.distribute,
      "{a} and {b} share the factor {factor}: '{first}' and '{second}' become '{sum}' and '{made}'",
      {
        a: where(pair.first),
        b: where(pair.second),
        factor: operandText(edit.func, pair.factor),
        first: text(first),
        second: text(second),
        sum: text(sum),
        made: text(made),
        verdict: "yes",
      },
      { blocks: [id], insts: [first.id, second.id] },
    );
  }
}
