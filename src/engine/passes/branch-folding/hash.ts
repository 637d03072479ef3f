/** HashEndOfMBB and the times-37 hash of one instruction (branch folding and tail merging, "HashEndOfMBB"). */

import { OPCODES } from "../../ir/opcodes.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { isTerminator } from "../../ir/visit.ts";
import type { HashFactor } from "./rows.ts";

const FACTOR = 37;

// A fixed number an opcode: its place in the opcode table, from 1.
const OPCODE_NUMBERS = new Map(Object.keys(OPCODES).map((name, i) => [name, i + 1]));

/** Unsigned 32-bit hash of opcode, operand count and the first two operands; everything else is left to the comparison. */
export function hashInstruction(inst: Inst, onFactor?: (factor: HashFactor) => void): number {
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

/** The last instruction in front of the terminators; null when the block holds nothing else. */
export function lastBeforeTerminators(insts: readonly Inst[]): Inst | null {
  for (let i = insts.length - 1; i >= 0; i--) {
    const inst = insts[i];
    if (inst !== undefined && !isTerminator(inst)) return inst;
  }
  return null;
}

/** Hash of a block's end; 0 for a block of terminators only. `onFactor` sees each factor and the hash after it. */
export function hashEnd(insts: readonly Inst[], onFactor?: (inst: Inst, factor: HashFactor) => void): number {
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
