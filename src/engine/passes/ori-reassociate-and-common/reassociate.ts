/** First half of the phase: turns subtractions, flattens, distributes, sorts and rebuilds the expression trees of one block. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { Budget } from "../../config/knob-store.ts";
import { afresh, inPlaceOf } from "../../ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regClass } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import type { PassContext } from "../pass.ts";
import { FactsMaker } from "./block-facts.ts";
import { isSorted, sorted } from "./canonical.ts";
import { type SharedFactor, sharedFactors } from "./distribute.ts";
import { negated, operandText, registerOperand, rewritten } from "./operators.ts";
import { RULES } from "./rules.ts";
import { BlockTrees, type Leaf, type Tree } from "./trees.ts";
import { Watch } from "./watch.ts";

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
  /** Asks, tells, and calls `apply`. */
  readonly make: (apply: () => void) => void;
}

const NO_FACTORS: readonly SharedFactor[] = [];

export class Reassociate {
  readonly counts: ReassociateCounts = { candidates: 0, turned: 0, rebuilt: 0, distributed: 0 };
  private readonly ctx: Pick<PassContext, "edit" | "remark" | "policy">;
  private readonly facts: FactsMaker;
  private readonly budget: Budget;
  private readonly distributions: Budget;
  private readonly largeImmediates: boolean;
  private readonly skip: number;
  private readonly watch: Watch;

  /** `live` is of the function as it comes in: no change here makes a register live where it was not. */
  constructor(ctx: PassContext, live: Liveness, budget: Budget) {
    const { knobs } = ctx;
    this.ctx = ctx;
    this.facts = new FactsMaker(ctx.edit.func, live);
    this.budget = budget;
    this.distributions = knobs.budget("distribute-and-reassociate-mul-budget", RULES.distribute);
    this.largeImmediates = knobs.flag("reassociate-large-imm-in-uiadd64", RULES.flatten);
    this.skip = knobs.int("reassociate-cse-skip", RULES.budget);
    this.watch = new Watch(ctx);
  }

  block(id: BlockId): void {
    const { edit, remark } = this.ctx;
    const block = edit.block(id);
    const facts = this.facts.of(block);
    if (facts === null) return;
    remark.open(RULES.block, "one", { block });
    remark.step(RULES.uses, { count: facts.insts.length, block });
    const trees = new BlockTrees(facts, this.largeImmediates);
    const changes: Change[] = [];
    const taken = new Uint8Array(facts.insts.length);
    this.subtractions(id, trees, changes);
    for (let i = facts.insts.length - 1; i >= 0; i--) {
      if (taken[i] === 1 || !trees.isRoot(i)) continue;
      const root = facts.insts[i] as Inst;
      if (root.guard !== null) {
        remark.missed(RULES.root, "guarded", { inst: root, block });
        continue;
      }
      const tree = trees.flatten(i, taken);
      this.watch.flattened(id, trees, tree);
      const change = this.plan(id, trees, tree, taken);
      if (change !== null) changes.push(change);
    }
    this.apply(id, changes);
    remark.close();
  }

  // --- subtractions ----------------------------------------------------------------------------------------------------------

  private subtractions(block: BlockId, trees: BlockTrees, changes: Change[]): void {
    const { remark, policy } = this.ctx;
    for (let i = 0; i < trees.facts.insts.length; i++) {
      const inst = trees.facts.insts[i] as Inst;
      if (trees.facts.operators[i]?.name !== "SUB") continue;
      if (policy === "measured") {
        remark.missed(RULES.measured, "measured-sub", { inst, block });
        continue;
      }
      const stays = trees.subtractionStays(i);
      if (stays !== null) {
        remark.missed(RULES.sub, stays, { inst, block, user: trees.userOf(i)?.op ?? "" });
        continue;
      }
      const [, left, right] = inst.ops;
      const minus = right === undefined ? null : negated(right);
      const dest = trees.facts.operators[i]?.dest;
      if (left === undefined || minus === null || dest === undefined || !this.budget.take(RULES.sub)) continue;
      const made = rewritten(inst, dest, left, minus);
      const user = trees.facts.insts[trees.parent[i] ?? -1] ?? "";
      const make = (apply: () => void): void => {
        remark.found(RULES.sub, { inst, user, made, block }, () => {
          this.counts.turned++;
          apply();
        });
      };
      changes.push({ root: inst, chain: [made], gone: [], make });
    }
  }

  // --- one tree --------------------------------------------------------------------------------------------------------------

