/**
 * Modified copies of instructions and operands. Written out in the order of `builder.ts`, so that all of a kind have one hidden class: an engine
 * gives each occurrence of `{ ...inst }` in the source its own class, and code that reads instructions would then see dozens of them.
 */

import type { BlockId, InstId, Reg } from "./ids.ts";
import type { Opcode } from "./opcodes.ts";
import type { Block, Func, Guard, Inst, Operand } from "./types.ts";

type RegOperand = Operand & { kind: "reg" };
type BankOperand = Operand & { kind: "cbank" };

export function withOps(inst: Inst, ops: readonly Operand[]): Inst {
  return { id: inst.id, op: inst.op, mods: inst.mods, guard: inst.guard, ops, line: inst.line, trivia: inst.trivia };
}

export function withMods(inst: Inst, mods: readonly string[], ops: readonly Operand[] = inst.ops): Inst {
  return { id: inst.id, op: inst.op, mods, guard: inst.guard, ops, line: inst.line, trivia: inst.trivia };
}

export function withGuard(inst: Inst, guard: Guard | null, ops: readonly Operand[] = inst.ops): Inst {
  return { id: inst.id, op: inst.op, mods: inst.mods, guard, ops, line: inst.line, trivia: inst.trivia };
}

/** A different operation with the same id, line and, unless one is given, guard. */
export function withForm(inst: Inst, op: Opcode, mods: readonly string[], ops: readonly Operand[], guard: Guard | null = inst.guard): Inst {
  return { id: inst.id, op, mods, guard, ops, line: inst.line, trivia: inst.trivia };
}

/** The instruction as a replacement of another one, with the latter's id, line and comments. */
export function inPlaceOf({ id, line, trivia }: Pick<Inst, "id" | "line" | "trivia">, { op, mods, guard, ops }: Inst): Inst {
  return { id, op, mods, guard, ops, line, trivia };
}

/** The instruction under a new id, from no line of the text. */
export const afresh = (id: InstId, inst: Inst): Inst => inPlaceOf({ id, line: 0, trivia: null }, inst);

/** `operand` with another register. */
export function withReg({ neg, abs, not }: RegOperand, reg: Reg): RegOperand {
  return { kind: "reg", reg, neg, abs, not };
}

/** `operand` with another sign. */
export function withNeg({ reg, abs, not }: RegOperand, neg: boolean): RegOperand {
  return { kind: "reg", reg, neg, abs, not };
}

export function bankWithBase({ bank, neg, abs }: BankOperand, base: Reg | null, offset: number): BankOperand {
  return { kind: "cbank", bank, base, offset, neg, abs };
}

export function bankWithSign({ bank, base, offset }: BankOperand, neg: boolean, abs: boolean): BankOperand {
  return { kind: "cbank", bank, base, offset, neg, abs };
}

export function phiOp(pred: BlockId, value: Operand): Operand & { kind: "phi" } {
  return { kind: "phi", pred, value };
}

/** A copy of the record with its own list of instructions. */
export function copyBlock(block: Block, insts: Inst[] = block.insts.slice()): Block & { insts: Inst[] } {
  return {
    id: block.id,
    label: block.label,
    insts,
    succs: block.succs,
    preds: block.preds,
    weight: block.weight,
    rpo: block.rpo,
    latchExit: block.latchExit,
    flags: block.flags,
    flags2: block.flags2,
    scratch120: block.scratch120,
    scratch232: block.scratch232,
    line: block.line,
    trivia: block.trivia,
  };
}

/** A copy of the function with its own lists, whose elements are shared. */
export function copyFunc(fn: Func) {
  return {
    kind: fn.kind,
    name: fn.name,
    params: fn.params,
    returns: fn.returns,
    blockSize: fn.blockSize,
    blocks: fn.blocks.slice(),
    layout: fn.layout.slice(),
    tables: new Map(fn.tables),
    flags: fn.flags,
    nextInst: fn.nextInst,
    nextReg: fn.nextReg.slice(),
    version: fn.version,
    codeVersion: fn.codeVersion,
    cfgVersion: fn.cfgVersion,
    line: fn.line,
    trivia: fn.trivia,
  };
}
