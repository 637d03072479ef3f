/** Merge candidates: blocks with their normalized ends, hashed and given a priority. */

import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { printOperand } from "../../text/print-operand.ts";
import { printInst } from "../../text/printer.ts";
import { hashEnd } from "./hash.ts";
import type { HashFactor } from "./observed.ts";
import { LINE } from "./pseudocode.ts";
import { labelOf, refuse, type State } from "./state.ts";

export interface Candidate {
  readonly block: BlockId;
  /**
   * The instructions that a common tail is looked for in. For a block without successors all of it; for a predecessor its instructions without the way to
   * the successor: a jump there is left out, a condition that led there is reversed.
   */
  readonly insts: readonly Inst[];
  readonly hash: number;
  /** 0: ends with a jump (or the thread ends), 1: falls through, 2: ends with a condition. */
  readonly priority: number;
}

/** Phase A: reachable blocks without successors, in layout order, at most `threshold`. */
export function returnCandidates(state: State): Candidate[] {
  const found: Candidate[] = [];
  const { func } = state.edit;
  for (const [at, id] of func.layout.entries()) {
    const block = state.edit.block(id);
    if (block.succs.length > 0 || (block.preds.length === 0 && at > 0)) continue;
    if (found.length >= state.threshold) {
      sayCut(state, "blocks without successors");
      break;
    }
    if (analyzeEnding(block, null).kind !== "end") continue;
    found.push(candidate(state, id, block.insts, 0));
  }
  return found;
}

/** Phase B: the predecessors of `succ`, in layout order, at most `threshold`. */
export function predecessorCandidates(state: State, succ: BlockId): Candidate[] {
  const { edit, rec } = state;
  const preds = edit.block(succ).preds.toSorted((a, b) => edit.position(a) - edit.position(b));
  const found: Candidate[] = [];
  for (const pred of preds) {
    if (found.length >= state.threshold) {
      sayCut(state, `predecessors of ${labelOf(state, succ)}`);
      break;
    }
    const skip = (condition: string, why: string): void => {
      refuse(state, condition);
      if (!rec.on) return;
      rec.event(
        "match",
        LINE.skip,
        "{block} is no candidate for the ways into {succ}: {why}",
        { block: labelOf(state, pred), succ: labelOf(state, succ), why, verdict: "no", condition },
        { blocks: [pred, succ] },
      );
    };
    if (pred === succ) {
      skip("self-loop", "it is a loop of one block");
      continue;
    }
    const block = edit.block(pred);
    const ending = analyzeEnding(block, edit.next(pred));
    const body = block.insts.slice(0, terminatorsOf(block).at);
    switch (ending.kind) {
      case "none":
        found.push(candidate(state, pred, body, 1));
        break;
      case "jump":
        found.push(candidate(state, pred, body, 0));
        break;
      case "cond": {
        const { branch, taken, otherwise } = ending;
        if (taken === otherwise) {
          skip("equal-targets", "both its ways lead there");
        } else if (otherwise === succ) {
          found.push(candidate(state, pred, [...body, branch], 2));
        } else if (ending.reversible && otherwise !== null) {
          if (rec.on) {
            rec.event(
              "note",
              LINE.normalize,
              "{block} goes to {succ} on a condition: for the comparison its reverse, to {other}, is taken",
              { block: labelOf(state, pred), succ: labelOf(state, succ), other: labelOf(state, otherwise) },
              { blocks: [pred], insts: [branch.id] },
            );
          }
          found.push(candidate(state, pred, [...body, reversedBranch(branch, otherwise)], 2));
        } else {
          skip("analyzable-branch", "its condition cannot be reversed");
        }
        break;
      }
      case "end":
        skip("analyzable-branch", "no way of it can be followed");
        break;
      case "unknown":
        skip("analyzable-branch", ending.why);
        break;
    }
  }
  return found;
}

function candidate(state: State, block: BlockId, insts: readonly Inst[], priority: number): Candidate {
  const { rec } = state;
  const used = state.nvidia ? priority : 0;
  if (!rec.on) return { block, insts, hash: hashEnd(insts), priority: used };
  const label = labelOf(state, block);
  const row = { length: insts.length, place: state.edit.position(block), last: null as string | null, factors: [] as HashFactor[] };
  const hash = hashEnd(insts, (last, [what, value, now]) => {
    row.last ??= printInst(state.edit.func, last);
    // The opcode and the count come first.
    const operand = row.factors.length - 2;
    const factor: HashFactor = [operand < 0 ? what : `${what} (${printOperand(state.edit.func, last, operand)})`, value, now];
    row.factors = [...row.factors, factor];
    state.observed.candidate(label, { ...row, hash: factor[2], priority: null });
    rec.event(
      "hash",
      LINE.hash,
      "{block}: {what} is {value}, the hash is now {hash}",
      { block: label, what: factor[0], value: factor[1], hash: factor[2] },
      { blocks: [block], insts: [last.id], nodes: [`merge-candidates/${label}`] },
    );
  });
  state.observed.candidate(label, { ...row, hash, priority: used });
  rec.event(
    "visit",
    LINE.priority,
    "{block} is a candidate: hash {hash}, priority {priority}",
    { block: label, hash, priority: used },
    { blocks: [block], nodes: [`merge-candidates/${label}`] },
  );
  return { block, insts, hash, priority: used };
}

function sayCut(state: State, what: string): void {
  refuse(state, "tail-merge-threshold");
  if (!state.rec.on) return;
  state.rec.event("budget", LINE.candidate, "tail-merge-threshold {threshold} is reached: the other {what} wait for the next round", {
    threshold: state.threshold,
    what,
  });
}

/** Sorted by hash, then priority, then layout place: the order in which pairs are tried. */
export function sortCandidates(state: State, candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (a, b) => a.hash - b.hash || a.priority - b.priority || state.edit.position(a.block) - state.edit.position(b.block),
  );
}
