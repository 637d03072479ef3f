/** Replaces a chain of compares by a jump table or a search tree. Shared by DoSwitchOpt and the report that measures the strategies. */

import { liveness } from "../../analysis/liveness.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import { immOp, labelOp, regOp } from "../../ir/builder.ts";
import type { Editor, PhiValue } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { PT, RZ } from "../../ir/reg.ts";
import type { Func, Inst, Operand } from "../../ir/types.ts";
import { getBlock, phiInput, phisOf, sameOperand, terminatorsOf } from "../../ir/visit.ts";
import { line, type Rule } from "../../remark/rules.ts";
import type { CompareLink } from "./compare.ts";
import type { SwitchChain } from "./scan.ts";
import { switchFacts } from "./strategy.ts";

export const LOWERING = {
  move: line("    move tolerated instructions ahead of the dispatch"),
  table: line("    jump table:", {
    found: {
      kind: "rewrite",
      say: "{head:block} now goes through {table}: {entries} {entries:entry|entries} for {cases} {cases:case|cases}, {toDefault} of them to the default",
    },
    missed: {
      "table-too-large": {
        say: "a table of {range} {range:entry|entries} would be larger than {most} (not stated in the reference)",
      },
    },
    source: "branch-and-switch: Jump Table Lowering",
  }),
  normalize: line("      t := selector - min"),
  bounds: line("      notes: p := t >= range, unsigned; if p go to the default", { policy: "notes" }),
  clamp: line("      measured: t := min(t, range), unsigned; the last entry is the default", { policy: "measured" }),
  jmx: line("      fill gaps with the default; JMX t, table"),
  tree: line("    search tree over the sorted cases lo to hi, mid between them:", {
    found: {
      kind: "rewrite",
      say: "{head:block} now starts a search tree over {cases} {cases:case|cases}: {made} {made:block|blocks} made, {removed} removed, depth {depth}",
    },
    source: "branch-and-switch: BST Emission Algorithm",
  }),
  leaf: line("      empty: go to the default; one case: compare ==, go to it, else to the default", {
    kind: "note",
    step: {
      empty: "{block}, depth {depth}: no case is left (lo {lo}, hi {hi}), so it goes to the default",
      one: "{block}, depth {depth}: case {lo} alone is left, so it compares with {value}",
    },
  }),
  less: line("      compare < mid: go to the left part", {
    kind: "note",
    step: "{block}, at depth {depth}, has cases {lo} to {hi}, mid {mid}: a value below {value} goes to the left part",
  }),
  equal: line("      compare == mid: go to its case; then the right part, then the left part", {
    kind: "note",
    step: "{block}, depth {depth}: {value} goes to {target:block}, a larger value to the right part",
  }),
  remove: line("    delete the compare of the head and the other blocks of the chain"),
};

/** Most entries of a table: what the interpreter's code addresses have room for. */
export const MAX_TABLE_ENTRIES = 1 << 18;
/** Limit on the compares lowered at once: creating and deleting that many blocks in the middle of a layout takes quadratic time. */
export const MAX_LOWERED_LINKS = 1 << 14;

/** A value and its target; of a repeated value only the first counts. */
export interface SwitchCase {
  readonly value: number;
  readonly target: BlockId;
}

/** What a lowering needs to know. */
export interface LoweringPlan {
  /** The compares that are removed; the first one's block gets the dispatch. */
  readonly links: readonly CompareLink[];
  readonly selector: Reg;
  readonly fallback: BlockId;
  readonly moved: SwitchChain["moved"];
  /** First-wins cases, in the order in which they are put in their places. */
  readonly cases: readonly SwitchCase[];
}

/** The line of the edits that follow. */
export type AtLine = (rule: Rule) => void;
/** A node of the tree whose edits follow, its block, and its case. */
export type AtNode = (node: TreeNode, block: BlockId, one: SwitchCase | null) => void;

