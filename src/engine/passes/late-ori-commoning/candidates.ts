/** Candidates of common computations, chained by hash: `sub_7E6090` and the table that `sub_901A90` looks into. */

import { expressionText, type ReadNumber, sourceTexts } from "../../analysis/expression-text.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { isDefOperand, spaceOf } from "../../ir/visit.ts";
import { FNV_OFFSET_BASIS, FNV_PRIME } from "../../structures/fnv.ts";

/** What EQUIV compares, taken down where the instruction stands. */
export interface Described {
  readonly inst: Inst;
  readonly block: BlockId;
  /** Place in its block. */
  readonly at: number;
  readonly dest: Reg;
  readonly hash: number;
  /** Source operands as values, with their signs; sorted where they commute. */
  readonly sources: readonly string[];
  /** The guard as a value; empty without one. */
  readonly guard: string;
  /** State of the memory that a load reads, and of the active lanes for an instruction that depends on them. */
  readonly state: string;
  /** The whole expression, guard and state included. */
  readonly text: string;
}

export interface Candidate extends Described {
  /** Dominator-order number of its block. */
  readonly order: number;
  /** The number that its register holds while the value is there. */
  readonly version: number;
}

/** `state`: see `Described`. */
export function describe(inst: Inst, block: BlockId, at: number, dest: Reg, read: ReadNumber, state: string): Described {
  const { guard } = inst;
  const sources = sourceTexts(inst, read);
  return {
    inst,
    block,
    at,
    dest,
    hash: hashOf(inst, read, sources),
    sources,
    guard: guard === null || isConstantReg(guard.reg) ? (guard?.neg === true ? "@!PT" : "") : `@${guard.neg ? "!" : ""}#${read(guard.reg)}`,
    state,
    text: expressionText(inst, read, state, sources),
  };
}

/** Opcode, operand values without signs, and address space; modifiers, guard and memory state are left to EQUIV. */
function hashOf(inst: Inst, read: ReadNumber, sources: readonly string[]): number {
  const bare = inst.ops.some(isSigned) ? sourceTexts(withoutSigns(inst), read) : sources;
  const text = `${inst.op}/${spaceOf(inst) ?? ""}/${bare.join(",")}`;
  let h = FNV_OFFSET_BASIS;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  return h >>> 0;
}

const isSigned = (operand: Operand): boolean => operand.kind === "reg" && (operand.neg || operand.abs || operand.not);

function withoutSigns(inst: Inst): Inst {
  return { ...inst, ops: inst.ops.map((operand, i) => (isDefOperand(inst, i) ? operand : unsigned(operand))) };
}

function unsigned(operand: Operand): Operand {
  return operand.kind === "reg" ? { ...operand, neg: false, abs: false, not: false } : operand;
}

/** The kinds of an instruction's operands, in canonical order. */
export function operandKinds(inst: Inst): string {
  return inst.ops
    .map((o) => o.kind)
    .sort()
    .join(" ");
}

/** Candidates of one hash that are kept: the latest ones. Older ones are forgotten, so that a look-up costs no more than this many comparisons. */
export const CHAIN_LIMIT = 8;

export class Chains {
  forgotten = 0;
  private readonly chains = new Map<number, Candidate[]>();

  /** The latest first. */
  find(hash: number): readonly Candidate[] {
    return this.chains.get(hash) ?? [];
  }

  add(candidate: Candidate): void {
    const chain = this.chains.get(candidate.hash);
    if (chain === undefined) {
      this.chains.set(candidate.hash, [candidate]);
      return;
    }
    chain.unshift(candidate);
    if (chain.length > CHAIN_LIMIT) {
      chain.pop();
      this.forgotten++;
    }
  }
}
