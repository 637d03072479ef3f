/** TailMergeBlocks: phase A over blocks without successors, phase B over the predecessors of each join. */

import { notShareable } from "../../analysis/shareable.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { sameInst, terminatorsOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import { printInst } from "../../text/printer.ts";
import { CANDIDATES, type Candidate, predecessorCandidates, returnCandidates, sortCandidates } from "./candidates.ts";
import { LoopEntries } from "./loop-entries.ts";
import { type Pair, pairName, passGates, tailLiveIns } from "./merge-gates.ts";
import { jumpTo, type State } from "./state.ts";

export const TAILS = {
  phaseA: line("    phase A: candidates = blocks without successors, at most tail-merge-threshold of them", {
    kind: "span",
    step: "tail merging, phase A: blocks without successors",
  }),
  phaseB: line("    phase B: for each block S with two or more predecessors, in layout order:", {
    kind: "span",
    step: "tail merging, phase B: the {count} {count:predecessor|predecessors} of {block}",
  }),
  pair: line("    for each pair of the same hash:", {
    kind: "match",
    step: "{a:block} and {b:block} have the same hash: compare them from their ends",
  }),
  walk: line("      walk both blocks backwards while the instructions are identical and may be shared: L = common tail length", {
    step: {
      same: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} are identical",
      differ: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} end the common tail: they differ",
    },
    missed: {
      "tail-sees-lanes": {
        kind: "visit",
        code: "convergence",
        say: "'{x:inst}' in {a:block} and '{y:inst}' in {b:block} end the common tail: {effect}",
        droppable: "lanes of both blocks would now execute it together",
      },
    },
  }),
  saved: line("      saved: the tail's instructions once, 8 to 16 bytes each; the jump to it takes 8 to 16", {
    kind: "cost",
    step: "{low} to {high} bytes of code are there once instead of twice; the jump takes 8 to 16",
  }),
  liveIns: line("      live-ins of the tail = its upward exposed registers, reserved ones left out", {
    kind: "liveness",
    step: {
      none: "no register is live into {tail:block}",
      upstream: "{tail:block} is entered with {regs} live; upstream LLVM has no second filter",
      all: "{tail:block} is entered with {regs} live; gate 3 has left the second filter no reserved register",
    },
  }),
};

/** True when something was merged. */
export function tailMergeBlocks(state: State): boolean {
  const { edit, remark, observed } = state;
  state.entries = new LoopEntries(edit);
  let changed = remark.span(TAILS.phaseA, {}, () => {
    if (remark.listening) observed.newCandidates();
    return tryTailMerge(state, returnCandidates(state));
  });
  for (const succ of edit.func.layout.slice()) {
    if (edit.func.blocks[succ] === undefined || edit.block(succ).preds.length < 2) continue;
    remark.open(TAILS.phaseB, { block: succ, count: edit.block(succ).preds.length });
    if (remark.listening) observed.newCandidates();
    changed = tryTailMerge(state, predecessorCandidates(state, succ)) || changed;
    remark.close();
  }
  return changed;
}

function tryTailMerge(state: State, candidates: readonly Candidate[]): boolean {
  if (candidates.length < 2) return false;
  const sorted: (Candidate | null)[] = sortCandidates(state, candidates);
  state.remark.step(CANDIDATES.sort, { order: () => sorted.flatMap((c) => (c === null ? [] : [state.edit.block(c.block)])) });
  let changed = false;
  for (let i = 0; i < sorted.length; i++) {
    for (let j = i + 1; j < sorted.length; j++) {
      const a = sorted[i];
      const b = sorted[j];
      if (a === null || a === undefined) break;
      if (b === null || b === undefined) continue;
      if (a.hash !== b.hash) break;
      const merged = mergePair(state, a, b);
      if (merged === null) continue;
      changed = true;
      // From now on the shared tail is the candidate of both.
      sorted[i] = merged;
      sorted[j] = null;
    }
  }
  return changed;
}

/** Merges the common tail of a pair; the tail as a candidate, or null when a gate refused. */
function mergePair(state: State, a: Candidate, b: Candidate): Candidate | null {
  const { edit, remark } = state;
  remark.open(TAILS.pair, () => ({ a: a.block, b: b.block, blocks: [a.block, b.block], also: { hash: a.hash } }));
  const length = commonTailLength(state, a, b);
  const entry = edit.func.layout[0];
  const isWhole = (c: Candidate): boolean => c.insts.length === length && c.block !== entry;
  const [first, second] = [isWhole(a), isWhole(b)];
  const [keep, give] = second && !first ? [b, a] : [a, b];
  const pair: Pair = { keep, give, length, whole: first || second };
  const rewrite = merge.look(state, pair)?.request() ?? null;
  rewrite?.commit();
  remark.close();
  if (rewrite === null) return null;
  // The second block now jumps to the tail.
  const [tail = keep.block] = edit.block(give.block).succs;
  return { ...keep, block: tail, insts: tailOf(pair) };
}

