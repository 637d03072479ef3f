/** First half of the phase: subtractions that become additions, and expression trees that are rebuilt in canonical order. */

import type { Budget } from "../../config/knob-store.ts";
import { afresh, inPlaceOf } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regClass } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { type Match, rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import { isSorted, sorted } from "./canonical.ts";
import { type SharedFactor, sharedFactors } from "./distribute.ts";
import { negated, operandText, registerOperand, rewritten } from "./operators.ts";
import type { BlockTrees, Leaf, Tree } from "./trees.ts";
import { distribute, STAYS, sort, type Watch } from "./watch.ts";

export interface TreeState extends Pick<PassContext, "edit" | "remark" | "policy"> {
  readonly budget: Budget;
  readonly distributions: Budget;
  /** Candidates that pass unchanged. */
  readonly skip: number;
  readonly watch: Watch;
  /** Changes of the block that one edit makes: without a listener. */
  readonly later: Change[];
  /** Trees so far that could be rebuilt: ReassociateCSESkip names the first ones. */
  candidates: number;
}

/** The root becomes `chain` (its last instruction keeps the root's id), `gone` is removed. */
interface Change {
  readonly root: Inst;
  readonly chain: readonly Inst[];
  readonly gone: readonly Inst[];
}

/** A change of a block, which is requested when all its trees are known. */
export interface Plan {
  readonly match: Match;
  /** What is reported of it before it is performed. */
  readonly report?: () => void;
}

interface At {
  readonly block: BlockId;
  readonly trees: BlockTrees;
}

export const sub = rule<TreeState, At & { readonly at: number }>()({
  line: "  for each ISUB: if its only use is an ADD of the same tree, a - b becomes a + -b",
  stays: STAYS,
  missed: {
    unread: { code: "sub-stays", say: "nothing in the block reads it" },
    "several-uses": { code: "sub-stays", say: "its value has several uses" },
    "read-outside": { code: "sub-stays", say: "it shows through the next write of its register, which is under a guard" },
    "other-use": { code: "sub-stays", say: "its use, {user}, is not an addition that could include it" },
  },
  done: "'{inst}' feeds only '{user:inst}': it becomes '{made:inst}', and the negation is absorbed in the operand",
  because: "'{user}' is an addition and the only use of '{inst}', so both belong to one sum",
  match(_, { block, trees, at }, miss) {
    const { insts, operators } = trees.facts;
    const inst = insts[at] as Inst;
    const stays = trees.subtractionStays(at);
    if (stays !== null) return miss(stays, { inst, block, user: trees.userOf(at)?.op ?? "" });
    const [, left, right] = inst.ops;
    const minus = right === undefined ? null : negated(right);
    const dest = operators[at]?.dest;
    if (left === undefined || minus === null || dest === undefined) return null;
    const made = rewritten(inst, dest, left, minus);
    return { inst, user: insts[trees.parent[at] ?? -1] ?? "", made, block };
  },
  apply: (state, { block, inst, made }) => make(state, block, { root: inst, chain: [made], gone: [] }),
});

export const measured = line("    policy 'measured' keeps every tree of three or more leaves", {
  policy: "measured",
  stays: STAYS,
  missed: {
    "measured-sub": { code: "measured", say: "ptxas 13.0.88 was never seen to common regrouped sums" },
    "measured-tree": { code: "measured", say: "ptxas 13.0.88 was never seen to common regrouped sums or products" },
  },
});

export const two = line("    two leaves or fewer: nothing to reassociate", {
  stays: STAYS,
  missed: { "two-leaves": { say: "with two leaves there is nothing to reassociate" } },
});

export const budget = line("    skip the first ReassociateCSESkip candidates; each of the others costs one of ReassociateCSEBudget", {
  stays: STAYS,
  missed: {
    skip: { say: "it is candidate {n} of the first {first}, which are skipped" },
    budget: { say: "the budget is spent" },
  },
});

/** What the tree shares, when it is worth rebuilding; else null, which is reported. */
export function planned(state: TreeState, { block, trees }: At, tree: Tree): readonly SharedFactor[] | null {
  const { policy, remark } = state;
  const inst = trees.facts.insts[tree.root] as Inst;
  const about = { inst, block };
  if (policy === "measured" && tree.leaves.length > 2) {
    state.candidates++;
    return remark.missed(measured, "measured-tree", about);
  }
  const isSum = trees.facts.operators[tree.root]?.key.startsWith("ADD") === true;
  const shared = isSum ? sharedFactors(trees, tree.root, tree.leaves) : NO_FACTORS;
  if (tree.leaves.length <= 2 && shared.length === 0) return remark.missed(two, "two-leaves", about);
  const n = ++state.candidates;
  if (shared.length === 0 && tree.leftLeaning && isSorted(tree.leaves)) return remark.missed(sort, "canonical", about);
  if (n <= state.skip) return remark.missed(budget, "skip", { ...about, n, first: state.skip });
  if (!state.budget.take(budget)) return remark.missed(budget, "budget", about);
  return shared;
}

const NO_FACTORS: readonly SharedFactor[] = [];

interface Rebuilding extends At {
  readonly root: Inst;
  readonly parts: Parts;
}

export const rebuild = rule<TreeState, Rebuilding>()({
  line: "    rebuild: t = l0 op l1; t = t op l2; … ; the root takes the last one",
  done: {
    factored: "'{inst}' is rebuilt as {count} {count:instruction|instructions}, the common factor outside",
    chained: "'{inst}' is rebuilt from {leaves} as a left-leaning chain of {count}",
  },
  because: {
    factored: "its products share a factor, so one multiplication is enough",
    chained: "its operands {leaves} may be combined in any order, and in one fixed order equal parts become equal instructions",
  },
  match({ edit, watch }, { block, root, parts }) {
    const { chain, gone, leaves, pairs } = parts;
    const about = {
      inst: root,
      leaves: () => textsOf(edit, leaves),
      count: chain.length,
      block,
      insts: gone,
      nodes: () => chain.map((_, k) => watch.chain.node(`c${k}`)),
      change: { root, chain, gone },
      amount: pairs.length,
    };
    return leaves.length === 0 ? { done: "factored", ...about } : { done: "chained", ...about };
  },
  apply: (state, { block, change }) => make(state, block, change),
});

/** What a tree becomes. */
interface Parts {
  /** Its last instruction replaces the root. */
  readonly chain: readonly Inst[];
  readonly gone: readonly Inst[];
  /** In canonical order; none where the sum is one product. */
  readonly leaves: readonly Leaf[];
  /** Products that were distributed. */
  readonly pairs: readonly (readonly [SharedFactor, sum: Inst, made: Inst])[];
}

/** The tree to rebuild; null, which is reported, if the budget for distributing left nothing to do. `taken`: instructions that are not roots. */
export function planRebuild(state: TreeState, at: At, tree: Tree, shared: readonly SharedFactor[], taken: Uint8Array): Plan | null {
  const { edit, remark, watch } = state;
  const { block, trees } = at;
  const { insts } = trees.facts;
  const root = insts[tree.root] as Inst;
  const parts = partsOf(state, trees, tree, shared, taken);
  if (parts === null) return remark.missed(distribute, "distribute-budget", { inst: root, block });
  const match = rebuild.look(state, { ...at, root, parts });
  const report = (): void => {
    for (const [pair, sum, made] of parts.pairs) watch.distributed(block, pair, sum, made, insts);
    if (parts.leaves.length > 0) watch.sorted(block, root, parts.leaves, () => textsOf(edit, parts.leaves));
    watch.rebuilt(parts.chain);
  };
  return match === null ? null : { match, report };
}

function partsOf(
  { edit, distributions }: TreeState,
  { facts: { insts, operators } }: BlockTrees,
  tree: Tree,
  shared: readonly SharedFactor[],
  taken: Uint8Array,
): Parts | null {
  const root = insts[tree.root] as Inst;
  const dest = operators[tree.root]?.dest as Reg;
  const fresh = (): Reg => edit.freshReg(regClass(dest));
  const inst = (proto: Inst, ...parts: readonly [Reg, Operand, Operand]): Inst => afresh(edit.freshInstId(), rewritten(proto, ...parts));
  const chain: Inst[] = [];
  const gone = tree.inner.map((i) => insts[i] as Inst);
  const pairs: (readonly [SharedFactor, sum: Inst, made: Inst])[] = [];
  let leaves: readonly Leaf[] = tree.leaves;
  const only = leaves.length === 2;
  for (const pair of shared) {
    if (!distributions.take(distribute)) break;
    for (const p of pair.products) {
      gone.push(insts[p] as Inst);
      // It is no longer a root: its factors are read here.
      taken[p] = 1;
    }
    const added = fresh();
    const sum = inst(root, added, ...pair.terms);
    const target = only ? dest : fresh();
    const made = inst(insts[pair.products[0]] as Inst, target, registerOperand(added), pair.factor);
    chain.push(sum, made);
    pairs.push([pair, sum, made]);
    const left = leaves.filter((leaf) => leaf !== pair.first && leaf !== pair.second);
    leaves = only ? left : [...left, { ...pair.first, operand: registerOperand(target) }];
  }
  if (chain.length === 0 && leaves.length <= 2) return null;
  leaves = leaves.length > 1 ? sorted(leaves) : leaves;
  let left = leaves[0]?.operand as Operand;
  for (let k = 1; k < leaves.length; k++) {
    const target = k === leaves.length - 1 ? dest : fresh();
    chain.push(inst(root, target, left, leaves[k]?.operand as Operand));
    left = registerOperand(target);
  }
  // The root keeps its identity: it is the same value, computed otherwise.
  chain.push(inPlaceOf(root, chain.pop() as Inst));
  return { chain, gone, leaves, pairs };
}

const textsOf = (edit: Editor, leaves: readonly Leaf[]): string[] => leaves.map((leaf) => operandText(edit.func, leaf.operand));

/** Requests the changes of a block and performs them. */
export function perform(state: TreeState, block: BlockId, plans: readonly Plan[]): void {
  for (const { match, report } of plans) {
    const rewrite = match.request();
    if (rewrite === null) continue;
    report?.();
    rewrite.commit();
  }
  if (state.later.length > 0) makeTogether(state, block);
}

function make({ edit, remark, later }: TreeState, id: BlockId, change: Change): void {
  if (!remark.listening) {
    later.push(change);
    return;
  }
  const { root, chain, gone } = change;
  const place = (inst: Inst): number => edit.block(id).insts.findIndex((other) => other.id === inst.id);
  let at = place(root);
  for (const inst of chain.slice(0, -1)) edit.insert(id, at++, inst);
  edit.replace(id, at, chain.at(-1) as Inst);
  for (const inst of gone) edit.remove(id, place(inst));
}

/** Nobody watches: one edit for the block, so that long blocks cost no more than their length. */
function makeTogether({ edit, later }: TreeState, id: BlockId): void {
  const chains = new Map<InstId, readonly Inst[]>();
  const gone = new Set<InstId>();
  for (const { root, chain, gone: removed } of later.splice(0)) {
    chains.set(root.id, chain);
    for (const inst of removed) gone.add(inst.id);
  }
  const insts = edit.block(id).insts.flatMap((inst) => (gone.has(inst.id) ? [] : (chains.get(inst.id) ?? [inst])));
  edit.replaceTail(id, 0, insts);
}
