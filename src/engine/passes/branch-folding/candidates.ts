/** Merge candidates: blocks with their normalized ends, hashed and given a priority. */

import { analyzeEnding, reversedBranch } from "../../analysis/block-ending.ts";
import type { BlockId } from "../../ir/ids.ts";
import { OPCODES } from "../../ir/opcodes.ts";
import type { Block, Inst, Operand } from "../../ir/types.ts";
import { isTerminator, terminatorsOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import { printOperand } from "../../text/print-operand.ts";
import { printInst } from "../../text/printer.ts";
import type { HashFactor } from "./rows.ts";
import type { State } from "./state.ts";

export const CANDIDATES = {
  candidate: line("      for each predecessor P of S, at most tail-merge-threshold of them:", {
    missed: {
      "too-many-ends": {
        kind: "budget",
        code: "tail-merge-threshold",
        counts: false,
        say: "tail-merge-threshold {threshold} is reached: the other blocks without successors are not candidates in this round",
      },
      "too-many-ways": {
        kind: "budget",
        code: "tail-merge-threshold",
        counts: false,
        say: "tail-merge-threshold {threshold} is reached: the other predecessors of {succ:block} are not candidates in this round",
      },
    },
  }),
  skip: line("        skip P when it is S itself or its branch cannot be analysed", {
    stays: "{block} is no candidate among the predecessors of {succ:block}: {why}",
    missed: {
      "self-loop": { say: "it is a loop of one block" },
      "equal-targets": { say: "both its edges lead there" },
      irreversible: { code: "analyzable-branch", say: "its condition cannot be reversed" },
      ends: { code: "analyzable-branch", say: "neither of its edges can be followed" },
    },
  }),
  normalize: line("        normalize P: leave out the edge to S; a condition that led to S is reversed", {
    kind: "note",
    step: "{block} branches to {succ:block} on a condition, so it is compared in inverted form (branch to {other:block})",
  }),
  hash: line(
    "    hash = opcode, then * 37 + operand count, * 37 + operand 0, * 37 + operand 1 of the last instruction that is no terminator",
    { kind: "hash", step: "{block}: {what} is {value}, the hash is now {hash}" },
  ),
  priority: line("    priority = 0 ends with a jump, 1 falls through, 2 and more ends with a condition", {
    step: "{block} is a candidate: hash {hash}, priority {priority}",
  }),
  sort: line("    sort the candidates by hash, then priority", { kind: "note", step: "sorted by hash, then priority: {order:blocks}" }),
};

export interface Candidate {
  readonly block: BlockId;
  /**
   * The instructions among which a common tail is searched. For a block without successors all of them; for a predecessor its instructions without the edge to
   * the successor: a jump there is left out, a condition that led there is reversed.
   */
  readonly insts: readonly Inst[];
  readonly hash: number;
  /** Why AnalyzeBranch cannot follow its end, for gate 2; null when it can. */
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
      state.remark.missed(CANDIDATES.candidate, "too-many-ends", { threshold: state.threshold });
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
      remark.missed(CANDIDATES.candidate, "too-many-ways", { threshold, succ });
      break;
    }
    const one = normalized(state, edit.block(pred), succ);
    if (one !== null) found.push(one);
  }
  return found;
}

/** The block without its edge to `succ`; null when it is not a candidate. */
function normalized(state: State, block: Block, succ: BlockId): Candidate | null {
  const { edit, remark } = state;
  const about = { block, succ, blocks: [succ] };
  if (block.id === succ) return remark.missed(CANDIDATES.skip, "self-loop", about);
  const ending = analyzeEnding(block, edit.next(block.id));
  const body = block.insts.slice(0, terminatorsOf(block).at);
  switch (ending.kind) {
    case "none":
      return candidate(state, block.id, body, 1);
    case "jump":
      return candidate(state, block.id, body, 0);
    case "cond": {
      const { branch, taken, otherwise } = ending;
      if (taken === otherwise) return remark.missed(CANDIDATES.skip, "equal-targets", about);
      if (otherwise === succ) return candidate(state, block.id, [...body, branch], 2);
      if (!ending.reversible || otherwise === null) return remark.missed(CANDIDATES.skip, "irreversible", about);
      remark.step(CANDIDATES.normalize, { block, succ, other: otherwise, inst: branch });
      return candidate(state, block.id, [...body, reversedBranch(branch, otherwise)], 2);
    }
    case "end":
      return remark.missed(CANDIDATES.skip, "ends", about);
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
    remark.step(CANDIDATES.hash, { block, what: factor[0], value, hash: now, inst: last, node });
  });
  observed.candidate(label, { ...row, hash, priority: used });
  remark.step(CANDIDATES.priority, { block, hash, priority: used, node });
  return { block, insts, unknown, hash, priority: used };
}

/** Sorted by hash, then priority, then layout place: the order in which pairs are tried. */
export function sortCandidates(state: State, candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted(
    (a, b) => a.hash - b.hash || a.priority - b.priority || state.edit.position(a.block) - state.edit.position(b.block),
  );
}

// --- HashEndOfMBB, and the times-37 hash of one instruction --------------------------------------------------------------------------

const FACTOR = 37;

// A fixed number an opcode: its place in the opcode table, from 1.
const OPCODE_NUMBERS = new Map(Object.keys(OPCODES).map((name, i) => [name, i + 1]));

/** Unsigned 32-bit hash of opcode, operand count and the first two operands; everything else is left to the comparison. */
function hashInstruction(inst: Inst, onFactor?: (factor: HashFactor) => void): number {
  let hash = OPCODE_NUMBERS.get(inst.op) ?? 0;
  onFactor?.([`opcode ${inst.op}`, hash, hash]);
  const mix = (what: string, value: number): void => {
    hash = (Math.imul(hash, FACTOR) + value) >>> 0;
    onFactor?.([what, value, hash]);
  };
  mix("operand count", inst.ops.length);
  for (let i = 0; i < 2; i++) {
    const operand = inst.ops[i];
    if (operand !== undefined) mix(`operand ${i}`, hashOperand(operand));
  }
  return hash;
}

/** The last instruction before the terminators; null when the block has nothing else. */
function lastBeforeTerminators(insts: readonly Inst[]): Inst | null {
  for (let i = insts.length - 1; i >= 0; i--) {
    const inst = insts[i];
    if (inst !== undefined && !isTerminator(inst)) return inst;
  }
  return null;
}

/** Hash of a block's end; 0 for a block of terminators only. `onFactor` sees each factor and the hash after it. */
function hashEnd(insts: readonly Inst[], onFactor?: (inst: Inst, factor: HashFactor) => void): number {
  const last = lastBeforeTerminators(insts);
  if (last === null) return 0;
  return onFactor === undefined ? hashInstruction(last) : hashInstruction(last, (factor) => onFactor(last, factor));
}

function hashOperand(operand: Operand): number {
  switch (operand.kind) {
    case "reg":
      return operand.reg >>> 0;
    case "imm":
      return operand.value >>> 0;
    case "f32":
      return operand.bits >>> 0;
    case "label":
      return operand.block;
    // Memory operands and the rest are not hashed, only compared.
    default:
      return 0;
  }
}
