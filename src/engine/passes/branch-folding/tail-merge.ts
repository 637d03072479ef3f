/** TailMergeBlocks: phase A over blocks without successors, phase B over the predecessors of each join. */

import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { type Candidate, predecessorCandidates, returnCandidates, sortCandidates } from "./candidates.ts";
import { LoopEntries } from "./loop-entries.ts";
import { commonTailLength, type Pair, pairName, passGates } from "./merge-gates.ts";
import { tailLiveIns } from "./reserved.ts";
import { RULES } from "./rules.ts";
import { jumpTo, type State } from "./state.ts";

/** True when something was merged. */
export function tailMergeBlocks(state: State): boolean {
  const { edit, remark, observed } = state;
  state.entries = new LoopEntries(edit);
  let changed = remark.span(RULES.phaseA, {}, () => {
    if (remark.listening) observed.newCandidates();
    return tryTailMerge(state, returnCandidates(state));
  });
  for (const succ of edit.func.layout.slice()) {
    if (edit.func.blocks[succ] === undefined || edit.block(succ).preds.length < 2) continue;
    remark.open(RULES.phaseB, { block: succ, count: edit.block(succ).preds.length });
    if (remark.listening) observed.newCandidates();
    changed = tryTailMerge(state, predecessorCandidates(state, succ)) || changed;
    remark.close();
  }
  return changed;
}

function tryTailMerge(state: State, candidates: readonly Candidate[]): boolean {
  if (candidates.length < 2) return false;
  const sorted: (Candidate | null)[] = sortCandidates(state, candidates);
  state.remark.step(RULES.sort, { order: () => sorted.flatMap((c) => (c === null ? [] : [state.edit.block(c.block)])) });
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
      // The shared tail stands for both from here on.
      sorted[i] = merged;
      sorted[j] = null;
    }
  }
  return changed;
}

/** Merges the common tail of a pair; the tail as a candidate, or null when a gate refused. */
function mergePair(state: State, a: Candidate, b: Candidate): Candidate | null {
  const { edit, remark } = state;
  state.matches++;
  remark.open(RULES.pair, () => ({ a: a.block, b: b.block, blocks: [a.block, b.block], also: { hash: a.hash } }));
  const length = commonTailLength(state, a, b);
  const entry = edit.func.layout[0];
  const whole = [a, b].find((c) => c.insts.length === length && c.block !== entry);
  const [keep, give] = whole === b ? [b, a] : [a, b];
  const pair: Pair = { keep, give, length, whole: whole !== undefined };
  const merged = passGates(state, pair) ? merge(state, pair) : null;
  remark.close();
  return merged;
}

function merge(state: State, pair: Pair): Candidate | null {
  const { edit, remark } = state;
  const { keep, give, length, whole } = pair;
  const about = { keep: keep.block, give: give.block, length, blocks: [keep.block, give.block], about: () => pairName(state, pair) };
  return remark.found(RULES.merge, whole ? "whole" : "split", about, () => {
    const tail = keep.insts.slice(keep.insts.length - length);
    const { label: keepLabel, weight: keepWeight } = edit.block(keep.block);
    const { label: giveLabel, weight: giveWeight } = edit.block(give.block);
    const target = whole ? keep.block : edit.splitBlock(keep.block, keep.insts.length - length, `${keepLabel}.tail`);
    const cut = Math.min(give.insts.length - length, terminatorsOf(edit.block(give.block)).at);
    edit.replaceTail(give.block, cut, [jumpTo(edit, target)]);
    if (!whole) edit.setWeight(target, sum(keepWeight, giveWeight));
    state.entries.merged(target, keep.block, give.block);
    state.merges++;
    state.shared += length;
    if (remark.listening) {
      state.observed.merged(keepLabel, giveLabel, edit.block(target).label, length, edit.position(target));
      const [low, high] = savedBytes(length);
      remark.step(RULES.saved, { low, high, block: target });
      sayLiveIns(state, target, tail);
    }
    return { ...keep, block: target, insts: tail };
  });
}

/** At least and at most: an instruction of PTX's target has 8 to 16 bytes. Source: branch-folding-and-tail-merge, Configuration. */
export function savedBytes(instructions: number): readonly [low: number, high: number] {
  return [8 * instructions, 16 * instructions];
}

/** computeLiveIns. After gate 3 its filter finds no reserved register; upstream LLVM has neither. */
function sayLiveIns({ edit, remark, observed, nvidia }: State, target: BlockId, tail: readonly Inst[]): void {
  const { regs } = tailLiveIns(tail);
  observed.newTail(edit.block(target).label, regs);
  const about = { tail: target, regs, block: target };
  if (regs.length === 0) remark.step(RULES.liveIns, "none", about);
  else remark.step(RULES.liveIns, nvidia ? "all" : "upstream", about);
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
