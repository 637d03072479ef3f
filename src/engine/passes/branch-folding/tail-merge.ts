/** TailMergeBlocks: phase A over blocks without successors, phase B over the predecessors of each join. */

import { regName } from "../../ir/reg.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { type Candidate, predecessorCandidates, returnCandidates, sortCandidates } from "./candidates.ts";
import { LoopEntries } from "./loop-entries.ts";
import { commonTailLength, passGates } from "./merge-gates.ts";
import { LINE } from "./pseudocode.ts";
import { isReserved, tailLiveIns } from "./reserved.ts";
import { jumpTo, labelOf, type State } from "./state.ts";

/** True when something was merged. */
export function tailMergeBlocks(state: State): boolean {
  const { edit, rec } = state;
  let changed = false;
  state.entries = new LoopEntries(edit);
  if (rec.on) {
    rec.begin("span", LINE.phaseA, "tail merging, phase A: blocks without successors");
    state.observed.newCandidates();
  }
  changed = tryTailMerge(state, returnCandidates(state)) || changed;
  if (rec.on) rec.end();
  for (const succ of edit.func.layout.slice()) {
    if (edit.func.blocks[succ] === undefined || edit.block(succ).preds.length < 2) continue;
    if (rec.on) {
      rec.begin(
        "span",
        LINE.phaseB,
        "tail merging, phase B: the {count} {count:way|ways} into {block}",
        { block: labelOf(state, succ), count: edit.block(succ).preds.length },
        { blocks: [succ] },
      );
      state.observed.newCandidates();
    }
    changed = tryTailMerge(state, predecessorCandidates(state, succ)) || changed;
    if (rec.on) rec.end();
  }
  return changed;
}

function tryTailMerge(state: State, candidates: readonly Candidate[]): boolean {
  const { rec } = state;
  if (candidates.length < 2) return false;
  const sorted: (Candidate | null)[] = sortCandidates(state, candidates);
  if (rec.on) {
    rec.event("note", LINE.sort, "sorted by hash, then priority: {order}", {
      order: sorted.map((c) => (c === null ? "" : labelOf(state, c.block))),
    });
  }
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
  const { edit, rec } = state;
  state.matches++;
  if (rec.on) {
    rec.begin(
      "match",
      LINE.pair,
      "{a} and {b} have the same hash: compare them from their ends",
      { a: labelOf(state, a.block), b: labelOf(state, b.block), hash: a.hash },
      { blocks: [a.block, b.block] },
    );
  }
  const length = commonTailLength(state, a, b);
  const entry = edit.func.layout[0];
  const whole = [a, b].find((c) => c.insts.length === length && c.block !== entry);
  const [keep, give] = whole === b ? [b, a] : [a, b];
  const merged = passGates(state, keep, give, length, whole !== undefined) ? merge(state, keep, give, length, whole !== undefined) : null;
  if (rec.on) rec.end();
  return merged;
}

function merge(state: State, keep: Candidate, give: Candidate, length: number, whole: boolean): Candidate {
  const { edit, rec } = state;
  const tail = keep.insts.slice(keep.insts.length - length);
  const [keepLabel, giveLabel] = [labelOf(state, keep.block), labelOf(state, give.block)];
  if (rec.on) {
    rec.begin(
      "rewrite",
      LINE.merge,
      whole
        ? "{keep} as a whole is the common tail: {give} jumps there instead of its last {length} {length:instruction|instructions}"
        : "the last {length} {length:instruction|instructions} of {keep} {length:becomes a block of its own|become a block of their own}, and {give} jumps there",
      { keep: keepLabel, give: giveLabel, length },
      { blocks: [keep.block, give.block] },
    );
  }
  const weight = sum(edit.block(keep.block).weight, edit.block(give.block).weight);
  const target = whole ? keep.block : edit.splitBlock(keep.block, keep.insts.length - length, `${keepLabel}.tail`);
  const cut = Math.min(give.insts.length - length, terminatorsOf(edit.block(give.block)).at);
  edit.replaceTail(give.block, cut, [jumpTo(state, target)]);
  if (!whole) edit.setWeight(target, weight);
  state.entries.merged(target, keep.block, give.block);
  state.rewrites++;
  state.merges++;
  if (rec.on) {
    const { regs, special } = tailLiveIns(tail);
    const filtered = special.filter(isReserved);
    const label = labelOf(state, target);
    state.observed.merged(keepLabel, giveLabel, label, length, edit.position(target));
    state.observed.newTail(label, regs, filtered);
    rec.event(
      "liveness",
      LINE.liveIns,
      filtered.length === 0
        ? "{tail} is entered with {regs} live; the second filter finds no reserved register to leave out"
        : "{tail} is entered with {regs} live; the second filter leaves out {filtered}, which the hardware holds everywhere",
      { tail: label, regs: regs.map(regName), filtered },
      { blocks: [target], regs },
    );
    rec.end();
  }
  return { ...keep, block: target, insts: tail };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
