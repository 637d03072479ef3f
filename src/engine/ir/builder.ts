/** Small constructors for operands and instructions. */

import type { BlockId, InstId, Reg } from "./ids.ts";
import type { Opcode } from "./opcodes.ts";
import type { Block, Func, Guard, Inst, Module, Operand, Trivia } from "./types.ts";

export function regOp(r: Reg, mods: { neg?: boolean; abs?: boolean; not?: boolean } = {}): Operand {
  return { kind: "reg", reg: r, neg: mods.neg ?? false, abs: mods.abs ?? false, not: mods.not ?? false };
}

export function immOp(value: number): Operand {
  return { kind: "imm", value };
}

export function labelOp(block: BlockId): Operand {
  return { kind: "label", block };
}

export function memOp(base: Reg | null, offset = 0, index: Reg | null = null): Operand {
  return { kind: "mem", base, index, offset };
}

export interface InstParts {
  readonly mods?: readonly string[];
  readonly guard?: Guard | null;
  readonly line?: number;
}

/** Builds an instruction with the given id. Passes take ids from `Editor.make`. */
export function makeInst(id: InstId, op: Opcode, ops: readonly Operand[], parts: InstParts = {}): Inst {
  return { id, op, mods: parts.mods ?? [], guard: parts.guard ?? null, ops, line: parts.line ?? 0, trivia: null };
}

export function makeBlock(id: BlockId, label: string, insts: readonly Inst[] = [], line = 0, trivia: Trivia | null = null): Block {
  return {
    id,
    label,
    insts,
    succs: [],
    preds: [],
    weight: null,
    rpo: 0,
    latchExit: 0,
    flags: 0,
    flags2: 0,
    scratch120: 0,
    scratch232: 0,
    line,
    trivia,
  };
}

export function emptyModule(funcs: readonly Func[] = []): Module {
  return { target: null, symbols: [], funcs, tail: [] };
}