export interface LoweredSwitch {
  readonly head: BlockId;
  /** Blocks made, in layout order. */
  readonly made: readonly BlockId[];
  /** Name of the jump table; null for a tree. */
  readonly table: string | null;
}

/** The part of a chain from link `from` on, as a plan. */
export function planLowering(chain: SwitchChain, from: number): LoweringPlan {
  const links = from === 0 ? chain.links : chain.links.slice(from);
  return { links, selector: chain.selector, fallback: chain.fallback, moved: from === 0 ? chain.moved : [], cases: firstCases(links) };
}

export function firstCases(links: readonly CompareLink[]): SwitchCase[] {
  const seen = new Set<number>();
  return links.filter(({ value }) => !seen.has(value) && seen.add(value)).map(({ value, target }) => ({ value, target }));
}

/** The values that the targets' PHIs take from the chain; `conflict` names a PHI that takes two different ones, which one edge cannot carry. */
export function phiValues(fn: Func, plan: LoweringPlan): { readonly values: ReadonlyMap<InstId, Operand>; readonly conflict: Inst | null } {
  const values = new Map<InstId, Operand>();
  let conflict: Inst | null = null;
  const add = (target: BlockId, from: BlockId): void => {
    for (const phi of phisOf(getBlock(fn, target))) {
      const value = phiInput(phi, from);
      const known = values.get(phi.id);
      if (value === null) continue;
      if (known === undefined) values.set(phi.id, value);
      else if (!sameOperand(known, value)) conflict ??= phi;
    }
  };
  const kept = new Set(plan.cases.map((c) => c.value));
  for (const link of plan.links) if (kept.delete(link.value)) add(link.target, link.block);
  const last = plan.links[plan.links.length - 1];
  if (last !== undefined) add(plan.fallback, last.block);
  return { values, conflict };
}

/** Targets that only a repeated value led to: they lose their edge. */
export function droppedTargets(plan: LoweringPlan): BlockId[] {
  const kept = new Set<BlockId>([plan.fallback, ...plan.cases.map((c) => c.target)]);
  return [...new Set(plan.links.map((link) => link.target))].filter((target) => !kept.has(target));
}

/**
 * A register that would be read without any definition after a dropped target: the only one that reaches the target came over the removed edge. Paths
 * that read it already did so undefined, but the verifier reports a read that had a definition somewhere and no longer has one. Null if there is none.
 */
export function lostDefinition(fn: Func, plan: LoweringPlan): { readonly target: BlockId; readonly reg: Reg } | null {
  const dropped = droppedTargets(plan);
  if (dropped.length === 0) return null;
  const chain = new Set(plan.links.map((link) => link.block));
  const params = new Set(fn.params.map((param) => param.reg));
  const live = liveness(fn);
  const defs = reachingDefs(fn);
  for (const target of dropped) {
    const others = getBlock(fn, target).preds.filter((p) => !chain.has(p));
    if (others.length === 0) continue;
    for (const reg of live.liveIn(target)) {
      if (params.has(reg)) continue;
      const reached = others.some((p) => defs.reachingAt(p, getBlock(fn, p).insts.length, reg).some((site) => site.inst !== null));
      if (!reached) return { target, reg };
    }
  }
  return null;
}

/**
 * True when a table sends the same lanes together as the compares did: each case has its own target, the default is reached by one edge, and no
 * target is lost. Then only the place where they reconverge could differ.
 */
export function tableKeepsGroups(plan: LoweringPlan, clamp: boolean): boolean {
  const targets = new Set(plan.cases.map((c) => c.target));
  if (targets.size < plan.cases.length || targets.has(plan.fallback) || droppedTargets(plan).length > 0) return false;
  const { range, distinct } = switchFacts(plan.cases.map((c) => c.value));
  return clamp || range === distinct;
}

/**
 * The table form. As the reference has it: normalize, compare with the range, branch to the default, JMX in its own block. `clamp`: as measured,
 * normalize, minimum with the range, JMX, and the default as the table's last entry. Source: branch-and-switch, Output: Jump Table Lowering.
 */