/** Length of the longest common end of two candidates whose instructions may be shared, found by walking both backwards. */
function commonTailLength(state: State, a: Candidate, b: Candidate): number {
  const { edit, remark, observed } = state;
  const { listening } = remark;
  if (listening) observed.newPair(edit.block(a.block).label, edit.block(b.block).label);
  let length = 0;
  for (; length < a.insts.length && length < b.insts.length; length++) {
    const x = a.insts[a.insts.length - 1 - length] as Inst;
    const y = b.insts[b.insts.length - 1 - length] as Inst;
    const same = sameInst(x, y);
    const effect = same ? notShareable(x) : null;
    if (listening) walked(state, a, b, length, x, y, same ? effect : "they differ");
    if (!same) {
      if (listening) remark.step(TAILS.walk, "differ", aboutWalk(a, b, x, y, effect, length));
      break;
    }
    if (effect !== null) {
      if (!remark.holds(TAILS.walk, "tail-sees-lanes", false, aboutWalk(a, b, x, y, effect, length))) break;
    } else if (listening) remark.step(TAILS.walk, "same", aboutWalk(a, b, x, y, effect, length));
  }
  return length;
}

/** Made only where it is reported: an unbounded threshold means millions of pairs. */
const aboutWalk = (a: Candidate, b: Candidate, x: Inst, y: Inst, effect: string | null, at: number) => ({
  a: a.block,
  b: b.block,
  x,
  y,
  effect: effect ?? "",
  blocks: [a.block, b.block],
  insts: [x, y],
  node: `tail-walk/${at}`,
});

function walked({ edit, observed }: State, a: Candidate, b: Candidate, at: number, x: Inst, y: Inst, why: string | null): void {
  const texts = { a: printInst(edit.func, x), b: printInst(edit.func, y) };
  observed.walked(edit.block(a.block).label, edit.block(b.block).label, at, { ...texts, same: sameInst(x, y), why, insts: [x.id, y.id] });
}

export const merge = rule<State, Pair>()({
  line: "      merge: split the common tail off the first block, send the second block there",
  done: {
    whole:
      "{keep:block} as a whole is the common tail: {give:block} jumps there instead of its last {length} {length:instruction|instructions}",
    split:
      "the last {length} {length:instruction|instructions} of {keep:block} {length:becomes a block of its own|become a block of their own}, and {give:block} jumps there",
  },
  because:
    "{keep} and {give} end with the same {length} {length:instruction|instructions}, and sharing them saves more than the new branch costs",
  match: (state, pair) => {
    if (!passGates(state, pair)) return null;
    const { keep, give, length, whole } = pair;
    const about = { keep: keep.block, give: give.block, length, blocks: [keep.block, give.block], about: () => pairName(state, pair) };
    return { done: whole ? "whole" : "split", ...about, pair, amount: length };
  },
  apply(state, { pair }) {
    const { edit, remark } = state;
    const { keep, give, length, whole } = pair;
    const tail = tailOf(pair);
    const { label: keepLabel, weight: keepWeight } = edit.block(keep.block);
    const { label: giveLabel, weight: giveWeight } = edit.block(give.block);
    const target = whole ? keep.block : edit.splitBlock(keep.block, keep.insts.length - length, `${keepLabel}.tail`);
    const cut = Math.min(give.insts.length - length, terminatorsOf(edit.block(give.block)).at);
    edit.replaceTail(give.block, cut, [jumpTo(edit, target)]);
    if (!whole) edit.setWeight(target, sum(keepWeight, giveWeight));
    state.entries.merged(target, keep.block, give.block);
    if (remark.listening) {
      state.observed.merged(keepLabel, giveLabel, edit.block(target).label, length, edit.position(target));
      const [low, high] = savedBytes(length);
      remark.step(TAILS.saved, { low, high, block: target });
      sayLiveIns(state, target, tail);
    }
  },
});

const tailOf = ({ keep: { insts }, length }: Pair): readonly Inst[] => insts.slice(insts.length - length);

/** At least and at most: an instruction of PTX's target has 8 to 16 bytes. Source: branch-folding-and-tail-merge, Configuration. */
export function savedBytes(instructions: number): readonly [low: number, high: number] {
  return [8 * instructions, 16 * instructions];
}

/** computeLiveIns. After gate 3 its filter finds no reserved register; upstream LLVM has neither. */
function sayLiveIns({ edit, remark, observed, nvidia }: State, target: BlockId, tail: readonly Inst[]): void {
  const { regs } = tailLiveIns(tail);
  observed.newTail(edit.block(target).label, regs);
  const about = { tail: target, regs, block: target };
  if (regs.length === 0) remark.step(TAILS.liveIns, "none", about);
  else remark.step(TAILS.liveIns, nvidia ? "all" : "upstream", about);
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
