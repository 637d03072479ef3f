/** Merge candidates: blocks with their normalized ends, hashed and given a priority. */

import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { terminatorsOf } from "../../ir/visit.ts";
import { printOperand } from "../../text/print-operand.ts";
import { printInst } from "../../text/printer.ts";
import { hashEnd } from "./hash.ts";
import type { HashFactor } from "./rows.ts";
import { RULES } from "./rules.ts";
import type { State } from "./state.ts";

export interface Candidate {
  readonly block: BlockId;
  /**
   * The instructions that a common tail is looked for in. For a block without successors all of it; for a predecessor its instructions without the way to
   * the successor: a jump there is left out, a condition that led there is reversed.
   */
  readonly insts: readonly Inst[];
  readonly hash: number;
  /** Why AnalyzeBranch can't follow its end; null when it can. Gate 2 asks. */
  readonly unknown: string | null;
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
      state.remark.missed(RULES.candidate, "too-many-ends", { threshold: state.threshold });
      break;
    }
    const ending = analyzeEnding(block, null);
    if (ending.kind === "end") found.push(candidate(state, id, block.insts, 0));
    else if (ending.kind === "unknown") found.push(candidate(state, id, block.insts, 0, ending.why));
  }
  return found;
}

/** Phase B: the predecessors of `succ`, in layout order, at most `threshold`. */
export function predecessorCandidates(state: State, succ: BlockId): Candidate[] {
  const { edit, remark, threshold } = state;
  const preds = edit.block(succ).preds.toSorted((a, b) => edit.position(a) - edit.position(b));
  const found: Candidate[] = [];
  for (const pred of preds) {
    if (found.length >= threshold) {
      remark.missed(RULES.candidate, "too-many-ways", { threshold, succ });
      break;
    }
    const one = normalized(state, edit.block(pred), succ);
    if (one !== null) found.push(one);
  }
  return found;
}

/** The block without its way to `succ`; null when it is no candidate. */
function normalized(state: State, block: Block, succ: BlockId): Candidate | null {
  const { edit, remark } = state;
  const about = { block, succ, blocks: [succ] };
  if (block.id === succ) return remark.missed(RULES.skip, "self-loop", about);
  const ending = analyzeEnding(block, edit.next(block.id));
  const body = block.insts.slice(0, terminatorsOf(block).at);
  switch (ending.kind) {
    case "none":
      return candidate(state, block.id, body, 1);
    case "jump":
      return candidate(state, block.id, body, 0);
    case "cond": {
      const { branch, taken, otherwise } = ending;
      if (taken === otherwise) return remark.missed(RULES.skip, "equal-targets", about);
      if (otherwise === succ) return candidate(state, block.id, [...body, branch], 2);
      if (!ending.reversible || otherwise === null) return remark.missed(RULES.skip, "irreversible", about);
      remark.step(RULES.normalize, { block, succ, other: otherwise, inst: branch });
      return candidate(state, block.id, [...body, reversedBranch(branch, otherwise)], 2);
    }
    case "end":
      return remark.missed(RULES.skip, "ends", about);
    case "unknown":
      return candidate(state, block.id, body, 0, ending.why);
  }
}

function candidate(state: State, block: BlockId, insts: readonly Inst[], priority: number, unknown: string | null = null): Candidate {
  const { edit, remark, observed } = state;
  const used = state.nvidia ? priority : 0;
  if (!remark.listening) return { block, insts, unknown, hash: hashEnd(insts), priority: used };
  const { label } = edit.block(block);
  const node = `merge-candidates/${label}`;
  const row = { length: insts.length, place: edit.position(block), last: null as string | null, factors: [] as HashFactor[] };
  const hash = hashEnd(insts, (last, [what, value, now]) => {
    row.last ??= printInst(edit.func, last);
    // The opcode and the count come first.
    const operand = row.factors.length - 2;
    const factor: HashFactor = [operand < 0 ? what : `${what} (${printOperand(edit.func, last, operand)})`, value, now];
    row.factors = [...row.factors, factor];
    observed.candidate(label, { ...row, hash: now, priority: null });
    remark.step(RULES.hash, { block, what: factor[0], value, hash: now, inst: last, node });
  });
  observed.candidate(label, { ...row, hash, priority: used });
  remark.step(RULES.priority, { block, hash, priority: used, node });
  return { block, insts, unknown, hash, priority: used };
}

/** Sorted by hash, then priority, then layout place: the order in which pairs are tried. */
export function sortCandidates(state: State, candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (a, b) => a.hash - b.hash || a.priority - b.priority || state.edit.position(a.block) - state.edit.position(b.block),
  );
}