  private plan(block: BlockId, trees: BlockTrees, tree: Tree, taken: Uint8Array): Change | null {
    const { policy, remark } = this.ctx;
    const root = trees.facts.insts[tree.root] as Inst;
    const operator = trees.facts.operators[tree.root];
    if (operator === null || operator === undefined) return null;
    const about = { inst: root, block };
    if (policy === "measured" && tree.leaves.length > 2) {
      this.counts.candidates++;
      return remark.missed(RULES.measured, "measured-tree", about);
    }
    const isSum = operator.key.startsWith("ADD");
    const shared = isSum ? sharedFactors(trees, tree.root, tree.leaves) : NO_FACTORS;
    if (tree.leaves.length <= 2 && shared.length === 0) return remark.missed(RULES.two, "two-leaves", about);
    const n = ++this.counts.candidates;
    if (shared.length === 0 && tree.leftLeaning && isSorted(tree.leaves)) return remark.missed(RULES.sort, "canonical", about);
    if (n <= this.skip) return remark.missed(RULES.budget, "skip", { ...about, n, first: this.skip });
    if (!this.budget.take(RULES.budget)) return remark.missed(RULES.budget, "budget", about);
    return this.rebuild(block, trees, tree, shared, taken);
  }

  private rebuild(block: BlockId, trees: BlockTrees, tree: Tree, shared: readonly SharedFactor[], taken: Uint8Array): Change | null {
    const { edit, remark } = this.ctx;
    const { insts, operators } = trees.facts;
    const root = insts[tree.root] as Inst;
    const dest = operators[tree.root]?.dest as Reg;
    const chain: Inst[] = [];
    const gone = tree.inner.map((i) => insts[i] as Inst);
    const pairs: (readonly [SharedFactor, sum: Inst, made: Inst])[] = [];
    let leaves: Leaf[] = [...tree.leaves];
    const drop = new Set<Leaf>();
    for (const pair of shared) {
      if (!this.distributions.take(RULES.distribute)) break;
      drop.add(pair.first).add(pair.second);
      for (const p of pair.products) {
        gone.push(insts[p] as Inst);
        // It is no root of its own any more: its factors are read here.
        taken[p] = 1;
      }
      const only = tree.leaves.length === 2;
      const sum = this.inst(root, edit.freshReg(regClass(dest)), ...pair.terms);
      const product = insts[pair.products[0]] as Inst;
      const target = only ? dest : edit.freshReg(regClass(dest));
      const made = this.inst(product, target, registerOperand((sum.ops[0] as { reg: Reg }).reg), pair.factor);
      chain.push(sum, made);
      pairs.push([pair, sum, made]);
      if (!only) leaves.push({ ...pair.first, operand: registerOperand(target) });
    }
    leaves = leaves.filter((leaf) => !drop.has(leaf));
    if (chain.length === 0 && leaves.length <= 2) {
      return remark.missed(RULES.distribute, "distribute-budget", { inst: root, block });
    }
    if (leaves.length > 1) {
      leaves = sorted(leaves);
      let left = leaves[0]?.operand as Operand;
      for (let k = 1; k < leaves.length; k++) {
        const last = k === leaves.length - 1;
        const target = last ? dest : edit.freshReg(regClass(dest));
        chain.push(this.inst(root, target, left, leaves[k]?.operand as Operand));
        left = registerOperand(target);
      }
    }
    // The root keeps its identity: it is the same value, computed another way.
    const end = chain.pop() as Inst;
    chain.push(inPlaceOf(root, end));
    const order = (): string[] => leaves.map((leaf) => operandText(edit.func, leaf.operand));
    const about = () => ({
      inst: root,
      leaves: order(),
      count: chain.length,
      block,
      insts: gone,
      nodes: chain.map((_, k) => this.watch.chain.node(`c${k}`)),
    });
    const form = leaves.length === 0 ? "factored" : "chained";
    const make = (apply: () => void): void => {
      if (remark.mayRefuse && !remark.askAhead(RULES.rebuild, form, about)) return;
      for (const [pair, sum, made] of pairs) this.watch.distributed(block, pair, sum, made, insts);
      if (leaves.length > 0) this.watch.sorted(block, root, leaves, order);
      this.watch.rebuilt(chain);
      remark.found(RULES.rebuild, form, about, () => {
        this.counts.rebuilt++;
        this.counts.distributed += pairs.length;
        apply();
      });
    };
    return { root, chain, gone, make };
  }

  private inst(proto: Inst, dest: Reg, left: Operand, right: Operand): Inst {
    return afresh(this.ctx.edit.freshInstId(), rewritten(proto, dest, left, right));
  }

  // --- applying --------------------------------------------------------------------------------------------------------------

  private apply(id: BlockId, changes: readonly Change[]): void {
    const { remark } = this.ctx;
    const later: Change[] = [];
    for (const change of changes) {
      if (remark.listening) change.make(() => this.applyNow(id, change));
      else change.make(() => later.push(change));
    }
    if (later.length > 0) this.applyAtOnce(id, later);
  }

  private applyNow(id: BlockId, { root, chain, gone }: Change): void {
    const { edit } = this.ctx;
    const place = (inst: Inst): number => edit.block(id).insts.findIndex((other) => other.id === inst.id);
    let at = place(root);
    for (const inst of chain.slice(0, -1)) edit.insert(id, at++, inst);
    edit.replace(id, at, chain.at(-1) as Inst);
    for (const inst of gone) edit.remove(id, place(inst));
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
}