export function lowerToTable(edit: Editor, plan: LoweringPlan, clamp: boolean, at: AtLine = () => {}): LoweredSwitch {
  const { head, phi } = prepare(edit, plan, at);
  const { min, range } = switchFacts(plan.cases.map((c) => c.value));
  const entries = new Array<BlockId>(clamp ? range + 1 : range).fill(plan.fallback);
  for (const { value, target } of plan.cases) entries[value - min] = target;
  const name = freshTable(edit.func);
  at(LOWERING.jmx);
  edit.setTable({ name, base: min, default: plan.fallback, entries, line: 0 });
  const index = edit.freshReg("R");
  const normalize = edit.make("IADD3", [regOp(index), regOp(plan.selector), immOp(-min | 0), regOp(RZ)]);
  const made: BlockId[] = [];
  if (clamp) {
    const clamped = edit.freshReg("R");
    at(LOWERING.normalize);
    put(edit, head, normalize);
    at(LOWERING.clamp);
    put(edit, head, edit.make("IMNMX", [regOp(clamped), regOp(index), immOp(range), regOp(PT)], { mods: ["U32"] }));
    at(LOWERING.jmx);
    edit.setTerminators(head, [edit.make("JMX", [regOp(clamped), { kind: "table", name }])], phi);
  } else {
    const outside = edit.freshReg("P");
    edit.materializeFallthrough(head);
    const jump = edit.make("JMX", [regOp(index), { kind: "table", name }]);
    made.push(edit.addBlock(`${edit.block(head).label}.jmx`, edit.position(head) + 1, [jump], phi));
    at(LOWERING.normalize);
    put(edit, head, normalize);
    at(LOWERING.bounds);
    put(edit, head, edit.make("ISETP", [regOp(outside), regOp(index), immOp(range)], { mods: ["GE", "U32"] }));
    const guard = { reg: outside, neg: false };
    edit.setTerminators(head, [edit.make("BRA", [labelOp(plan.fallback)], { guard })], phi);
  }
  at(LOWERING.remove);
  finish(edit, plan);
  return { head, made, table: name };
}

/**
 * The search tree: at each node `<` leads to the left, then `==` to the case, then the right part follows; a leaf is one `==`; an empty part jumps to the
 * default. The root is in the head's block. Source: branch-and-switch, BST Emission Algorithm.
 */
export function lowerToTree(edit: Editor, plan: LoweringPlan, at: AtLine = () => {}, atNode: AtNode = () => {}): LoweredSwitch {
  const { head, phi } = prepare(edit, plan, at);
  edit.materializeFallthrough(head);
  const sorted = [...plan.cases].sort((a, b) => a.value - b.value);
  const nodes = treeNodes(sorted.length);
  const label = edit.block(head).label;
  const ids: BlockId[] = new Array(nodes.length);
  ids[0] = head;
  const place = edit.position(head) + 1;
  at(LOWERING.tree);
  // All blocks first, as jumps to the default: then each node's branches have their targets, from the root on.
  for (let i = nodes.length - 1; i >= 1; i--) {
    ids[i] = edit.addBlock(`${label}.n${i}`, place, [edit.make("BRA", [labelOp(plan.fallback)])], phi);
  }
  for (const [i, node] of nodes.entries()) {
    const id = ids[i] as BlockId;
    atNode(node, id, node.kind === "empty" ? null : (sorted[node.case] ?? null));
    if (node.kind === "empty") continue;
    at(LOWERING[node.kind]);
    const [compare, ...branches] = nodeInsts(edit, plan, sorted, node, ids);
    put(edit, id, compare);
    edit.setTerminators(id, branches, phi);
  }
  at(LOWERING.remove);
  finish(edit, plan);
  return { head, made: ids.slice(1), table: null };
}

/** One block of the tree, for the sorted cases `lo` to `hi`. `less`: the compare of an inner node with `case`, its left part starting at node `left`; `equal`: its second compare. */
export type TreeNode = { readonly lo: number; readonly hi: number; readonly depth: number } & (
  | { readonly kind: "less"; readonly case: number; readonly left: number }
  | { readonly kind: "equal" | "leaf"; readonly case: number }
  | { readonly kind: "empty" }
);

/** Source: branch-and-switch, BST Emission Algorithm: ceil(log2(N + 1)). */
export const treeDepth = (cases: number): number => Math.ceil(Math.log2(cases + 1));

/** The blocks of a balanced tree over cases 0 to n-1, in layout order. Without recursion. */
export function treeNodes(n: number): TreeNode[] {
  const nodes: TreeNode[] = [];
  const stack: { lo: number; hi: number; depth: number; leftOf: number }[] = [{ lo: 0, hi: n - 1, depth: 1, leftOf: -1 }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const { lo, hi, depth, leftOf } = part;
    const at = { lo, hi, depth };
    const parent = nodes[leftOf];
    if (parent?.kind === "less") nodes[leftOf] = { ...parent, left: nodes.length };
    const mid = (lo + hi) >> 1;
    if (lo > hi) nodes.push({ ...at, kind: "empty" });
    else if (lo === hi) nodes.push({ ...at, kind: "leaf", case: mid });
    else {
      stack.push({ lo, hi: mid - 1, depth: depth + 1, leftOf: nodes.length }, { lo: mid + 1, hi, depth: depth + 1, leftOf: -1 });
      nodes.push({ ...at, kind: "less", case: mid, left: -1 }, { ...at, kind: "equal", case: mid });
    }
  }
  return nodes;
}

/** The compare of a node, and its branches. */
function nodeInsts(
  edit: Editor,
  plan: LoweringPlan,
  sorted: readonly SwitchCase[],
  node: Exclude<TreeNode, { readonly kind: "empty" }>,
  ids: readonly BlockId[],
): [Inst, ...Inst[]] {
  const { value, target } = sorted[node.case] as SwitchCase;
  const predicate = edit.freshReg("P");
  const compare = edit.make("ISETP", [regOp(predicate), regOp(plan.selector), immOp(value)], {
    mods: [node.kind === "less" ? "LT" : "EQ"],
  });
  const to = node.kind === "less" ? (ids[node.left] as BlockId) : target;
  const branch = edit.make("BRA", [labelOp(to)], { guard: { reg: predicate, neg: false } });
  return node.kind === "leaf" ? [compare, branch, edit.make("BRA", [labelOp(plan.fallback)])] : [compare, branch];
}

/** Notes the PHI inputs of the targets and moves what must run first to the end of the head. */
function prepare(edit: Editor, plan: LoweringPlan, at: AtLine): { readonly head: BlockId; readonly phi: PhiValue } {
  const { values } = phiValues(edit.func, plan);
  const head = (plan.links[0] as CompareLink).block;
  at(LOWERING.move);
  for (const { block, inst } of plan.moved) {
    const from = edit.block(block).insts.findIndex((i) => i.id === inst);
    edit.move(block, from, head, terminatorsOf(edit.block(head)).at);
  }
  return { head, phi: (_succ, phi) => values.get(phi.id) ?? null };
}

/** Inserts at the end of a block, before its terminators. */
function put(edit: Editor, block: BlockId, inst: Inst): void {
  edit.insert(block, terminatorsOf(edit.block(block)).at, inst);
}

/** Removes the compare of the head and the other blocks of the chain. */
function finish(edit: Editor, plan: LoweringPlan): void {
  const [first, ...rest] = plan.links as readonly [CompareLink, ...CompareLink[]];
  edit.remove(first.block, first.at);
  edit.removeBlocks(rest.map((link) => link.block));
}

function freshTable(fn: Func): string {
  for (let n = fn.tables.size; ; n++) if (!fn.tables.has(`JT${n}`)) return `JT${n}`;
}
